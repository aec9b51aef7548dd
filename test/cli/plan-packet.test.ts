import { afterAll, beforeAll, expect, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

type PlanJson = { readonly packets: readonly { readonly id: string; readonly tokens: number }[] };
type PacketJson = {
  readonly id: string;
  readonly tokens: number;
  readonly tasks: readonly { readonly id: string; readonly lens: string }[];
  readonly files: readonly { readonly path: string; readonly tokens: number }[];
  readonly prompt: string;
};

let place: Workplace;
const plan = (...flags: readonly string[]) =>
  place.run('plan', '--provider', 'handoff', ...ONE_LENS, ...flags);

beforeAll(async () => {
  place = await createWorkplace(packetFiles(2));
});
afterAll(() => place.close());

test('plan --packet shows the tasks, files, tokens and prompt of one packet', async () => {
  const { packets } = JSON.parse((await plan('--json')).stdout) as PlanJson;
  expect(packets).toHaveLength(2);
  const [first] = packets;
  const shown = await plan('--packet', first?.id ?? '', '--json');
  const packet = JSON.parse(shown.stdout) as PacketJson;
  expect(shown.code).toBe(0);
  expect(packet).toMatchObject({ id: first?.id, tokens: first?.tokens });
  expect(packet.files).toHaveLength(1);
  expect(packet.files[0]?.tokens).toBeLessThan(packet.tokens);
  expect(packet.prompt).toContain(packet.tasks[0]?.id);
  expect(packet.prompt).toContain(packet.files[0]?.path);

  const text = await plan('--packet', (first?.id ?? '').slice(0, 12));
  expect(text.stdout).toContain(first?.id);
  expect(text.stdout).toContain('# Code review');
});

test('a packet that the plan does not have, or more than one, is an error', async () => {
  expect(await plan('--packet', 'p-ffff')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('no packet "p-ffff"') as string,
  });
  expect(await plan('--packet', 'p-')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2 packets of the plan begin with "p-"') as string,
  });
});
