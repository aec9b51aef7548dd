import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childEnvironment } from '../../src/platform/child-environment.ts';

describe('the environment of a child', () => {
  test('has what finds programs, user, language and network, and no key of ours', () => {
    const own = {
      PATH: '/bin',
      HOME: '/home/me',
      LC_TIME: 'C',
      HTTPS_PROXY: 'http://proxy:3128',
      OPENAI_API_KEY: 'sk-mine',
      NODE_OPTIONS: '--require ./x.js',
      GIT_DIR: '/elsewhere',
      CASEFILE_ATTEMPT: 'outer:1',
    };
    expect(Object.keys(childEnvironment({}, own)).toSorted()).toEqual([
      'HOME',
      'HTTPS_PROXY',
      'LC_TIME',
      'PATH',
    ]);
  });

  test('what is given wins over what is inherited, and undefined takes away', () => {
    const own = { PATH: '/bin', HOME: '/home/me' };
    expect(childEnvironment({ PATH: '/opt', HOME: undefined, MINE: '1' }, own)).toEqual({
      PATH: '/opt',
      MINE: '1',
    });
  });

  test('a variable with any other name never gets through', () => {
    const name = fc.string({ minLength: 1 }).map((text) => `X_${text}`);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (own) => {
        expect(childEnvironment({}, own)).toEqual({});
      }),
    );
  });
});
