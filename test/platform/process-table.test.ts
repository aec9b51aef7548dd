import { describe, expect, test } from 'vitest';
import { markersInPs, rowsInPs } from '../../src/platform/process-table.ts';

describe('processes as ps lists them', () => {
  test('have a group, and zombies are told apart', () => {
    const output = '    1     1 Ss\n  210   210 S+\n  211   210 Z\n';
    expect(rowsInPs(output)).toEqual([
      { pid: 1, group: 1, isZombie: false },
      { pid: 210, group: 210, isZombie: false },
      { pid: 211, group: 210, isZombie: true },
    ]);
  });

  test('have a marker where their environment shows one, whole', () => {
    const output = [
      '  100 node worker.mjs --flag PATH=/bin CASEFILE_ATTEMPT=20261130T101400123Z-1f3c9a:17 LANG=C',
      '  101 node worker.mjs CASEFILE_ATTEMPT=20261130T101400123Z-1f3c9a:171',
      '  102 grep NOT_CASEFILE_ATTEMPT=x',
      '',
    ].join('\n');
    expect(markersInPs(output)).toEqual([
      { pid: 100, marker: '20261130T101400123Z-1f3c9a:17' },
      { pid: 101, marker: '20261130T101400123Z-1f3c9a:171' },
    ]);
  });
});
