import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import { decide } from '../../src/decider/decide.ts';
import { plan } from '../../src/decider/plan.ts';
import type { AuditState } from '../../src/decider/state.ts';
import { whyOf } from '../../src/decider/views.ts';
import {
  accepts,
  advance,
  derives,
  handsIn,
  judges,
  LATER,
  opensInput,
  receives,
  refuses,
} from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { blob, packet, packetIdOf, planned } from '../helpers/samples.ts';
import { after, answers, completed, reviewed, takesAll } from '../helpers/whole-audit.ts';

/** The number of the first event after the plan: the input. */
const INPUT = 12;
const two = planned([[1], [2]]);
const held = after(two, receives('by hand'));
const placed = (text: string, packet: number): Command =>
  ({ ...receives(text), packet: packetIdOf(packet) }) as Command;
const ofTool = (text: string): Command =>
  ({ ...receives(text), kind: 'analyzer-results' }) as Command;
const opensNothing = (of: number): Command => ({
  type: 'ReportInput',
  of,
  packets: [],
  refused: [{ code: 'wrong-shape', message: 'It is no answer.' }],
  now: LATER,
});

describe('what is handed in', () => {
  test('is recorded before anything is said of it', () => {
    given(...two)
      .when(placed('by hand', 1))
      .then({
        type: 'ExternalInputReceived',
        kind: 'answers',
        name: 'by hand.json',
        content: blob('by hand'),
        packet: packetIdOf(1),
      });
  });

  test('again with the same bytes changes nothing, whether it was used or waits to be', () => {
    const used = after(held, opensInput(INPUT, [1]));
    for (const history of [held, used]) {
      given(...history)
        .when(receives('by hand'))
        .rejects('repeat');
      given(...history)
        .when(ofTool('by hand'))
        .thenTypes('ExternalInputReceived', 'ArtifactsStale');
    }
    given(...used)
      .when(placed('by hand', 2))
      .rejects('repeat');
  });

  test('that brought nothing where it lay is looked at again in the place of a packet', () => {
    const useless = after(two, placed('by hand', 2), opensNothing(INPUT));
    given(...useless)
      .when(placed('by hand', 2))
      .rejects('repeat');
    given(...useless)
      .when(placed('by hand', 1))
      .thenTypes('ExternalInputReceived');
  });

  test('after the end is taken when it is answers, and of no use when it is a tool’s', () => {
    given(...completed())
      .when(receives('late'))
      .thenTypes('ExternalInputReceived');
    given(...completed())
      .when(ofTool('late'))
      .rejects('audit-complete');
  });
});

describe('answers that were handed in', () => {
  const opens = (history: readonly AuditEvent[]) =>
    plan(given(...history).state).filter(({ type }) => type === 'OpenInput');

  test('are held until there is a plan, and opened then', () => {
    const early = after(two.slice(0, 3), receives('early'));
    expect(opens(early)).toEqual([]);
    expect(opens([...early, ...two.slice(3)])).toMatchObject([{ of: 4, content: blob('early') }]);
    expect(opens(after(two, placed('by hand', 2)))).toMatchObject([{ packet: packetIdOf(2) }]);
    expect(opens(after(two, ofTool('results')))).toEqual([]);
  });

  test('are consumed once, in the commit that imports them', () => {
    const walk = given(...held).when(opensInput(INPUT, [1, 2, 1]));
    walk.then(
      { type: 'AnswersImported', packet: packetIdOf(1), source: 'file', answersWaiting: true },
      { type: 'AnswersImported', packet: packetIdOf(2) },
      { type: 'ExternalInputConsumed', of: INPUT, imported: 2, refused: [] },
    );
    expect(walk.state.lifecycle.path).toBe('ingesting');
    given(...after(held, opensInput(INPUT, [1])))
      .when(opensInput(INPUT, [1]))
      .rejects('unknown-input');
    given(...held)
      .when(opensInput(INPUT + 1, [1]))
      .rejects('unknown-input');
  });

  test('for a packet of nobody are refused, and the others are taken', () => {
    given(...held)
      .when(opensInput(INPUT, [7, 1]))
      .then(
        { type: 'AnswersImported', packet: packetIdOf(1) },
        {
          type: 'ExternalInputConsumed',
          imported: 1,
          refused: [expect.objectContaining({ code: 'unknown-packet' }) as never],
        },
      );
  });

  test('that bring nothing change nothing but that they were looked at', () => {
    const walk = given(...held).when(opensNothing(INPUT));
    walk.then({ type: 'ExternalInputConsumed', imported: 0 });
    expect(walk.state.lifecycle.path).toBe('dispatching');
    given(...after(held, opensNothing(INPUT)))
      .when(advance())
      .thenTypes('AttemptStarted', 'AttemptStarted');
  });

  test('are opened and judged before a call is paid: they may make it needless', () => {
    given(...held)
      .when(advance())
      .thenTypes();
    expect(whyOf(given(...held).state, LATER, packetIdOf(1))).toEqual({ kind: 'answers-held' });
    const opened = after(held, opensInput(INPUT, [1]));
    given(...opened)
      .when(advance())
      .thenTypes();
    const judged = after(opened, judges(INPUT + 1, [accepts(1)]));
    given(...judged)
      .when(advance())
      .then({ type: 'AttemptStarted', packet: packetIdOf(2) });
  });

  test('that are refused use up no attempt, and their packet may start', () => {
    const refused = after(two, handsIn(1, 'rubbish'), judges(INPUT, [refuses('wrong-shape', 1)]));
    expect(given(...refused).state.packets.get(packetIdOf(1))).toMatchObject({
      counted: 0,
      attempts: 0,
      status: 'ready',
    });
    given(...refused)
      .when(advance())
      .thenTypes('AttemptStarted', 'AttemptStarted');
  });

  test('keep an audit from its end until they were looked at', () => {
    const history = after(reviewed(), receives('a second opinion'), derives);
    const { state } = given(...history);
    expect([state.lifecycle.path, state.completed]).toEqual(['deriving.finishing', undefined]);
    const of = reviewed().length + 1;
    given(...history)
      .when(opensNothing(of))
      .then({ type: 'ExternalInputConsumed' }, { type: 'AuditCompleted', how: 'full' });
    // Every task is settled: what it brings is late.
    given(...history)
      .when(opensInput(of, [1]))
      .thenTypes('AnswersImported', 'ExternalInputConsumed', 'AuditCompleted');
  });

  test('after the end are recorded as late and change nothing', () => {
    const late = after(completed(), receives('late'));
    const walk = given(...late).when(opensInput(late.length, [1]));
    walk.then(
      { type: 'AnswersImported', answersWaiting: false },
      { type: 'ExternalInputConsumed', imported: 1 },
    );
    expect([walk.state.lifecycle.path, walk.state.queue.size]).toEqual(['complete', 0]);
  });
});

describe('results of analyzers', () => {
  const staleOf = (history: readonly AuditEvent[]): readonly unknown[] =>
    history.flatMap((event) => (event.type === 'ArtifactsStale' ? [event.obligations] : []));
  /** The analyzers are asked for. */
  const begun = two.slice(0, 6);

  test('that come before the analyzers have run are used once, in the commit of what they are part of', () => {
    const early = after(begun, ofTool('results'));
    const of = early.length;
    expect([staleOf(early), given(...early).state.lifecycle.path]).toEqual([
      [],
      'deriving.enrichment',
    ]);
    const walk = given(...early);
    const used = walk.when(derives(walk.state, { consumed: [of] }));
    used.then({ type: 'ExternalInputConsumed', of, imported: 0 }, { type: 'ArtifactDerived' });
    expect(used.state.lifecycle.path).toBe('deriving.designAssessment');
    // Told once more, by whatever life, it is not used again.
    const again = after(early, (at) => derives(at, { consumed: [of, of] }));
    expect(again.filter(({ type }) => type === 'ExternalInputConsumed')).toHaveLength(1);
  });

  test('that come while the analyzers run are not lost: they are asked once more', () => {
    const late = after(begun, ofTool('one'), ofTool('two'));
    const [one, other] = [late.length - 1, late.length];
    const walk = given(...late);
    walk
      .when(derives(walk.state, { consumed: [one] }))
      .thenTypes('ExternalInputConsumed', 'ArtifactDerived', 'ArtifactsStale');
    expect(walk.state.lifecycle.path).toBe('deriving.enrichment');
    walk
      .when(derives(walk.state, { consumed: [one, other] }))
      .thenTypes('ExternalInputConsumed', 'ArtifactDerived');
    expect(walk.state.lifecycle.path).toBe('deriving.designAssessment');
  });

  test('that come after the plan make leads and prompts anew; tasks, results and leases stay', () => {
    const running = after(two, advance(), answers, takesAll);
    const late = after(running, ofTool('late'));
    const of = running.length + 1;
    expect(staleOf(late)).toEqual([['enrichment', 'planning']]);
    const before = given(...running).state;
    const open = [...before.packets.values()].find(({ openTasks }) => openTasks > 0);
    const derived = after(late, (at) => derives(at, { consumed: [of] }));
    expect(given(...derived).state.lifecycle.path).toBe('deriving.planning');
    expect(open?.lease).toBeDefined();
    const replanned = given(...after(derived, (at) => derives(at))).state;
    expect(replanned.counts.tasks).toEqual(before.counts.tasks);
    expect(replanned.leases).toEqual(before.leases);
    expect(replanned.lifecycle.path).toBe('dispatching');
  });

  test('a packet with a new prompt takes the place of the one that waits, with its attempts', () => {
    const derived = after(two, ofTool('late'), (at) => derives(at, { consumed: [INPUT] }));
    const anew = { ...packet(9, [1]), replaces: packetIdOf(1) };
    const { state } = given(...after(derived, (at) => derives(at, { packets: [anew] })));
    expect(
      [...state.packets.values()].map(({ spec, status, order }) => [spec.id, status, order]),
    ).toEqual([
      [packetIdOf(1), 'settled', 0],
      [packetIdOf(2), 'ready', 1],
      [packetIdOf(9), 'ready', 0],
    ]);
    expect([state.lifecycle.path, state.counts.tasks.open]).toEqual(['dispatching', 2]);
  });

  test('are of no use once analyzers alone have begun to judge, and what to do is said', () => {
    const byAnalyzers = planned([[1], [2]], { reviewer: 'analyzers' });
    given(...byAnalyzers)
      .when(ofTool('planned only'))
      .then(
        { type: 'ExternalInputReceived' },
        { type: 'ArtifactsStale', obligations: ['enrichment'] },
      );
    const late = given(...after(byAnalyzers, advance())).when(ofTool('late'));
    late.rejects('not-possible-now');
    const { kind, message } = refusalOf(given(...completed()).state);
    expect([kind, message]).toEqual(['rejected', expect.stringContaining('casefile run --fresh')]);
  });

  const refusalOf = (state: AuditState): { readonly kind: string; readonly message: string } => {
    const decision = decide(state, ofTool('late'));
    return {
      kind: decision.kind,
      message: decision.kind === 'rejected' ? decision.rejection.message : '',
    };
  };
});

describe('results of running the project', () => {
  const updates = (text: string): Command =>
    ({ ...receives(text), kind: 'runtime-updates' }) as Command;
  const pathOf = (history: readonly AuditEvent[]): string => given(...history).state.lifecycle.path;

  test('that came before are asked for once the review is done, and used once', () => {
    const early = after(planned([[1]]), updates('early'));
    const of = early.length;
    const done = after(early, advance(), answers, takesAll);
    expect(pathOf(done)).toBe('deriving.runtimeValidation');
    const used = after(done, (at) => derives(at, { consumed: [of] }));
    expect(used.slice(done.length)).toMatchObject([
      { type: 'ExternalInputConsumed', of },
      { type: 'ArtifactDerived', obligation: 'runtimeValidation' },
    ]);
    expect(pathOf(used)).toBe('deriving.synthesis');
  });

  test('that come when nobody was to run anything any more are asked for all the same', () => {
    const late = after(reviewed(), updates('late'));
    expect(late.at(-1)).toMatchObject({
      type: 'ArtifactsStale',
      obligations: ['runtimeValidation', 'synthesis', 'narrative'],
    });
    expect(pathOf(late)).toBe('deriving.runtimeValidation');
    const used = after(late, (at) => derives(at, { consumed: [late.length - 1] }));
    expect(pathOf(used)).toBe('deriving.synthesis');
  });

  test('with consent to the commands of the project they are asked for without any', () => {
    const asked = planned([[1]], { consent: ['commands:test'] });
    expect(pathOf(after(asked, advance(), answers, takesAll))).toBe('deriving.runtimeValidation');
  });
});
