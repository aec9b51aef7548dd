import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answer } from '../../src/domain/answer.ts';
import { UsageError } from '../../src/domain/usage-error.ts';
import { createScriptedProvider } from '../../src/providers/scripted.ts';
import { readTranscript, type Transcript } from '../../src/providers/transcript.ts';
import { brief, jobIn } from '../helpers/attempt-job.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';

const never = new AbortController().signal;

const finding = {
  title: 'Greets nobody',
  category: 'missing-check',
  severity: 'high',
  confidence: 'high',
  path: 'src/greet.js',
  line: 1,
  quote: 'export const greet',
  explanation: 'It should greet.',
} as const;

const providerOf = (script: Omit<Transcript, 'contract'>) => {
  const clock = createSimulatedClock(1_000_000);
  const transcript: Transcript = { contract: 'casefile/transcript/v1', ...script };
  const provider = createScriptedProvider({ transcript, clock });
  return { clock, run: (stop = never) => provider.run(jobIn('/scratch'), stop) };
};

const verdicts = (bytes: Uint8Array | undefined): Readonly<Record<string, string>> => {
  const { packet, results } = answer.parse(JSON.parse(Buffer.from(bytes ?? []).toString()));
  expect(packet).toBe(brief.packet);
  return Object.fromEntries(results.map(({ task, verdict }) => [task, verdict]));
};
const [first, second] = brief.tasks.map(({ id }) => id) as [string, string];

describe('the scripted provider', () => {
  test('gives a finding to the task over its path, and calls the others clean', async () => {
    const { run } = providerOf({ steps: [{ findings: [finding] }] });
    expect(verdicts((await run()).answer)).toEqual({ [first]: 'findings', [second]: 'clean' });
  });

  test('a lens picks among the tasks over one path', async () => {
    const { run } = providerOf({ steps: [{ findings: [{ ...finding, lens: 'security' }] }] });
    expect(verdicts((await run()).answer)).toEqual({ [first]: 'clean', [second]: 'findings' });
  });

  test('says nothing about what a step omits', async () => {
    const steps = [{ findings: [], omit: [{ lens: 'security' as const }] }];
    expect(verdicts((await providerOf({ steps }).run()).answer)).toEqual({ [first]: 'clean' });
  });

  test('takes the steps in their order, each once, and then what comes otherwise', async () => {
    const { run } = providerOf({
      steps: [
        { fail: { kind: 'limited', limit: 'rate', resetInMs: 500 } },
        { fail: { kind: 'crashed', exitCode: 1 } },
        { raw: 'garbage' },
      ],
      otherwise: 'clean',
    });
    expect((await run()).end).toEqual({ kind: 'limited', limit: 'rate', resetAt: 1_000_500 });
    expect((await run()).end).toEqual({ kind: 'crashed', exitCode: 1 });
    expect(Buffer.from((await run()).answer ?? []).toString()).toBe('garbage');
    expect(verdicts((await run()).answer)).toEqual({ [first]: 'clean', [second]: 'clean' });
  });

  test('a step for other packets is left for them', async () => {
    const { run } = providerOf({
      steps: [
        { when: { lens: 'performance' }, raw: 'not for us' },
        { when: { path: 'src/greet.js' }, times: 1, raw: 'for us' },
        { when: { path: 'src/greet.js' }, raw: 'from now on' },
      ],
    });
    const told = async () => Buffer.from((await run()).answer ?? []).toString();
    expect([await told(), await told(), await told()]).toEqual([
      'for us',
      'from now on',
      'from now on',
    ]);
  });

  test('takes its time, and can be stopped in it', async () => {
    const { clock, run } = providerOf({
      steps: [{ delayMs: 5000, raw: 'late' }],
      otherwise: 'clean',
    });
    const stop = new AbortController();
    const report = run(stop.signal);
    while (clock.sleepers() === 0) await Promise.resolve();
    stop.abort('budget');
    expect(await report).toEqual({ end: { kind: 'cancelled', by: 'budget' } });
  });

  test.each([
    [
      'a path that is not in the tree',
      { steps: [{ findings: [{ ...finding, path: 'no.js' }] }] },
      /"no\.js", which is not in the audited tree/,
    ],
    [
      'a selector of such a path',
      { steps: [{ when: { path: 'no.js' }, raw: '' }], otherwise: 'clean' as const },
      /"no\.js", which is not in the audited tree/,
    ],
    ['a packet without a step', { steps: [] }, /no step left for packet p-/],
  ])("%s is the operator's error", async (_, script, message) => {
    const report = providerOf(script).run();
    await expect(report).rejects.toThrow(UsageError);
    await expect(report).rejects.toThrow(message);
  });

  test("a finding for a file of other packets is the operator's error", async () => {
    const clock = createSimulatedClock();
    const steps = [{ findings: [{ ...finding, path: 'src/other.js' }] }];
    const transcript: Transcript = { contract: 'casefile/transcript/v1', steps };
    const job = jobIn('/scratch', {
      tree: { folder: undefined, read: () => Promise.resolve(new Uint8Array()) },
    });
    const provider = createScriptedProvider({ transcript, clock });
    await expect(provider.run(job, never)).rejects.toThrow(/src\/other\.js/);
  });
});

describe('a transcript', () => {
  test.each(['one-finding', 'limit-then-crash-then-clean'])(
    'the example %s can be read',
    (name) => {
      const url = new URL(`../../fixtures/transcripts/${name}.json`, import.meta.url);
      expect(readTranscript(readFileSync(url, 'utf8'), name).steps.length).toBeGreaterThan(0);
    },
  );

  test.each([
    ['{', /t\.json is not JSON/],
    ['{"contract":"casefile/transcript/v1","steps":[{"raw":"x","sleepMs":1}]}', /steps/],
    ['{"contract":"casefile/transcript/v2","steps":[]}', /contract/],
  ])('what is wrong with it is told by place: %s', (text, message) => {
    expect(() => readTranscript(text, 't.json')).toThrow(message);
  });
});
