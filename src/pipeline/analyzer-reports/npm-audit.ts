import { z } from 'zod';
import { readItems } from './read-items.ts';
import { severityOfWord } from './severities.ts';
import type { ReportedItem, ToolRun } from './tool-run.ts';

/**
 * What `npm audit --json` writes: by package from npm 7 on, by advisory in npm 6. Each advisory is one item
 * at the line of package.json that brings the package in, directly or through others; lock files are not
 * reviewed.
 */
export const readNpmAudit = (value: {
  readonly vulnerabilities?: unknown;
  readonly advisories?: unknown;
}): readonly ToolRun[] => {
  const read =
    value.advisories === undefined
      ? readPackages(entriesOf(value.vulnerabilities))
      : readItems(
          entriesOf(value.advisories).map(([, one]) => one),
          oldAdvisory,
          'advisories',
          (one) => [fromOldAdvisory(one)],
        );
  return [{ tool: 'npm audit', ...read }];
};

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const text = z.string();
const advisory = z.looseObject({
  source: z.union([z.number(), text]).optional().catch(undefined),
  title: text.min(1),
  url: text.optional().catch(undefined),
  severity: text,
  range: text.optional().catch(undefined),
});
const vulnerable = z.looseObject({
  isDirect: z.boolean().optional().catch(undefined),
  via: z.array(z.unknown()),
  effects: z.array(text).optional().catch(undefined),
  fixAvailable: z
    .union([
      z.boolean(),
      z.looseObject({
        name: text,
        version: text,
        isSemVerMajor: z.boolean().optional().catch(undefined),
      }),
    ])
    .optional()
    .catch(undefined),
});
type Vulnerable = z.infer<typeof vulnerable>;

const readPackages = (entries: readonly (readonly [string, unknown])[]) => {
  const packages = new Map(
    entries.flatMap(([name, value]) => {
      const parsed = vulnerable.safeParse(value);
      return parsed.success ? [[name, parsed.data] as const] : [];
    }),
  );
  const broughtBy = createBroughtBy(packages);
  return readItems(entries, entry, 'vulnerabilities', ([name, { via, fixAvailable }]) => {
    // A package that is vulnerable through another one only is that one's item.
    const own = via.filter((one) => typeof one !== 'string');
    const read = own.map((one) => advisory.safeParse(one));
    if (read.some(({ success }) => !success)) return 'an advisory of it cannot be read';
    return read.flatMap(({ data }) =>
      data === undefined
        ? []
        : [
            itemOf({
              rule:
                /GHSA(-[0-9a-z]{4}){3}/.exec(data.url ?? '')?.[0] ?? `npm-${data.source ?? name}`,
              name,
              range: data.range,
              title: data.title,
              severity: data.severity,
              url: data.url,
              near: broughtBy(name),
              help: helpFor(fixAvailable),
            }),
          ],
    );
  });
};

const entry = z.tuple([text, vulnerable]);

/** The direct dependencies that bring a package in. A graph of others: the search has a bound. */
const createBroughtBy =
  (packages: ReadonlyMap<string, Vulnerable>) =>
  (name: string): readonly string[] => {
    const seen = new Set([name]);
    const direct: string[] = [];
    for (const one of seen) {
      const known = packages.get(one);
      if (known?.isDirect === true) direct.push(one);
      for (const next of known?.effects ?? []) if (seen.size < SEARCHED_MAX) seen.add(next);
    }
    return direct.length === 0 ? [name] : direct;
  };

const SEARCHED_MAX = 500;

const helpFor = (fix: Vulnerable['fixAvailable']): string | undefined => {
  if (fix === undefined) return undefined;
  if (fix === false) return 'No version without it is known.';
  if (fix === true) return 'npm audit fix takes a version without it.';
  const breaking = fix.isSemVerMajor === true ? ', a breaking change' : '';
  return `Version ${fix.version} of ${fix.name} is without it${breaking}.`;
};

const oldAdvisory = z.looseObject({
  id: z.union([z.number(), text]).optional().catch(undefined),
  module_name: text.min(1),
  title: text.min(1),
  severity: text,
  url: text.optional().catch(undefined),
  vulnerable_versions: text.optional().catch(undefined),
  recommendation: text.optional().catch(undefined),
  findings: z
    .array(z.looseObject({ paths: z.array(text).optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

const fromOldAdvisory = (one: z.infer<typeof oldAdvisory>): ReportedItem => {
  const paths = (one.findings ?? []).flatMap(({ paths: found = [] }) => found);
  const direct = paths.slice(0, SEARCHED_MAX).map((path) => path.split('>')[0] ?? '');
  return itemOf({
    rule: /GHSA(-[0-9a-z]{4}){3}/.exec(one.url ?? '')?.[0] ?? `npm-${one.id ?? one.module_name}`,
    name: one.module_name,
    range: one.vulnerable_versions,
    title: one.title,
    severity: one.severity,
    url: one.url,
    near: direct.length === 0 ? [one.module_name] : [...new Set(direct)],
    help: one.recommendation,
  });
};

const itemOf = (given: {
  readonly rule: string;
  readonly name: string;
  readonly range: string | undefined;
  readonly title: string;
  readonly severity: string;
  readonly url: string | undefined;
  readonly near: readonly string[];
  readonly help: string | undefined;
}): ReportedItem => {
  const { name, range, title, url, near } = given;
  const through = near.includes(name) ? '' : `, which ${near.slice(0, 3).join(', ')} brings in`;
  return {
    rule: given.rule,
    category: 'vulnerable-dependency',
    lens: 'security',
    severity: severityOfWord(given.severity, 'maintainability') ?? 'medium',
    confidence: 'high',
    message: `${name}${range === undefined ? '' : ` ${range}`} is vulnerable${through}: ${title}${url === undefined ? '' : ` (${url})`}`,
    place: { path: 'package.json', near: near.map((one) => `${JSON.stringify(one)}:`) },
    help: given.help,
  };
};
