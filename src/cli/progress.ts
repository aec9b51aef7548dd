import type { Commit } from '../domain/commit.ts';
import type { AuditState } from '../decider/state.ts';
import { counted } from '../std/counted.ts';
import { isoTime } from '../std/instant-text.ts';
import { createFindingCounts, foldFindingCounts } from '../projections/finding-counts.ts';
import { terminal } from './terminal.ts';

/** How a run is shown: a line that is rewritten on a terminal, plain lines elsewhere. */
export type Progress = {
  readonly onCommit: (commit: Commit, state: AuditState) => void;
  /** What an earlier process has found counts too. */
  readonly countPast: (commits: readonly Commit[]) => void;
  /** A message that stays; the live line gives way to it. */
  readonly note: (message: string) => void;
  readonly stop: () => void;
};

/** Plain lines come at most this often, besides changes of what is being done. */
const PLAIN_EVERY_MS = 10_000;
const LIVE_EVERY_MS = 500;

export const createProgress = (options: { readonly isLive: boolean }): Progress => {
  const counts = createFindingCounts();
  const startedAt = Date.now();
  let latest: AuditState | undefined;
  let phase = '';
  let printedAt = 0;

  const line = (): string => {
    if (latest === undefined) return 'starting';
    return [
      describePhase(latest),
      ...work(latest),
      found(counts.total),
      elapsed(Date.now() - startedAt),
    ]
      .filter((part) => part !== '')
      .join(' · ');
  };
  const timer = options.isLive
    ? setInterval(() => terminal.live(clipToWidth(line())), LIVE_EVERY_MS)
    : undefined;
  timer?.unref();

  return {
    onCommit: (commit, state) => {
      latest = state;
      for (const event of commit.events) foldFindingCounts(counts, event);
      if (options.isLive) return;
      const now = Date.now();
      const isNews = describePhase(state) !== phase;
      if (!isNews && now - printedAt < PLAIN_EVERY_MS) return;
      // Dispatching and ingesting alternate with every answer: that is one phase for people.
      phase = describePhase(state);
      printedAt = now;
      terminal.say(line());
    },
    countPast: (commits) => {
      for (const { events } of commits) {
        for (const event of events) foldFindingCounts(counts, event);
      }
    },
    note: (message) => {
      if (options.isLive) terminal.live('');
      terminal.say(message);
    },
    stop: () => {
      if (timer === undefined) return;
      clearInterval(timer);
      terminal.live('');
    },
  };
};

/** What is being done, in words. */
const describePhase = (state: AuditState): string => {
  const { path } = state.lifecycle;
  if (path.startsWith('deriving.'))
    return `deriving ${PHASE_NAMES[path.slice(9)] ?? path.slice(9)}`;
  if (path === 'dispatching' || path === 'ingesting') return 'reviewing';
  if (path === 'cooldown') return `waiting until ${coolsUntil(state) ?? 'the limit is over'}`;
  return path;
};

const PHASE_NAMES: Readonly<Record<string, string>> = {
  inventory: 'the inventory',
  disposition: 'what is to be reviewed',
  structure: 'the structure',
  enrichment: 'leads (analyzers run)',
  designAssessment: 'the design assessment',
  planning: 'the plan',
  runtimeValidation: 'what running it shows (commands run)',
  synthesis: 'the report',
  finishing: 'the end',
};

const work = ({ counts, leases, packets }: AuditState): string[] => {
  if (packets.size === 0) return [];
  const done = counts.packets.settled + counts.packets.abandoned;
  return [
    `${done}/${packets.size} packets`,
    leases.size > 0 ? `${leases.size} in flight` : '',
    counts.tasks.abandoned > 0 ? `${counted(counts.tasks.abandoned, 'task')} failed` : '',
  ];
};

const found = (total: number): string => (total === 0 ? '' : `${counted(total, 'finding')} so far`);

const elapsed = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
};

/** The end of the first cooldown, as ISO 8601. */
export const coolsUntil = ({ accounts }: AuditState): string | undefined => {
  const ends = [...accounts.values()].flatMap(({ cooldownUntil }) => cooldownUntil ?? []);
  return ends.length === 0 ? undefined : isoTime(Math.min(...ends));
};

const clipToWidth = (text: string): string => text.slice(0, Math.max(20, terminal.columns() - 1));
