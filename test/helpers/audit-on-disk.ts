import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Workplace } from './built-program.ts';

/** One line of the log as any tool reads it: plain JSON. */
export type LoggedCommit = {
  readonly seq: number;
  readonly at: string;
  readonly epoch: number;
  readonly durable: number;
  readonly cause: { readonly command: string; readonly of?: number };
  readonly events: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[];
  readonly from: string;
  readonly to: string;
};

/** A finding in `findings.json`, as far as tests look at it. */
export type ReportedFinding = {
  readonly explanation: string;
  readonly category: string;
  readonly severity: string;
  readonly anchored: boolean;
  readonly place: { readonly path: string; readonly line?: number };
  readonly quote: string;
};

/** What lies in the state folder, read without the code under test. */
export const auditsOf = ({ root }: Workplace): readonly string[] => {
  const folder = join(root, '.casefile', 'audits');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
};

/** The folder of the newest audit. */
export const auditFolder = (workplace: Workplace): string =>
  join(workplace.root, '.casefile', 'audits', auditsOf(workplace).at(-1) ?? 'none');

/** The only segment of the newest audit's log. */
export const logFile = (workplace: Workplace): string =>
  join(auditFolder(workplace), 'events', '000000000001.jsonl');

export const logBytes = (workplace: Workplace): Buffer => readFileSync(logFile(workplace));

export const commitsOf = (workplace: Workplace): readonly LoggedCommit[] =>
  logBytes(workplace)
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LoggedCommit);

/** Number of a commit's last event. */
export const lastNumber = ({ seq, events }: LoggedCommit): number => seq + events.length - 1;

export const eventsOf = (workplace: Workplace, type?: string): LoggedCommit['events'] =>
  commitsOf(workplace)
    .flatMap(({ events }) => events)
    .filter((event) => type === undefined || event.type === type);

export const reportFile = (workplace: Workplace, name: 'report.md' | 'findings.json'): string =>
  join(auditFolder(workplace), 'report', name);

/** The findings of the newest report. */
export const findingsOf = (workplace: Workplace): readonly ReportedFinding[] =>
  (
    JSON.parse(readFileSync(reportFile(workplace, 'findings.json'), 'utf8')) as {
      readonly findings: readonly ReportedFinding[];
    }
  ).findings;

/**
 * Every entry below a folder with its mode, time of change and content, one a line: equal exactly
 * when nothing was touched.
 *
 * @param except names of direct entries that are left out.
 */
export const fingerprintOf = (folder: string, except: readonly string[] = []): string =>
  namesIn(Buffer.from(folder))
    .filter((name) => !except.includes(name.toString()))
    .flatMap((name) => entries(joined(Buffer.from(folder), name), name.toString('latin1')))
    .join('\n');

/** Names as bytes: they need not be text. */
const namesIn = (folder: Buffer): readonly Buffer[] =>
  readdirSync(folder, { encoding: 'buffer' }).toSorted((left, right) =>
    Buffer.compare(left, right),
  );

const joined = (folder: Buffer, name: Buffer): Buffer =>
  Buffer.concat([folder, Buffer.from('/'), name]);

const entries = (path: Buffer, name: string): readonly string[] => {
  const state = lstatSync(path, { bigint: true });
  const seen = `${name} ${state.mode.toString(8)} ${state.mtimeNs}`;
  if (state.isSymbolicLink()) return [`${seen} ${readlinkSync(path)}`];
  if (state.isDirectory()) {
    const inner = namesIn(path).flatMap((entry) =>
      entries(joined(path, entry), `${name}/${entry.toString('latin1')}`),
    );
    return [seen, ...inner];
  }
  // To read a pipe or a device would never end, and a file with a hole takes as long as one without.
  if (!state.isFile() || state.size > HUGE_BYTES) return [`${seen} ${state.size}`];
  return [`${seen} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`];
};

const HUGE_BYTES = 1_000_000_000n;
