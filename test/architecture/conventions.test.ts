import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from '../helpers/built-paths.ts';
import { sourceFiles } from './room-table.ts';
import { isNode, lineOf, parse, textOf, walk, type Node } from './syntax.ts';

const files = sourceFiles('src', 'machines');

test('files are named in kebab-case after what they give', () => {
  const given = /^[a-z0-9]+(-[a-z0-9]+)*(\.machine)?\.ts$/;
  expect(files.filter((file) => !given.test(basename(file)))).toEqual([]);
});

test('no file is named for holding things that have no name of their own', () => {
  const vague = /(^|[-/])(utils?|helpers?|common|misc|shared|managers?|services?)([-./]|$)/;
  expect(files.filter((file) => vague.test(file.replace(/^src\//, '')))).toEqual([]);
  expect(files.filter((file) => basename(file) === 'index.ts')).toEqual([]);
});

const nodes = files.flatMap((file) => {
  const text = readFileSync(join(PROJECT, file), 'utf8');
  return [...walk(parse(file, text))].map((node) => ({ node, file, text }));
});

/** Looks at each node of each file, and lists where `finds` says yes. */
const places = (finds: (node: Node, file: string) => boolean): readonly string[] =>
  nodes
    .filter(({ node, file }) => finds(node, file))
    .map(({ node, file, text }) => `${file}:${lineOf(text, node)}`);

test('a name is imported from the file that defines it: nothing is exported again', () => {
  const again = places(
    ({ type, source }) =>
      type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && isNode(source)),
  );
  expect(again).toEqual([]);
});

test('what a stage keeps is read by something: no artifact is only written (W62)', () => {
  const inArtifacts = nodes.filter(({ file }) => file === 'src/engine/artifacts.ts');
  const { node: schemas } =
    inArtifacts.find(
      ({ node }) => node.type === 'VariableDeclarator' && textOf(node['id']) === 'SCHEMAS',
    ) ?? {};
  const kept =
    schemas === undefined ? [] : [...walk(schemas)].filter(({ type }) => type === 'Property');
  const read = new Set(
    nodes.flatMap(({ node }) => {
      if (node.type !== 'CallExpression') return [];
      const [callee, [, name]] = [node['callee'] as Node, node['arguments'] as Node[]];
      return ['get', 'find'].includes(textOf(callee['property']) ?? '') ? (textOf(name) ?? []) : [];
    }),
  );
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.map(({ key }) => textOf(key) ?? '').filter((name) => !read.has(name))).toEqual([]);
});

test('every package that the source imports is installed with the program (W46)', () => {
  const { dependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const imported = nodes.flatMap(({ node }) => {
    const source = /^(Import|Export)/.test(node.type) ? textOf(node['source']) : undefined;
    return source === undefined || /^(\.|node:)/.test(source) ? [] : [source];
  });
  const packages = imported.map((source) => /^(@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? source);
  expect(packages).toContain('@ast-grep/napi');
  expect(packages.filter((name) => !(name in dependencies))).toEqual([]);
});

test('a class is an error; everything else is data and functions', () => {
  const classes = places(
    ({ type, superClass }) =>
      (type === 'ClassDeclaration' || type === 'ClassExpression') &&
      !textOf(superClass)?.endsWith('Error') &&
      textOf(superClass) !== 'InvariantViolation',
  );
  expect(classes).toEqual([]);
});

test('only the door reads arguments, writes to the streams and ends the process', () => {
  const own = ['stdout', 'stderr', 'argv', 'exit', 'exitCode'];
  const elsewhere = places(
    ({ type, object, property }, file) =>
      type === 'MemberExpression' &&
      textOf(object) === 'process' &&
      own.includes(textOf(property) ?? '') &&
      !file.startsWith('src/cli/'),
  );
  expect(elsewhere).toEqual([]);
});

/**
 * The copy of the audited tree in a cache folder is made again when it is half-made. What `gc` cleans
 * goes through one guarded place, which trusts no path that it is given.
 */
const DELETING = ['src/platform/frozen-tree.ts', 'src/platform/remove-folder.ts'];

test('nothing in the source deletes a folder with what is in it, but for the copy it made itself (R1, R2, R34)', () => {
  const deletes = /^(rm|rmSync|rmdir|rmdirSync|remove)$/;
  const whole = places((node, file) => {
    if (node.type !== 'CallExpression' || DELETING.includes(file)) return false;
    const callee = node['callee'] as Node;
    if (!deletes.test(textOf(callee['property'] ?? callee) ?? '')) return false;
    return (node['arguments'] as Node[])
      .flatMap((argument) => (argument['properties'] ?? []) as Node[])
      .some(({ key }) => textOf(key) === 'recursive');
  });
  expect(whole).toEqual([]);
});

test('only the explicit cleaning uses the guarded place (R34)', () => {
  const users = places(
    ({ type, source }, file) =>
      type === 'ImportDeclaration' &&
      String((source as Node | undefined)?.['value']).endsWith('/remove-folder.ts') &&
      file !== 'src/cli/clean-audits.ts',
  );
  expect(users).toEqual([]);
});

test('no rule over a syntax tree asks for what is around a node: in a deep one the way there is as long as the tree', () => {
  const around = places(
    ({ type, key }, file) =>
      file.startsWith('src/pipeline/imports/') &&
      type === 'Property' &&
      isNode(key) &&
      ['inside', 'stopBy', 'follows', 'precedes'].includes(String(key['name'])),
  );
  expect(around).toEqual([]);
});
