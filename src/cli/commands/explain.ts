import { join, relative } from 'node:path';
import type { Commit } from '../../domain/commit.ts';
import { lastNumberOf } from '../../domain/commit.ts';
import type { Subject, SubjectOf } from '../../domain/subject.ts';
import type { ReportedFinding } from '../../domain/synthesis.ts';
import { UsageError } from '../../domain/usage-error.ts';
import { standingOf, type Standing } from '../../decider/standing.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { isWithin } from '../../platform/is-within.ts';
import { historyOf } from '../../projections/history.ts';
import { nameableIn, subjectsNamed } from '../../projections/subjects.ts';
import {
  explanationOf,
  explanationText,
  findingStanding,
  type Explanation,
} from '../../reporters/explanation.ts';
import { counted } from '../../std/counted.ts';
import { required } from '../../std/assert.ts';
import { blobFile } from '../../store/file-blob-store.ts';
import { EXIT } from '../exit.ts';
import { chosenAudit, locate, type Place, type ReadAudit } from '../locate.ts';
import { synthesisOf } from '../synthesis-of.ts';
import { terminal } from '../terminal.ts';
import { sayTornTail, type ReadFlags } from './status.ts';

/**
 * `casefile explain`: what happened to a thing of the audit, in order, and why it is where it is now.
 *
 * @param id of a task, packet, finding, attempt, event, account or obligation, or the beginning of
 *   one; undefined: the audit itself.
 */
export const explainCommand = async (
  id: string | undefined,
  root: string | undefined,
  flags: ReadFlags,
): Promise<number> => {
  const place = await locate(root, flags.stateDir);
  const audit = await chosenAudit(createNodeDisk(), place, flags.audit);
  sayTornTail(audit);
  const explanation = await explain(place, audit, id ?? 'audit');
  if (flags.json === true) terminal.json(explanation);
  else terminal.answer(explanationText(explanation));
  return EXIT.fine;
};

const explain = async (place: Place, audit: ReadAudit, word: string): Promise<Explanation> => {
  const findings = /^f(-[0-9a-f]*)?$/.test(word) ? (await synthesisOf(audit)).findings : [];
  const subject = oneSubject(audit, word, findings);
  const finding = findings.find(({ id }) => subject.kind === 'finding' && id === subject.id);
  const standing =
    subject.kind === 'event'
      ? eventStanding(audit.commits, subject)
      : finding === undefined
        ? required(standingOf(audit.state, subject), `the state knows ${subject.kind} ${word}`)
        : findingStanding(finding);
  return explanationOf({
    audit: audit.audit,
    subject,
    standing,
    history: historyOf(audit.commits, subject),
    asOf: { seq: audit.position.seq, at: audit.state.at },
    blobPath: (digest) => {
      const path = join(audit.files.directory, blobFile(digest));
      return isWithin(path, place.root) ? relative(place.root, path) : path;
    },
  });
};

/** @throws {UsageError} when the word names nothing, or several things. */
const oneSubject = (
  { commits, audit }: ReadAudit,
  word: string,
  findings: readonly ReportedFinding[],
): Subject => {
  const stated = findings.map(({ id, aliases = [], sources }): SubjectOf<'finding'> => {
    const tasks = sources.map(({ task }) => task as SubjectOf<'task'>['id']);
    return { kind: 'finding', id, aliases, tasks: [...new Set(tasks)] };
  });
  const named = subjectsNamed(nameableIn(commits), stated, word);
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  if (only === undefined) {
    throw new UsageError(
      `Audit ${audit} has nothing that is named "${word}".`,
      'It can be a task (t-…), packet (p-…), finding (f-…), attempt (#17), event (17), account or obligation, or the beginning of one. Accounts and obligations are listed by casefile status; events and attempts by casefile log; tasks and packets by casefile log --type TasksPlanned --type PacketsPlanned --json; findings stand in the report.',
    );
  }
  const listed = named
    .slice(0, LISTED_MAX)
    .map((subject) => `    ${subject.kind} ${'id' in subject ? subject.id : ''}`);
  const more = named.length > LISTED_MAX ? [`    and ${named.length - LISTED_MAX} more`] : [];
  throw new UsageError(
    `"${word}" may be ${counted(named.length, 'thing')}:\n${[...listed, ...more].join('\n')}`,
    'Give more of the one that is meant.',
  );
};

const LISTED_MAX = 12;

/** The commit that an event is part of: what it answers, and what it led to. */
const eventStanding = (commits: readonly Commit[], { id }: SubjectOf<'event'>): Standing => {
  const commit = required(
    commits.find((one) => one.seq <= id && lastNumberOf(one) >= id),
    `event ${id} is in the log`,
  );
  const { cause, epoch, seq, from, to } = commit;
  const last = lastNumberOf(commit);
  const event = required(commit.events[id - seq], `event ${id} is in its commit`);
  const because = cause.of === undefined ? '' : `, because of event ${cause.of}`;
  const followed = commits.filter((one) => one.cause.of === id).map((one) => one.seq);
  return {
    what: [
      `Event ${id} is ${event.type}, written by writer ${epoch} in ${seq === last ? 'a commit of its own' : `the commit of events ${seq} to ${last}`}.`,
    ],
    now: [
      `Command ${cause.command} was decided on${because}; the audit was in ${from} before and in ${to} after it.`,
      ...(followed.length === 0
        ? []
        : [`It led to what begins with ${followed.map((one) => `event ${one}`).join(', ')}.`]),
    ],
  };
};
