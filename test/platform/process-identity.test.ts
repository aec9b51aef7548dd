import { describe, expect, test } from 'vitest';
import {
  isProvenDead,
  ownIdentity,
  processStartTime,
} from '../../src/platform/process-identity.ts';
import type { ProcessIdentity } from '../../src/platform/process-identity.ts';
import { outputOf } from '../../src/platform/subprocess.ts';

test('a process knows itself, twice the same, and is alive', async () => {
  const self = await ownIdentity(outputOf);
  expect(self.pid).toBe(process.pid);
  expect(await ownIdentity(outputOf)).toEqual(self);
  expect(await isProvenDead(self, self, (pid) => processStartTime(pid, outputOf))).toBe(false);
});

test('nobody has started under a pid that is not in use', async () => {
  expect(await processStartTime(2 ** 30, outputOf)).toBeUndefined();
});

describe('an owner', () => {
  const self: ProcessIdentity = {
    pid: 7,
    startTime: '100',
    bootId: 'boot',
    pidNamespace: 'pid:[1]',
    host: 'here',
  };
  const owner: ProcessIdentity = { ...self, pid: 8, startTime: '50' };
  const started = (startTime: string | undefined) => async () => startTime;

  test('is dead when its pid is free or belongs to a process that started at another time', async () => {
    expect(await isProvenDead(owner, self, started(undefined))).toBe(true);
    expect(await isProvenDead(owner, self, started('51'))).toBe(true);
    expect(await isProvenDead(owner, self, started('50'))).toBe(false);
  });

  test('of another host, boot or pid namespace is never proven dead from here', async () => {
    for (const other of [{ host: 'there' }, { bootId: 'later' }, { pidNamespace: 'pid:[2]' }]) {
      expect(await isProvenDead({ ...owner, ...other }, self, started(undefined))).toBe(false);
    }
  });
});
