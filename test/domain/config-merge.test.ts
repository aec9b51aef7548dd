import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONFIG_KEYS, config, repositoryConfig } from '../../src/domain/config.ts';
import {
  mergeConfiguration,
  stricterGate,
  valuesOf,
  type Layer,
  type SettingValues,
} from '../../src/domain/config-merge.ts';
import { gateSeverity } from '../../src/domain/vocabulary.ts';
import { arbitraryRepository, arbitraryValues } from '../helpers/arbitrary-config.ts';

const layer = (source: Layer['source'], values: SettingValues): Layer => ({ source, values });

describe('of several layers', () => {
  test('a key is what the first layer says that says it at all, and its source is told', () => {
    fc.assert(
      fc.property(arbitraryValues, arbitraryValues, arbitraryValues, (flag, session, user) => {
        const { values, sources } = mergeConfiguration(
          [layer('flag', flag), layer('session-config', session), layer('user', user)],
          undefined,
        );
        for (const key of CONFIG_KEYS) {
          const [said] = (
            [
              ['flag', flag],
              ['session-config', session],
              ['user', user],
            ] as const
          ).filter(([, one]) => one[key] !== undefined);
          if (key !== 'host') expect(values[key]).toEqual(said?.[1][key]);
          expect(sources[key]).toEqual([said?.[0] ?? 'default']);
        }
      }),
    );
  });

  test('layers that say different keys may stand in any order', () => {
    fc.assert(
      fc.property(arbitraryValues, (values) => {
        const layers = Object.entries(values).map(([key, value]) =>
          layer('user', { [key]: value }),
        );
        const merged = mergeConfiguration(layers, undefined);
        expect(mergeConfiguration(layers.toReversed(), undefined)).toEqual(merged);
      }),
    );
  });

  test('each capability of a host is a setting of its own', () => {
    const { values } = mergeConfiguration(
      [
        layer('flag', { host: { canDispatchSubagents: false, maxActiveSubagents: undefined } }),
        layer('user', { host: { canDispatchSubagents: true, maxActiveSubagents: 4 } }),
      ],
      undefined,
    );
    expect(values.host).toEqual({ canDispatchSubagents: false, maxActiveSubagents: 4 });
  });

  test('a flag that says what the default is still wins over a file', () => {
    const { values } = mergeConfiguration(
      [layer('flag', { grace: 5000, wait: false }), layer('user', { grace: 0, wait: true })],
      undefined,
    );
    expect(values).toMatchObject({ grace: 5000, wait: false });
  });
});

describe('the repository', () => {
  test('changes nothing that the user says, but for asking for a complete audit', () => {
    fc.assert(
      fc.property(arbitraryValues, arbitraryRepository, (user, repository) => {
        const without = mergeConfiguration([layer('user', user)], undefined).values;
        const { values } = mergeConfiguration([layer('user', user)], repository);
        const { requireComplete: before, ...others } = without;
        const { requireComplete: after, ...now } = values;
        expect(now).toEqual(others);
        expect(after).toBe(repository.requireComplete === true ? true : before);
      }),
    );
  });

  test('is told when it asks for a looser gate and does not get it', () => {
    const { notices, sources } = mergeConfiguration([], { failOn: 'none' });
    expect(notices).toEqual([expect.stringMatching(/gate "none", which is looser than "high"/)]);
    expect(sources.failOn).toEqual(['default']);
  });

  test('stands among the sources where it has its way', () => {
    const { sources, notices } = mergeConfiguration([layer('flag', { failOn: 'critical' })], {
      failOn: 'medium',
      lenses: ['security'],
      include: ['src/'],
      exclude: [],
    });
    expect(sources).toMatchObject({
      failOn: ['flag', 'repository'],
      lenses: ['default', 'repository'],
      include: ['default', 'repository'],
      exclude: ['default'],
    });
    expect(notices).toEqual([expect.stringMatching(/"medium" is stricter than "critical"/)]);
  });

  test('that orders its lenses otherwise or says one twice asks the same', () => {
    const narrowing = (lenses: ('tests' | 'security')[]) =>
      mergeConfiguration([], { lenses }).narrowing;
    expect(narrowing(['tests', 'security', 'tests'])).toEqual(narrowing(['security', 'tests']));
  });
});

test('of two gates the stricter is the one that fails on more, whichever comes first', () => {
  const { options } = gateSeverity;
  for (const left of options) {
    for (const right of options) {
      const stricter = stricterGate(left, right);
      expect(stricter).toBe(stricterGate(right, left));
      expect([left, right]).toContain(stricter);
    }
    expect(stricterGate(left, 'none')).toBe(left);
    expect(stricterGate(left, 'info')).toBe('info');
  }
});

test('durations of a file are milliseconds after that, and a command of words is one text', () => {
  const read = config.parse({
    timeout: '1.5h',
    grace: 0,
    idleTimeout: 90_000,
    command: ['a', 'b c'],
  });
  expect(valuesOf(read)).toMatchObject({
    timeout: 5_400_000,
    grace: 0,
    idleTimeout: 90_000,
    command: '["a","b c"]',
  });
});

test('every key that the repository may set is a key of the user, and none of them spends or starts', () => {
  const keys = Object.keys(repositoryConfig.shape).filter((key) => key !== '$schema');
  expect(keys.toSorted()).toEqual(['exclude', 'failOn', 'include', 'lenses', 'requireComplete']);
  expect(CONFIG_KEYS).toEqual(expect.arrayContaining(keys));
});
