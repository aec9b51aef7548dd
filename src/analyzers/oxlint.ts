import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Lead } from '../domain/finding.ts';
import { textOf } from '../pipeline/content.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { isModuleLanguage } from '../pipeline/language.ts';
import { isPlainText } from '../platform/path-bytes.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { ProgramReport, RunProgram } from '../platform/subprocess.ts';
import { severityAt, type Analysis } from './analyzer.ts';
import { fileBatches } from './file-batches.ts';
import { OXLINT_RULES, oxlintConfig } from './oxlint-rules.ts';
import { createQuotes } from './source-lines.ts';

/**
 * Lints the given files of the frozen copy, each named on the command line: no walk, so no ignore
 * file has a say. The configuration is ours alone; nested ones are off, and with them the plugins
 * that a tree could make us load.
 *
 * @param scratch absolute folder outside of the copy, for the configuration file.
 */
export const runOxlint = async (given: {
  readonly folder: string;
  readonly tree: Pick<FrozenTree, 'read'>;
  readonly files: readonly InventoryFile[];
  readonly scratch: string;
  readonly runProgram: RunProgram;
}): Promise<Analysis> => {
  const program = locateOxlint();
  const all = given.files
    .filter(({ language }) => isModuleLanguage(language))
    .map(({ path }) => path);
  const named = all.filter(isPlainText);
  const configFile = join(given.scratch, 'oxlint.json');
  await mkdir(given.scratch, { recursive: true });
  await writeFile(configFile, oxlintConfig());

  // It writes backslashes of names as slashes in its report.
  const ownNames = new Map(named.map((path) => [path.replaceAll('\\', '/'), path]));
  const diagnostics: Diagnostic[] = [];
  const unchecked = new Set(all.filter((path) => !isPlainText(path)));
  const incomplete: string[] = [];
  if (unchecked.size > 0) {
    incomplete.push(
      `oxlint did not check ${count(unchecked.size)} whose names are not UTF-8: they cannot be ` +
        'given to a program as arguments.',
    );
  }
  for (const batch of fileBatches(named)) {
    const outcome = readReport(
      await given.runProgram({
        program: process.execPath,
        args: [
          program.path,
          ...['--config', configFile, '--disable-nested-config', '--no-ignore'],
          ...['--format', 'json', ...batch.map((path) => `./${path}`)],
        ],
        cwd: given.folder,
        timeoutMs: 600_000,
        outputBytesMax: 1 << 29,
      }),
      batch.length,
    );
    if (outcome.kind === 'linted') {
      for (const one of outcome.diagnostics) {
        diagnostics.push({ ...one, filename: ownNames.get(one.filename) ?? one.filename });
      }
    } else {
      incomplete.push(`oxlint did not check ${count(batch.length)}: ${outcome.reason}.`);
      for (const path of batch) unchecked.add(path);
    }
  }
  // A file that it cannot parse has no other report: no rule has looked at it.
  for (const { code, filename } of diagnostics) {
    if (code === undefined && filename !== '') unchecked.add(filename);
  }
  return {
    leads: await leadsOf(diagnostics, given.tree),
    incomplete,
    run: {
      name: 'oxlint',
      version: program.version,
      lenses: ['security', 'correctness', 'maintainability'],
      files: all.length - unchecked.size,
      status: unchecked.size === 0 ? 'done' : unchecked.size === all.length ? 'failed' : 'partial',
      unchecked: [...unchecked].toSorted(),
    },
  };
};

const diagnostic = z.object({
  message: z.string(),
  code: z.string().optional(),
  help: z.string().optional(),
  filename: z.string().default(''),
  labels: z.array(z.object({ span: z.object({ line: z.int().positive() }) })).default([]),
});
type Diagnostic = z.infer<typeof diagnostic>;

const report = z.object({
  diagnostics: z.array(diagnostic),
  number_of_files: z.int().nonnegative(),
});

type Outcome =
  | { readonly kind: 'linted'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'failed'; readonly reason: string };

const readReport = (ended: ProgramReport, asked: number): Outcome => {
  switch (ended.kind) {
    case 'missing':
      return { kind: 'failed', reason: `it could not be started (${ended.message})` };
    case 'timed-out':
      return { kind: 'failed', reason: 'it took too long and was ended' };
    case 'ended':
      return { kind: 'failed', reason: ended.message };
    case 'done': {
      const read = report.safeParse(parseJson(textOf(ended.stdout)));
      if (!read.success) {
        const said = textOf(ended.stderr).trim() || textOf(ended.stdout).trim();
        const words = said.split('\n')[0]?.slice(0, 200) ?? '';
        return {
          kind: 'failed',
          reason: `exit code ${ended.exitCode} without a report (${words})`,
        };
      }
      const seen = read.data.number_of_files;
      return seen === asked
        ? { kind: 'linted', diagnostics: read.data.diagnostics }
        : { kind: 'failed', reason: `it looked at only ${seen} of them` };
    }
  }
};

const leadsOf = async (
  diagnostics: readonly Diagnostic[],
  tree: Pick<FrozenTree, 'read'>,
): Promise<readonly Lead[]> => {
  const quoteAt = createQuotes(tree);
  const leads: Lead[] = [];
  for (const { code, filename, labels, message, help } of diagnostics) {
    const rule = code === undefined ? undefined : ruleOf(code);
    const weight = rule === undefined ? undefined : OXLINT_RULES[rule];
    if (rule === undefined || weight === undefined) continue;
    const { line, text } = await quoteAt(filename, labels[0]?.span.line ?? 1);
    leads.push({
      analyzer: 'oxlint',
      rule,
      lens: weight.lens,
      severity: severityAt(filename, weight.severity),
      confidence: weight.confidence,
      message,
      place: { path: filename, line },
      quote: text,
      ...(help === undefined ? {} : { help }),
    });
  }
  return leads;
};

/** `eslint(no-eval)` is `eslint/no-eval` in the configuration. */
const ruleOf = (code: string): string | undefined => {
  const parts = /^(?:eslint-plugin-)?(?<plugin>[\w-]+)\((?<rule>[\w-]+)\)$/.exec(code)?.groups;
  if (parts === undefined) return undefined;
  const plugin = parts['plugin'] === 'react-hooks' ? 'react' : parts['plugin'];
  return `${plugin}/${parts['rule']}`;
};

const locateOxlint = (): { readonly path: string; readonly version: string } => {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('oxlint/package.json');
  const { version, bin } = z
    .object({ version: z.string(), bin: z.object({ oxlint: z.string() }) })
    .parse(require(manifest));
  return { path: join(dirname(manifest), bin.oxlint), version };
};

const count = (files: number): string => (files === 1 ? '1 file' : `${files} files`);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
