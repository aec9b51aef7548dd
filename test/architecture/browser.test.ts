import { join } from 'node:path';
import { build, type Rollup } from 'vite';
import { expect, test } from 'vitest';
import { PROJECT } from '../helpers/built-paths.ts';
import { folderOf, roomsOfRule, sourceFiles } from './room-table.ts';

const rooms = roomsOfRule('browser-rooms-know-no-node');

/** Bundles an entry for a browser, and lists what it would need of Node. */
const bundle = async (
  code: string,
): Promise<{ readonly size: number; readonly node: string[] }> => {
  const node: string[] = [];
  const output = (await build({
    root: PROJECT,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, rollupOptions: { input: 'entry', treeshake: false } },
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id, importer) => {
          if (id === 'entry') return '\0entry';
          // Vite would put an empty stand-in here, and the page would break when it runs.
          if (id.startsWith('node:')) node.push(`${id} in ${importer}`);
          return undefined;
        },
        load: (id) => (id === '\0entry' ? code : undefined),
      },
    ],
  })) as Rollup.RollupOutput;
  const size = output.output.reduce(
    (sum, part) => sum + ('code' in part ? part.code.length : 0),
    0,
  );
  return { size, node };
};

test("the inspector's page can run the whole core: words, charts, decider, scheduler and views", async () => {
  const files = sourceFiles(...rooms.map(folderOf));
  const imports = files.map((file, at) => `import * as f${at} from '${join(PROJECT, file)}';`);
  const { size, node } = await bundle(
    `${imports.join('\n')}\nconsole.log(${files.map((_, at) => `f${at}`).join(',')});`,
  );
  expect(node).toEqual([]);
  expect(size).toBeGreaterThan(10_000);
});

test('a room that needs Node would be noticed', async () => {
  const file = join(PROJECT, 'src/platform/clock.ts');
  const { node } = await bundle(`import * as clock from '${file}'; console.log(clock);`);
  expect(node).toEqual([`node:timers/promises in ${file}`]);
});
