import type { AuditEvent, PlannedPacket, PlannedTask } from '../../src/domain/events.ts';
import type {
  AccountId,
  AuditId,
  BlobRef,
  Digest,
  PacketId,
  TaskId,
} from '../../src/domain/ids.ts';
import type { Settings } from '../../src/domain/settings.ts';
import type { DerivedObligation } from '../../src/domain/vocabulary.ts';
import { sha256Hex } from '../../src/std/digest.ts';

/** Small, lawful pieces of a history, for examples and generators. */

export const AUDIT = '20261130T101400123Z-1f3c9a' as AuditId;
export const ACCOUNT = 'agent' as AccountId;
export const START = 1_764_497_640_000;

export const blob = (text: string): BlobRef => ({
  digest: sha256Hex(text) as Digest,
  bytes: text.length,
});

export const taskIdOf = (number: number): TaskId => `t-${hex(number)}` as TaskId;
export const packetIdOf = (number: number): PacketId => `p-${hex(number)}` as PacketId;
const hex = (number: number): string => number.toString(16).padStart(16, '0');

export const task = (number: number, fields: Partial<PlannedTask> = {}): PlannedTask => ({
  id: taskIdOf(number),
  kind: 'review',
  unit: 'src',
  lens: 'correctness',
  paths: [`src/f${number}.ts`],
  ...fields,
});

export const packet = (
  number: number,
  tasks: readonly number[],
  fields: Partial<PlannedPacket> = {},
): PlannedPacket => ({
  id: packetIdOf(number),
  tasks: tasks.map(taskIdOf),
  tokens: 1000,
  prompt: blob(`prompt ${number}`),
  ...fields,
});

export const settings = (fields: Partial<Settings> = {}): Settings => ({
  provider: 'scripted',
  reviewer: 'agent',
  accounts: [{ id: ACCOUNT, ceiling: 2, source: 'declared' }],
  lenses: ['correctness'],
  include: [],
  exclude: [],
  limits: { attemptsMax: 3, wallMs: 600_000, idleMs: 60_000, outputBytesMax: 1_000_000 },
  failOn: 'high',
  consent: [],
  ...fields,
});

export const auditOpened = (fields: Partial<Settings> = {}): AuditEvent => ({
  type: 'AuditOpened',
  audit: AUDIT,
  root: { name: 'sample', inventory: 'walk' },
  inputDigest: sha256Hex('input') as Digest,
  files: 3,
  settings: settings(fields),
  tool: { name: 'casefile', version: '0.1.0' },
  schema: { log: 1, answer: 1 },
  at: START,
});

export const writerOpened = (epoch = 1, startsMax?: number): AuditEvent => ({
  type: 'WriterOpened',
  epoch,
  tool: '0.1.0',
  ...(startsMax !== undefined && { startsMax }),
  at: START,
});

export const derived = (obligation: DerivedObligation, openWork?: boolean): AuditEvent => ({
  type: 'ArtifactDerived',
  obligation,
  artifact: blob(obligation),
  ...(openWork !== undefined && { openWork }),
  at: START,
});

export const waived = (obligation: DerivedObligation): AuditEvent => ({
  type: 'ObligationWaived',
  obligation,
  reason: 'Not asked for.',
  atRunTime: false,
  at: START,
});

/** An audit up to the point where its packets may start: `tasks[i]` are the tasks of packet i + 1. */
export const planned = (
  tasks: readonly (readonly number[])[] = [[1], [2], [3]],
  fields: Partial<Settings> = {},
): AuditEvent[] => [
  auditOpened(fields),
  writerOpened(),
  derived('inventory'),
  derived('disposition'),
  waived('formatting'),
  derived('structure'),
  derived('enrichment'),
  derived('designAssessment'),
  { type: 'TasksPlanned', tasks: tasks.flat().map((number) => task(number)) },
  { type: 'PacketsPlanned', packets: tasks.map((numbers, index) => packet(index + 1, numbers)) },
  derived('planning', tasks.length > 0),
];

export const NO_FINDINGS = { critical: 0, high: 0, medium: 0, low: 0, info: 0 } as const;

export const attemptStarted = (packetNumber: number, fields: object = {}): AuditEvent => ({
  type: 'AttemptStarted',
  packet: packetIdOf(packetNumber),
  provider: 'scripted',
  account: ACCOUNT,
  attempt: 1,
  leaseUntil: START + 660_000,
  at: START,
  ...fields,
});
