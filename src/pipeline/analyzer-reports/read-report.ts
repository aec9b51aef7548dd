import { readJson } from '../../std/json-bytes.ts';
import { readActionlint } from './actionlint.ts';
import { readBandit } from './bandit.ts';
import { readEslint } from './eslint.ts';
import { readGitleaks } from './gitleaks.ts';
import { readGolangci } from './golangci.ts';
import { isIstanbulSummary, readIstanbul } from './istanbul.ts';
import { isLcov, readLcov } from './lcov.ts';
import { readNormalised } from './normalised.ts';
import { readNpmAudit } from './npm-audit.ts';
import { readRuff } from './ruff.ts';
import { readSarif } from './sarif.ts';
import { readSemgrep } from './semgrep.ts';
import { readShellcheck } from './shellcheck.ts';
import type { ToolRun } from './tool-run.ts';

/** What a file of another tool holds, or why nothing of it can be taken: a sentence. */
export type ReadReport =
  | { readonly kind: 'read'; readonly format: string; readonly runs: readonly ToolRun[] }
  | { readonly kind: 'refused'; readonly message: string };

/** Reads a report of any tool that we know; which one it is, its content says. */
export const readAnalyzerReport = (bytes: Uint8Array): ReadReport => {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  if (isLcov(head)) {
    return { kind: 'read', format: 'lcov', runs: readLcov(new TextDecoder().decode(bytes)) };
  }
  const json = readJson(bytes);
  if (json.kind === 'unreadable') return refused(`It is ${json.why}.`);
  const { value } = json;
  const format = FORMATS.find(({ isIt }) => isIt(value));
  if (format === undefined) return refused(whyUnknown(value));
  const runs = format.read(value);
  return typeof runs === 'string'
    ? refused(`It looks like ${format.name}, but ${runs}.`)
    : { kind: 'read', format: format.name, runs };
};

const HEAD_BYTES = 4096;

const refused = (message: string): ReadReport => ({ kind: 'refused', message });

type Format = {
  readonly name: string;
  readonly isIt: (value: unknown) => boolean;
  /** A clause after "but" where it is none after all. */
  readonly read: (value: unknown) => readonly ToolRun[] | string;
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;

/** A list of which the first entries all have these fields. */
const listWith =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.slice(0, 5).some((one) => {
      const fields = fieldsOf(one);
      return fields !== undefined && names.every((name) => Object.hasOwn(fields, name));
    });

const object =
  (isIt: (fields: Fields) => boolean) =>
  (value: unknown): boolean => {
    const fields = fieldsOf(value);
    return fields !== undefined && isIt(fields);
  };

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const field = (value: unknown, name: string): unknown => fieldsOf(value)?.[name];

/** In the order in which they are tried: what many could be stands last. */
const FORMATS: readonly Format[] = [
  {
    name: 'SARIF',
    isIt: object(({ runs }) => Array.isArray(runs)),
    read: readSarif,
  },
  {
    name: 'the normalised form {tool, results}',
    isIt: object(({ tool, results }) => tool !== undefined && results !== undefined),
    read: (value) => {
      const [tool, results] = [field(value, 'tool'), field(value, 'results')];
      if (typeof tool !== 'string' || tool.trim() === '') return 'its "tool" is no name';
      if (!Array.isArray(results)) return 'its "results" are no list';
      return readNormalised({ tool: tool.trim(), results });
    },
  },
  {
    name: 'JSON of npm audit',
    isIt: object(
      ({ auditReportVersion, vulnerabilities, advisories }) =>
        fieldsOf(advisories) !== undefined ||
        (auditReportVersion !== undefined && fieldsOf(vulnerabilities) !== undefined),
    ),
    read: (value) => readNpmAudit(fieldsOf(value) ?? {}),
  },
  {
    name: 'JSON of bandit',
    isIt: object(({ results, metrics }) => Array.isArray(results) && metrics !== undefined),
    read: (value) => readBandit({ results: list(field(value, 'results')) }),
  },
  {
    name: 'JSON of semgrep',
    isIt: object(
      ({ results, errors, paths }) =>
        Array.isArray(results) &&
        (listWith('check_id', 'path')(results) || (errors !== undefined && paths !== undefined)),
    ),
    read: (value) =>
      readSemgrep({ results: list(field(value, 'results')), version: field(value, 'version') }),
  },
  {
    name: 'JSON of golangci-lint',
    isIt: object(
      ({ Issues: issues, Report: report }) =>
        Array.isArray(issues) || (issues === null && report !== undefined),
    ),
    read: (value) => readGolangci(list(field(value, 'Issues'))),
  },
  {
    name: 'JSON of shellcheck',
    isIt: (value) =>
      Array.isArray(field(value, 'comments')) || listWith('file', 'level', 'code')(value),
    read: (value) => readShellcheck(list(Array.isArray(value) ? value : field(value, 'comments'))),
  },
  {
    name: 'JSON of ESLint',
    isIt: listWith('filePath', 'messages'),
    read: (value) => readEslint(list(value)),
  },
  {
    name: 'JSON of ruff',
    isIt: listWith('filename', 'location', 'message'),
    read: (value) => readRuff(list(value)),
  },
  {
    name: 'JSON of actionlint',
    isIt: listWith('filepath', 'kind', 'message'),
    read: (value) => readActionlint(list(value)),
  },
  {
    name: 'JSON of gitleaks',
    isIt: listWith('RuleID', 'File', 'StartLine'),
    read: (value) => readGitleaks(list(value)),
  },
  {
    name: 'JSON coverage of istanbul',
    isIt: object((fields) => {
      const [first] = Object.entries(fields).flatMap(([name, one]) =>
        name === 'total' ? [] : [one],
      );
      const isFinal = fieldsOf(field(first, 'statementMap')) !== undefined;
      return isFinal || isIstanbulSummary(first) || isIstanbulSummary(fields['total']);
    }),
    read: (value) => readIstanbul(fieldsOf(value) ?? {}),
  },
  {
    // Most linters that found nothing write this, and do not say who they are.
    name: 'an empty list',
    isIt: (value) => Array.isArray(value) && value.length === 0,
    read: () => [{ tool: 'unnamed', items: [], leftOut: [] }],
  },
];

const KNOWN =
  'Known are SARIF 2.1.0 of any tool, JSON of ESLint, npm audit, semgrep, bandit, ruff, shellcheck, actionlint, golangci-lint and gitleaks, coverage of lcov and istanbul, and {"tool", "results"}';

const whyUnknown = (value: unknown): string => {
  const failed = fieldsOf(field(value, 'error'));
  const said = failed?.['summary'] ?? failed?.['message'];
  return typeof said === 'string'
    ? 'It is the error of a tool that did not do its work, and no report. Run the tool again.'
    : `It is no report that casefile can read. ${KNOWN}. Let the tool write one of these; most can write SARIF.`;
};
