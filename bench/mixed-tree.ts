/**
 * Source trees of any size, the same on every machine: packages of 250 files in the languages that
 * imports are followed in, with prose and data between them, imports that lead somewhere, and a few
 * files that are larger than a packet. What is around a file does not depend on how many there are.
 */
export type TreeFile = readonly [path: string, text: string];

const PACKAGE_FILES = 250;
/** One file in so many is larger than a packet. */
const LARGE_ONE_IN = 250;

export const mixedTree = function* (count: number): Generator<TreeFile> {
  yield ['package.json', json({ name: 'mixed', private: true, workspaces: ['packages/*'] })];
  for (let at = 1; at < count; at += 1) {
    const number = Math.floor(at / PACKAGE_FILES);
    const own = at % PACKAGE_FILES;
    yield fileOf({ number, own, at });
  }
};

/** So many Python modules in packages of 50, each with so many imports. */
export const pythonTree = function* (count: number, imports: number): Generator<TreeFile> {
  const nameOf = (at: number): readonly [string, string] => [
    `area_${Math.floor(at / 50)}`,
    `module_${at}`,
  ];
  for (let area = 0; area * 50 < count; area += 1) yield [`app/area_${area}/__init__.py`, ''];
  yield ['app/__init__.py', ''];
  for (let at = 0; at < count; at += 1) {
    const needed = Array.from({ length: imports }, (_, n) =>
      nameOf((at * 7 + n * 131 + 1) % count),
    );
    const [folder, name] = nameOf(at);
    const lines = needed.map(([area, module], n) =>
      n % 2 === 0 ? `from app.${area} import ${module}` : `import app.${area}.${module}`,
    );
    yield [`app/${folder}/${name}.py`, `${lines.join('\n')}\n\n\n${python(at, 4)}`];
  }
};

type Place = {
  readonly number: number;
  /** Within the package. */
  readonly own: number;
  readonly at: number;
};

type Maker = (place: Place, size: number) => TreeFile;

const fileOf = (place: Place): TreeFile => {
  const { own, at, number } = place;
  if (own === 0) {
    const name = `@mixed/p${number}`;
    return [
      `${folderOf(number)}/package.json`,
      json({ name, version: '1.0.0', main: 'src/m1.ts' }),
    ];
  }
  if (own === 2)
    return [`${folderOf(number)}/go.mod`, `module example.org/p${number}\n\ngo 1.22\n`];
  const kind = KINDS[own % KINDS.length] ?? typescript;
  return kind(place, at % LARGE_ONE_IN === 17 ? 900 : 3 + ((at * 7919) % 23));
};

const folderOf = (number: number): string => `packages/p${number}`;

/** The file of the same kind that stands some rounds before, in the same package. */
const before = ({ own }: Place, rounds: number): number => {
  const other = own - rounds * KINDS.length;
  return other > 2 ? other : own;
};

const typescript: Maker = (place, size) => {
  const { own, number } = place;
  const imports = [1, 2, 5].map(
    (rounds) => `import { f${before(place, rounds)} } from './m${before(place, rounds)}.js';`,
  );
  const cross = number > 0 ? [`import { f1 } from '@mixed/p${number - 1}';`] : [];
  return [
    `${folderOf(number)}/src/m${own}.ts`,
    `${[...imports, ...cross].join('\n')}\n\nexport const f${own} = (n: number): number => n;\n${script(own, size, ': number')}`,
  ];
};

const javascript: Maker = (place, size) => [
  `${folderOf(place.number)}/lib/m${place.own}.js`,
  `const a = require('./m${before(place, 1)}');\nconst b = require('./m${before(place, 3)}.js');\n\nmodule.exports = { a, b };\n${script(place.own, size, '').replaceAll('export ', '')}`,
];

const unitTest: Maker = (place) => [
  `${folderOf(place.number)}/test/m${place.own}.test.ts`,
  `import { f${before(place, 2)} } from '../src/m${before(place, 2)}.js';\n\ntest('m${place.own}', () => {\n  expect(f${before(place, 2)}(1)).toBe(1);\n});\n`,
];

const pythonModule: Maker = (place, size) => [
  `${folderOf(place.number)}/py/m${place.own}.py`,
  `from . import m${before(place, 1)}\nfrom .m${before(place, 4)} import f0\nimport os\n\n\n${python(place.own, size)}`,
];

const goFile: Maker = (place, size) => {
  const folder = `g${Math.floor(place.own / 60)}`;
  const lines = Array.from(
    { length: size },
    (_, n) =>
      `func F${place.own}x${n}(n int) int {\n\tif n > ${n} {\n\t\treturn n\n\t}\n\treturn n + ${n}\n}\n`,
  );
  const other = `example.org/p${place.number}/g0`;
  const imports = folder === 'g0' ? '' : `import "${other}"\n\nvar _ = g0.F13x0\n\n`;
  return [
    `${folderOf(place.number)}/${folder}/m${place.own}.go`,
    `package ${folder}\n\n${imports}${lines.join('\n')}`,
  ];
};

const javaClass: Maker = (place, size) => {
  const name = `org.mixed.p${place.number}`;
  const methods = Array.from(
    { length: size },
    (_, n) => `  int f${n}(int n) {\n    return n > ${n} ? n : n + ${n};\n  }\n`,
  );
  return [
    `${folderOf(place.number)}/src/main/java/org/mixed/p${place.number}/M${place.own}.java`,
    `package ${name};\n\nimport ${name}.M${before(place, 1)};\nimport java.util.List;\n\npublic class M${place.own} {\n${methods.join('\n')}}\n`,
  ];
};

const rubyFile: Maker = (place, size) => {
  const methods = Array.from(
    { length: size },
    (_, n) => `def f${place.own}_${n}(n)\n  n + ${n}\nend\n`,
  );
  return [
    `${folderOf(place.number)}/ruby/m${place.own}.rb`,
    `require_relative 'm${before(place, 1)}'\n\n${methods.join('\n')}`,
  ];
};

const prose: Maker = (place, size) => [
  `${folderOf(place.number)}/docs/m${place.own}.md`,
  `# Notes ${place.own}\n\n${Array.from({ length: size }, (_, n) => `Paragraph ${n} of the notes tells how module ${place.own} is meant to be used, and why.\n`).join('\n')}`,
];

const data: Maker = (place, size) => [
  `${folderOf(place.number)}/data/m${place.own}.json`,
  json(
    Array.from({ length: size * 2 }, (_, n) => ({ id: n, name: `item ${n}`, module: place.own })),
  ),
];

const KINDS: readonly Maker[] = [
  prose,
  typescript,
  javascript,
  typescript,
  pythonModule,
  goFile,
  typescript,
  javaClass,
  unitTest,
  pythonModule,
  rubyFile,
  typescript,
  data,
];

const script = (own: number, size: number, type: string): string =>
  Array.from(
    { length: size },
    (_, n) =>
      `export const g${own}x${n} = (n${type}) => {\n  // Twice, unless it is small.\n  if (n < ${n}) return n;\n  return n * ${n + 2};\n};\n`,
  ).join('\n');

const python = (own: number, size: number): string =>
  Array.from(
    { length: size },
    (_, n) =>
      `def f${n}(n):\n    """Adds ${own}."""\n    if n > ${n}:\n        return n\n    return n + ${own}\n`,
  ).join('\n\n');

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
