import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { initialTransition, type AnyStateMachine } from 'xstate';
import { auditMachine } from '../../machines/audit.machine.ts';
import { EVENT_TYPES } from '../../src/domain/events.ts';
import { OBLIGATIONS, STAGES } from '../../src/domain/vocabulary.ts';
import { PROJECT } from '../helpers/built-paths.ts';
import { sourceFiles } from './room-table.ts';
import { chartProblems } from './static-chart.ts';

const files = sourceFiles('machines');

describe.each(files)('%s', (file) => {
  test('holds one static chart without timers, calls or entry actions', () => {
    expect(basename(file)).toMatch(/^[a-z-]+\.machine\.ts$/);
    expect(chartProblems(file, readFileSync(join(PROJECT, file), 'utf8'))).toEqual([]);
  });

  test('builds, and starts without an input', async () => {
    const name = `${basename(file, '.machine.ts')}Machine`;
    const machine = ((await import(join(PROJECT, file))) as Record<string, AnyStateMachine>)[name]!;
    const [snapshot, actions] = initialTransition(machine);
    expect(snapshot.status).toBe('active');
    expect(actions).toEqual([]);
    expect(`${machine.id}Machine`).toBe(name);
  });
});

const chart = (literal: string, before = `import { assign, setup } from 'xstate';`): string =>
  `${before}\nconst a = 'a';\nexport const xMachine = setup({}).createMachine(${literal});\n`;

test.each([
  ['a spread', chart(`{ states: { ...a } }`), 'spread'],
  ['a call', chart(`{ states: { a: make() } }`), 'CallExpression'],
  ['a name for a value', chart(`{ initial: a }`), 'Identifier'],
  ['a shorthand', chart(`{ a }`), 'shorthand'],
  ['a computed key', chart(`{ states: { [a]: {} } }`), 'computed key'],
  ['a template', chart('{ initial: `a` }'), 'TemplateLiteral'],
  ['a literal from elsewhere', chart('a'), 'Identifier'],
  ['a function for a guard', chart(`{ on: { X: { target: 'a', guard: () => true } } }`), 'guard'],
  ['a function for an action', chart(`{ on: { X: { actions: [() => 1] } } }`), 'actions'],
  [
    'a guard with parameters',
    chart(`{ always: [{ guard: { type: 'g' }, target: 'a' }] }`),
    'guard',
  ],
  ['a timer', chart(`{ states: { a: { after: { 1000: 'b' } } } }`), 'after'],
  ['a call to an actor', chart(`{ states: { a: { invoke: { src: 'x' } } } }`), 'invoke'],
  ['an entry action', chart(`{ states: { a: { entry: 'x' } } }`), 'entry'],
  ['an exit action', chart(`{ states: { a: { exit: 'x' } } }`), 'exit'],
  ['a forbidden event', chart(`{ on: { X: {} } }`), 'neither a target nor an action'],
  ['a raised event', chart(`{}`, `import { raise, setup } from 'xstate';`), 'imports raise'],
  ['a sent event', chart(`{}`, `import { sendTo, setup } from 'xstate';`), 'imports sendTo'],
  ['all of xstate', chart(`{}`, `import * as xstate from 'xstate';`), 'imports *'],
  ['actors', chart(`{}`).replace('setup({})', 'setup({ actors: {} })'), 'sets up actors'],
  ['delays', chart(`{}`).replace('setup({})', 'setup({ delays: {} })'), 'sets up delays'],
  ['two machines', `${chart('{}')}const y = setup({}).createMachine({});`, '2 machines'],
  ['no machine', 'export const x = 1;', '0 machines'],
  ['another name', chart('{}').replace('xMachine', 'yMachine'), 'is not `export const xMachine'],
  ['no setup', chart('{}').replace('setup({}).', ''), 'is not setup'],
])('a chart with %s is refused', (_what, text, words) => {
  expect(chartProblems('x.machine.ts', text).join('\n')).toContain(words);
});

test('a static chart is not refused', () => {
  const literal = `{ id: 'x', context: { ready: false }, initial: 'a', states: {
    a: { always: [{ guard: 'g', target: 'b' }], on: { X: { actions: 'keep' }, Y: 'b' } },
    b: { type: 'final' } } }`;
  expect(chartProblems('x.machine.ts', chart(literal))).toEqual([]);
});

describe('the audit chart is the one priority list', () => {
  const deriving = auditMachine.root.states['deriving']!;
  const choices = deriving.states['choosing']!.always ?? [];

  test('deriving has one substate for each stage, in the order of the vocabulary', () => {
    expect(Object.keys(deriving.states)).toEqual(['choosing', ...STAGES, 'finishing']);
  });

  test('choosing asks for the obligations in their order, and finishes when nothing is left', () => {
    // The narrative is a packet: while it is open, work is open.
    const places = OBLIGATIONS.filter((obligation) => obligation !== 'narrative').map(
      (obligation) =>
        obligation === 'ingestion'
          ? 'ingesting'
          : obligation === 'review'
            ? 'dispatching'
            : `deriving.${obligation}`,
    );
    expect(choices.map(({ target }) => target?.[0]?.path.join('.'))).toEqual([
      ...places,
      'deriving.finishing',
    ]);
  });

  test('each stage is entered by the guard that carries its name', () => {
    const guards = new Map(choices.map(({ target, guard }) => [target?.[0]?.key, guard]));
    for (const stage of STAGES) expect(guards.get(stage), stage).toBe(`${stage}Missing`);
    expect(guards.get('finishing')).toBeUndefined();
  });

  test('its chart events bear the names of the events in the log', () => {
    const known: readonly string[] = EVENT_TYPES;
    expect(auditMachine.events.filter((name) => !known.includes(name))).toEqual([]);
  });
});
