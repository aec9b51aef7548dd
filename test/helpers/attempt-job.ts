import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import { auditId } from '../../src/domain/ids.ts';
import { digestOf } from '../../src/std/digest.ts';
import type { FrozenTree } from '../../src/platform/source-tree.ts';
import type { AttemptJob } from '../../src/providers/provider.ts';

export const brief: PacketBrief = {
  contract: 'casefile/packet/v1',
  answerVersion: 1,
  packet: 'p-0123456789abcdef',
  promptDigest: '0'.repeat(64),
  tasks: (['correctness', 'security'] as const).map((lens, index) => ({
    id: `t-000000000000000${index}`,
    kind: 'review',
    lens,
    unit: 'src',
    files: [{ path: 'src/greet.js', lines: 3, digest: '1'.repeat(64) }],
  })),
};

/** A tree in memory. */
export const treeOf = (files: Readonly<Record<string, string>>, folder?: string): FrozenTree => ({
  folder,
  read: (path) => {
    const content = files[path];
    return content === undefined
      ? Promise.reject(new Error(`no ${path}`))
      : Promise.resolve(Buffer.from(content));
  },
});

export const jobIn = (scratch: string, changes: Partial<AttemptJob> = {}): AttemptJob => ({
  // Processes are found by audit and token: two tests at a time must not find each other's.
  audit: auditId.parse(`20261130T101400123Z-${digestOf([scratch, process.pid]).slice(0, 6)}`),
  token: 17,
  brief,
  prompt: 'Review the packet.\n',
  limits: { attemptsMax: 3, wallMs: 60_000, idleMs: 30_000, outputBytesMax: 100_000 },
  leads: [],
  tree: treeOf({ 'src/greet.js': 'export const greet = () => 1;\n' }),
  scratch,
  ...changes,
});
