import { emptyFacts, type FileFacts } from '../file-facts.ts';
import { readEcmascript } from './ecmascript.ts';

/**
 * The script blocks of a Vue or Svelte file, each a module of its own; lines are those of the file.
 * The template around them is in no language that a parser here knows.
 */
export const readComponent = (given: {
  readonly text: string;
  readonly withDefinitions: boolean;
}): FileFacts => {
  const { text, withDefinitions } = given;
  const blocks = scriptBlocks(text);
  const facts = blocks.map((block) => {
    const before = countNewlines(text.slice(0, block.start));
    const script = readEcmascript({
      path: `block.${block.language}`,
      text: text.slice(block.start, block.end),
      withDefinitions,
    });
    const moved = <Given extends { readonly line: number }>(fact: Given): Given => ({
      ...fact,
      line: fact.line + before,
    });
    return {
      imports: [
        ...(block.source === undefined
          ? []
          : [{ specifier: block.source, kind: 'import' as const, line: before + 1 }]),
        ...script.imports.map(moved),
      ],
      definitions: (script.definitions ?? []).map((fact) => ({
        ...moved(fact),
        endLine: fact.endLine + before,
      })),
      syntaxErrors: script.syntaxErrors.map(moved),
    };
  });
  return {
    ...emptyFacts('ecmascript'),
    imports: facts.flatMap(({ imports }) => imports),
    syntaxErrors: facts.flatMap(({ syntaxErrors }) => syntaxErrors),
    ...(withDefinitions && { definitions: facts.flatMap(({ definitions }) => definitions) }),
  };
};

type ScriptBlock = {
  readonly start: number;
  readonly end: number;
  readonly language: 'jsx' | 'ts' | 'tsx';
  readonly source: string | undefined;
};

/** One pass: a block ends at the first closing tag, as in HTML, and comments hold none. */
const scriptBlocks = (text: string): readonly ScriptBlock[] => {
  const blocks: ScriptBlock[] = [];
  const opening = /<!--|<script(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
  const closing = /<\/script\s*>/gi;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const after = match.index + match[0].length;
    if (match[0] === '<!--') {
      const end = text.indexOf('-->', after);
      if (end === -1) break;
      opening.lastIndex = end + 3;
      continue;
    }
    const attributes = match[1] ?? '';
    const source = attribute(attributes, 'src');
    if (attributes.endsWith('/')) {
      blocks.push({ start: after, end: after, language: 'jsx', source });
      continue;
    }
    closing.lastIndex = after;
    const end = closing.exec(text);
    if (end === null) break;
    opening.lastIndex = end.index + end[0].length;
    const language = languageOf(attributes);
    if (language !== undefined) blocks.push({ start: after, end: end.index, language, source });
  }
  return blocks;
};

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
    .exec(attributes)
    ?.slice(1)
    .find((value) => value !== undefined);

/** Undefined for what is no JavaScript: templates and data live in script tags too. */
const languageOf = (attributes: string): ScriptBlock['language'] | undefined => {
  const type = attribute(attributes, 'type');
  if (type !== undefined && !/^(?:module|(?:text|application)\/(?:java|type)script)$/i.test(type)) {
    return undefined;
  }
  switch (attribute(attributes, 'lang')?.toLowerCase()) {
    case undefined:
    case 'js':
    case 'jsx':
    case 'javascript':
      return 'jsx';
    case 'ts':
    case 'typescript':
      return 'ts';
    case 'tsx':
      return 'tsx';
    default:
      return undefined;
  }
};

const countNewlines = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};
