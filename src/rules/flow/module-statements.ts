import { nameOf, type Node } from '../../pipeline/imports/ecmascript-program.ts';
import { child, children, constantText } from './ast.ts';
import { bind } from './assign.ts';
import type { Evaluation } from './evaluation.ts';
import { memberApi, moduleApi } from './module-names.ts';
import { blockNames, lookUp, type Scope } from './scope.ts';
import { NOTHING, valueOf, type Value } from './value.ts';

/** What a file takes from others by a declaration. */
export const importDeclaration = (run: Evaluation, node: Node, scope: Scope): void => {
  const specifier = constantText(child(node, 'source'));
  if (specifier === undefined || node['importKind'] === 'type') return;
  const api = moduleApi(specifier);
  for (const one of children(node, 'specifiers')) {
    if (one === undefined) continue;
    const imported = child(one, 'imported');
    const name =
      one.type === 'ImportDefaultSpecifier'
        ? 'default'
        : imported && (nameOf(imported) ?? constantText(imported));
    const member = name === undefined ? api : memberApi(api, name);
    bind(run, child(one, 'local'), valueOf({ api: member }), scope);
  }
};

/** `import a = require('a')`. */
export const importEquals = (run: Evaluation, node: Node, scope: Scope): void => {
  const reference = child(node, 'moduleReference');
  const specifier = reference && constantText(child(reference, 'expression'));
  if (specifier === undefined) return;
  bind(run, child(node, 'id'), valueOf({ api: moduleApi(specifier) }), scope);
};

/** What a file gives to others by a declaration. */
export const exportDeclaration = (run: Evaluation, node: Node, scope: Scope): void => {
  const { memory, exportsThing, flow } = run;
  const specifier = constantText(child(node, 'source'));
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      memory.setField(exportsThing, 'default', exportedValue(run, node, scope));
      return;
    case 'TSExportAssignment':
      memory.grow(flow.exported, exportedValue(run, node, scope));
      return;
    case 'ExportAllDeclaration':
      if (specifier !== undefined) {
        memory.grow(flow.exported, valueOf({ api: moduleApi(specifier) }));
      }
      return;
    default:
      exportedNames(run, node, specifier, scope);
  }
};

const exportedValue = (run: Evaluation, node: Node, scope: Scope): Value => {
  const exported = child(node, 'declaration') ?? child(node, 'expression');
  if (exported === undefined) return NOTHING;
  const isNamed = exported.type.endsWith('Declaration') && child(exported, 'id') !== undefined;
  if (!isNamed) return run.evaluate(exported, scope);
  run.statement(exported, scope);
  return lookUp(scope, nameOf(child(exported, 'id')) ?? '')?.value ?? NOTHING;
};

const exportedNames = (
  run: Evaluation,
  node: Node,
  specifier: string | undefined,
  scope: Scope,
): void => {
  const { memory, exportsThing } = run;
  const valueIn = (name: string): Value => lookUp(scope, name)?.value ?? NOTHING;
  const declaration = child(node, 'declaration');
  if (declaration !== undefined) {
    run.statement(declaration, scope);
    blockNames([declaration], (name) => {
      memory.setField(exportsThing, name, valueIn(name));
    });
  }
  for (const one of children(node, 'specifiers')) {
    if (one === undefined) continue;
    const local = nameOf(child(one, 'local')) ?? '';
    const name = nameOf(child(one, 'exported')) ?? constantText(child(one, 'exported'));
    if (name === undefined) continue;
    const value =
      specifier === undefined
        ? valueIn(local)
        : valueOf({ api: memberApi(moduleApi(specifier), local) });
    memory.setField(exportsThing, name, value);
  }
};
