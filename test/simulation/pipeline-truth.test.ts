import { expect, test } from 'vitest';
import type { Commit } from '../../src/domain/commit.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import {
  honestAnswer,
  LIES,
  seedRepository,
  type Lie,
  type Named,
  type Seeded,
  type ToldAnswer,
} from '../helpers/lying-agents.ts';
import { createSeededRandom, type SeededRandom } from '../helpers/seeded-random.ts';
import {
  drawCuts,
  playAudit,
  type Behaviour,
  type Cut,
  type Outcome,
  type Scenario,
} from '../helpers/simulated-audit.ts';

/**
 * What comes out of an audit, held against what was put in: agents that know every seeded defect, and
 * that lie, fail, hang, are limited and are killed on the way. The oracle knows the seeds and what each
 * answer was spoiled with, and nothing of the core.
 */
const SEED = Number(process.env['CASEFILE_SOAK_SEED'] ?? 20261130);
const LIE_NAMES = Object.keys(LIES);

test.each(LIE_NAMES)('%s: it is named, and nothing that is true is lost', async (lie) => {
  let told = 0;
  for (let round = 0; round < 4; round += 1) {
    const random = createSeededRandom(SEED + round);
    const seeded = seedRepository(random);
    const played = play(seeded, random, () => [lie]);
    told += judge(seeded, await playAudit(played.scenario, []), played.told);
  }
  // A lie that nobody could tell would show nothing.
  expect(told).toBeGreaterThan(0);
});

test('through lies, crashes, limits, hangs and lost power every defect is told once, nothing else is, and every lie is named', async () => {
  const lies = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = createSeededRandom(SEED * 7 + round);
    const seeded = seedRepository(random);
    const { scenario, told } = play(seeded, random, () =>
      Array.from({ length: random.below(4) }, () =>
        random.oneIn(3)
          ? (TROUBLES[random.below(TROUBLES.length)] as Behaviour)
          : (LIE_NAMES[random.below(LIE_NAMES.length)] as string),
      ),
    );
    const cuts: readonly Cut[] = round % 2 === 0 ? [] : drawCuts(SEED + round, 600);
    judge(seeded, await playAudit(scenario, cuts), told);
    for (const { lie } of told.values()) lies.set(lie, (lies.get(lie) ?? 0) + 1);
  }
  expect([...lies.keys()].toSorted()).toEqual(expect.arrayContaining(LIE_NAMES.toSorted()));
});

const ROUNDS = Math.max(60, Number(process.env['CASEFILE_SOAK_POINTS'] ?? 6000) / 50);
const TROUBLES: readonly Behaviour[] = ['crashes', 'hangs', 'limited', 'garbage'];

/** A scenario in which each packet's agents do as drawn, launch after launch, and are honest at last. */
const play = (
  seeded: Seeded,
  random: SeededRandom,
  draw: () => readonly string[],
): { readonly scenario: Scenario; readonly told: ReadonlyMap<string, ToldAnswer> } => {
  const told = new Map<string, ToldAnswer>();
  const steps = new Map(Object.keys(seeded.files).map((path) => [path, draw()]));
  const scenario: Scenario = {
    name: 'seeded defects',
    files: seeded.files,
    behave: (path, launch) => {
      const step = steps.get(path)?.[launch - 1];
      if (step !== undefined && !(step in LIES)) return step as Behaviour;
      return (brief) => {
        const honest = honestAnswer(brief, seeded);
        const lie = step === undefined ? undefined : (LIES[step] as Lie);
        const answer = lie?.({ honest, brief, seeded, random, number: told.size + 1 });
        if (step === undefined || answer === undefined) return Buffer.from(JSON.stringify(honest));
        told.set(sha256Hex(answer.bytes), { ...answer, lie: step });
        return answer.bytes;
      };
    },
    ceiling: 2,
    attemptsMax: 9,
  };
  return { scenario, told };
};

type Reported = {
  readonly findings: readonly {
    readonly title: string;
    readonly category: string;
    readonly severity: string;
    readonly place: { readonly path: string; readonly line: number };
    readonly quote: string;
    readonly anchored: boolean;
    readonly stated?: { readonly line?: number };
    readonly verdict: string;
  }[];
};

/** Recall and precision 1.0, and each lie that was judged is named; returns how many were. */
const judge = (seeded: Seeded, outcome: Outcome, told: ReadonlyMap<string, ToldAnswer>): number => {
  const { findings } = outcome.report as Reported;
  const places = findings
    .filter(({ anchored }) => anchored)
    .map(({ place, category, severity, quote }) =>
      [place.path, place.line, category, severity, quote].join(' '),
    );
  const expected = seeded.defects.map(({ path, line, category, severity, quote }) =>
    [path, line, category, severity, quote].join(' '),
  );
  expect(places.toSorted()).toEqual(expected.toSorted());
  expect(outcome.how).toBe('full');
  expect(findings.filter(({ verdict }) => verdict === 'confirmed')).toEqual([]);

  let judged = 0;
  for (const [of, digest] of judgedAnswers(outcome.commits)) {
    const one = told.get(digest);
    if (one === undefined) continue;
    judged += 1;
    const named = namedOf(outcome.commits, of, findings);
    // What comes for settled tasks changes nothing, and is told as that.
    const isTooLate = named.codes.has('conflicting-answer') || named.codes.has('already-settled');
    const seen = [...named.codes, ...named.repairs].join(', ');
    expect(one.isNamed(named) || isTooLate, `${one.lie}: ${seen}`).toBe(true);
  }
  return judged;
};

/** Each answer that was judged: the number of the event that brought it, and the digest of its bytes. */
const judgedAnswers = (commits: readonly Commit[]): [number, string][] => {
  const settled = new Set(
    eventsIn(commits).flatMap(([, event]) =>
      event.type === 'ResultAccepted' || event.type === 'ResultRejected' ? [event.of] : [],
    ),
  );
  return eventsIn(commits).flatMap(([number, event]): [number, string][] =>
    (event.type === 'AttemptEnded' || event.type === 'AnswersImported') &&
    event.answer !== undefined &&
    settled.has(number as never)
      ? [[number, event.answer.digest]]
      : [],
  );
};

const eventsIn = (commits: readonly Commit[]) =>
  commits.flatMap(({ seq, events }) => events.map((event, index) => [seq + index, event] as const));

const namedOf = (commits: readonly Commit[], of: number, findings: Reported['findings']): Named => {
  const codes = new Set<string>();
  const repairs: string[] = [];
  for (const [, event] of eventsIn(commits)) {
    if (event.type === 'ResultRejected' && event.of === of) codes.add(event.code);
    if (event.type !== 'ResultAccepted' || event.of !== of) continue;
    for (const code of Object.keys(event.quarantined ?? {})) codes.add(code);
    repairs.push(...(event.repaired ?? []));
  }
  return {
    codes,
    repairs,
    notAnchored: new Set(findings.filter(({ anchored }) => !anchored).map(({ title }) => title)),
    restated: new Set(
      findings.flatMap(({ place, stated }) =>
        stated?.line === undefined ? [] : [`${place.path}:${stated.line}`],
      ),
    ),
  };
};
