import { basename } from 'node:path';
import { isNode, lineOf, parse, textOf, walk, type Node } from './syntax.ts';

/** What the persisted chart must not hold: it is lost on restore, or runs again. */
const FORBIDDEN_KEYS = ['after', 'invoke', 'entry', 'exit', 'spawn', 'delay', 'delays', 'actors'];
/** With these two, `spawn`, `sendTo`, `raise` and their kin cannot even be named. */
const ALLOWED_IMPORTS = ['setup', 'assign'];
const ALLOWED_SETUP = ['types', 'guards', 'actions'];
/** Keys whose value names something: one string, or several. */
const NAMING_KEYS = ['guard', 'actions', 'target'];

/**
 * Checks that a machine file is what Stately's readers and our replay need: one machine,
 * `export const xMachine = setup({...}).createMachine({...})`, and a literal that is whole and static.
 *
 * @returns one sentence for each problem, with its line.
 */
export const chartProblems = (file: string, text: string): readonly string[] => {
  const program = parse(file, text);
  const nodes = [...walk(program)];
  const problems: string[] = [];
  const report = (node: Node, sentence: string): void => {
    problems.push(`${file}:${lineOf(text, node)} ${sentence}`);
  };

  for (const node of nodes) {
    if (node.type === 'ImportDeclaration' && textOf(node['source']) === 'xstate') {
      for (const specifier of node['specifiers'] as Node[]) {
        const name = textOf(specifier['imported']) ?? '*';
        if (!ALLOWED_IMPORTS.includes(name)) report(specifier, `imports ${name} of xstate`);
      }
    }
  }

  const made = nodes.filter((node) => calls(node, 'createMachine'));
  const [machine] = made;
  if (machine === undefined || made.length > 1) {
    report(machine ?? program, `has ${made.length} machines; a file has one`);
    return problems;
  }
  const name = `${basename(file).replace(/\.machine\.ts$/, '')}Machine`;
  if (!isExported(program, name, machine)) report(machine, `is not \`export const ${name} = …\``);

  const setup = (machine['callee'] as Node)['object'];
  if (!isNode(setup) || textOf(setup['callee']) !== 'setup') {
    report(machine, 'is not setup({...}).createMachine({...})');
  } else {
    const [given] = setup['arguments'] as Node[];
    for (const property of (given?.['properties'] ?? []) as Node[]) {
      const key = textOf(property['key']);
      if (key === undefined || !ALLOWED_SETUP.includes(key)) report(property, `sets up ${key}`);
    }
  }

  const [literal] = machine['arguments'] as Node[];
  if (literal === undefined) report(machine, 'gives createMachine nothing');
  else checkValue(literal, report);
  return problems;
};

const calls = (node: Node, method: string): boolean =>
  node.type === 'CallExpression' &&
  isNode(node['callee']) &&
  textOf(node['callee']['property'] ?? node['callee']) === method;

const isExported = (program: Node, name: string, machine: Node): boolean =>
  (program['body'] as Node[]).some(
    (statement) =>
      statement.type === 'ExportNamedDeclaration' &&
      isNode(statement['declaration']) &&
      statement['declaration']['kind'] === 'const' &&
      (statement['declaration']['declarations'] as Node[]).some(
        (declared) => textOf(declared['id']) === name && declared['init'] === machine,
      ),
  );

type Report = (node: Node, sentence: string) => void;

const checkValue = (value: Node, report: Report): void => {
  if (value.type === 'ArrayExpression') {
    for (const element of value['elements'] as Node[]) checkValue(element, report);
    return;
  }
  if (value.type === 'ObjectExpression') {
    for (const property of value['properties'] as Node[]) checkProperty(property, report);
    return;
  }
  if (value.type !== 'Literal') report(value, `holds a ${value.type} where a literal belongs`);
};

const checkProperty = (property: Node, report: Report): void => {
  if (property.type !== 'Property' || property['computed'] === true) {
    report(property, 'holds a spread or a computed key');
    return;
  }
  if (property['shorthand'] === true || property['method'] === true) {
    report(property, 'holds a shorthand or a method');
    return;
  }
  const key = textOf(property['key']) ?? '';
  const value = property['value'] as Node;
  if (FORBIDDEN_KEYS.includes(key)) report(property, `holds ${key}`);
  if (NAMING_KEYS.includes(key)) {
    const named = value.type === 'ArrayExpression' ? (value['elements'] as Node[]) : [value];
    for (const one of named)
      if (typeof one['value'] !== 'string') report(one, `gives ${key} something but a name`);
    return;
  }
  if (key === 'on')
    for (const event of (value['properties'] ?? []) as Node[]) checkEvent(event, report);
  checkValue(value, report);
};

/** `on: {X: {}}` looks like "nothing happens" and means "X is forbidden here". */
const checkEvent = (event: Node, report: Report): void => {
  const choices = [event['value']].flatMap((value) =>
    isNode(value) && value.type === 'ArrayExpression' ? (value['elements'] as Node[]) : [value],
  );
  for (const choice of choices)
    if (isNode(choice) && choice.type === 'ObjectExpression') {
      const keys = (choice['properties'] as Node[]).map(({ key }) => textOf(key));
      if (!keys.includes('target') && !keys.includes('actions'))
        report(choice, 'takes an event with neither a target nor an action');
    }
};
