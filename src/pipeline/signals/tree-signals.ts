import type { Grammar, SyntaxNode } from '../syntax-tree.ts';
import { csharpSurfaces } from './csharp.ts';
import { isSurfaceName, sortSurfaces, type FileSignals, type SurfaceFact } from './file-signals.ts';
import { goSurfaces } from './go.ts';
import { jvmSurfaces } from './jvm.ts';
import { phpSurfaces } from './php.ts';
import { pythonSurfaces } from './python.ts';
import { rubySurfaces } from './ruby.ts';
import { rustSurfaces } from './rust.ts';

/** Signals of a file that a tree-sitter grammar has read. */
export const readTreeSignals = (grammar: Grammar, root: SyntaxNode, text: string): FileSignals => {
  const branches = root
    .findAll({ rule: { any: BRANCHES[grammar].map((kind) => ({ kind })) } })
    // Keywords may be nodes of the same kind as what they begin.
    .filter((node) => node.isNamed()).length;
  const surfaces = SURFACES[grammar](root, text).filter(({ name }) => isSurfaceName(name));
  return { branches, surfaces: sortSurfaces(surfaces), exports: [] };
};

type ReadSurfaces = (root: SyntaxNode, text: string) => readonly SurfaceFact[];

const SURFACES: Readonly<Record<Grammar, ReadSurfaces>> = {
  c: () => [],
  cpp: () => [],
  csharp: csharpSurfaces,
  go: goSurfaces,
  java: jvmSurfaces,
  kotlin: jvmSurfaces,
  php: phpSurfaces,
  python: pythonSurfaces,
  ruby: rubySurfaces,
  rust: rustSurfaces,
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const BRANCHES: Readonly<Record<Grammar, readonly string[]>> = {
  c: words(
    'if_statement for_statement while_statement do_statement case_statement conditional_expression',
  ),
  cpp: words(
    'if_statement for_statement for_range_loop while_statement do_statement case_statement conditional_expression catch_clause',
  ),
  csharp: words(
    'if_statement for_statement foreach_statement while_statement do_statement switch_section switch_expression_arm catch_clause conditional_expression',
  ),
  go: words('if_statement for_statement expression_case type_case communication_case'),
  java: words(
    'if_statement for_statement enhanced_for_statement while_statement do_statement switch_label catch_clause ternary_expression',
  ),
  kotlin: words(
    'if_expression for_statement while_statement do_while_statement when_entry catch_block elvis_expression',
  ),
  php: words(
    'if_statement else_if_clause for_statement foreach_statement while_statement do_statement case_statement catch_clause conditional_expression match_conditional_expression',
  ),
  python: words(
    'if_statement elif_clause for_statement while_statement except_clause conditional_expression boolean_operator case_clause',
  ),
  ruby: words(
    'if elsif unless while until for when rescue conditional if_modifier unless_modifier while_modifier',
  ),
  rust: words('if_expression match_arm for_expression while_expression loop_expression'),
};
