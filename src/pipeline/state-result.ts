import { answerFinding, followUp, FOLLOW_UPS_MAX, type FollowUp } from '../domain/answer.ts';
import { clip, printable } from '../std/printable.ts';
import { shown } from '../std/shown.ts';
import type { Quarantined } from '../domain/finding.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';
import { isFields, type Fields } from './audit-result-issue.ts';
import { isSelfVerification, selfVerified } from './open-answer.ts';
import type { RepairedResult } from './repair-result.ts';
import {
  refusal,
  refusalOf,
  type StatedFinding,
  type TaskStatement,
  type Trouble,
} from './task-statement.ts';

/**
 * Reads one result of an answer in our own form. What is wrong with a single finding sets that finding
 * aside and no other; what is wrong with the result refuses it, with everything that is wrong.
 *
 * @param asked.paths of the task. @param asked.followUps whether it may ask for more.
 */
export const stateResult = (
  { part, repairs }: RepairedResult,
  asked: { readonly paths: readonly string[]; readonly followUps: boolean },
): TaskStatement => {
  if (!isFields(part)) return refusal('wrong-shape', `The result is ${shown(part)}.`);
  const { verdict, findings } = part;
  if (verdict !== 'clean' && verdict !== 'findings') {
    return refusal('no-verdict', 'The result has no verdict "clean" or "findings".');
  }
  const troubles = strangeFields(part, asked);
  const more = asked.followUps ? readFollowUps(part['followUps']) : NO_FOLLOW_UPS;
  if (verdict === 'clean') {
    if (findings !== undefined) {
      const message = 'The verdict is "clean", and yet there are findings.';
      troubles.unshift({ at: 'findings', code: 'wrong-shape', message });
    }
    const none = { findings: [], quarantined: [], troubles: [] };
    return refusedOr(troubles, {
      ...{ kind: 'stated', verdict, ...none },
      followUps: more.followUps,
      repairs: [...repairs, ...more.repairs],
    });
  }
  const list: readonly unknown[] = Array.isArray(findings) ? findings : [];
  if (list.length === 0 || list.length > FINDINGS_MAX) {
    const message = Array.isArray(findings)
      ? `The verdict is "findings", and there are ${list.length}; it must be 1 to ${FINDINGS_MAX}.`
      : `"findings" must be a list, not ${shown(findings)}.`;
    troubles.push({ at: 'findings', code: 'wrong-shape', message });
  }
  const stated: StatedFinding[] = [];
  const wrong: { readonly index: number; readonly troubles: readonly [Trouble, ...Trouble[]] }[] =
    [];
  for (const [index, raw] of list.entries()) {
    const at = `findings[${index}]`;
    const read = readFinding(raw, at);
    if ('finding' in read) stated.push({ at, finding: read.finding, raw });
    else wrong.push({ index, troubles: read.troubles });
  }
  const quarantined = wrong.map((one) =>
    quarantine(`findings[${one.index}]`, list[one.index], one.troubles),
  );
  const ofFindings = wrong.flatMap((one) => one.troubles);
  if (stated.length === 0 || troubles.length > 0) troubles.push(...ofFindings);
  return refusedOr(troubles, {
    kind: 'stated',
    verdict,
    findings: stated,
    quarantined,
    troubles: ofFindings,
    followUps: more.followUps,
    repairs: [...repairs, ...more.repairs],
  });
};

const FINDINGS_MAX = 500;
const NO_FOLLOW_UPS = { followUps: [], repairs: [] };

/** Wishes are no findings: one that cannot be read is left out and said, and spoils nothing. */
const readFollowUps = (
  value: unknown,
): { readonly followUps: readonly FollowUp[]; readonly repairs: readonly string[] } => {
  if (value === undefined || value === null) return NO_FOLLOW_UPS;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const read = list.slice(0, FOLLOW_UPS_MAX).map((one) => followUp.safeParse(one).data);
  const followUps = read.filter((one) => one !== undefined);
  const left = list.length - followUps.length;
  return {
    followUps,
    repairs: left === 0 ? [] : [`followUps: ${left} of ${list.length} could not be taken.`],
  };
};

const refusedOr = (troubles: readonly Trouble[], statement: TaskStatement): TaskStatement => {
  const [first, ...more] = troubles;
  return first === undefined ? statement : refusalOf([first, ...more]);
};

/** Sets a finding aside: what is wrong first names it. */
export const quarantine = (
  at: string,
  raw: unknown,
  troubles: readonly [Trouble, ...Trouble[]],
): Quarantined => {
  const { code, message } = refusalOf(troubles);
  return { at, code, message, raw: clip(JSON.stringify(raw) ?? '', RAW_MAX) };
};

const RAW_MAX = 4000;

/** Fields of a result that are not of the form: marks of its own, and claims of having read what was not sent. */
const strangeFields = (
  part: Fields,
  { paths, followUps }: { readonly paths: readonly string[]; readonly followUps: boolean },
): Trouble[] =>
  Object.keys(part)
    .filter((field) => !RESULT_FIELDS.has(field) && !(followUps && field === 'followUps'))
    .map((field) => {
      const name = printable(field, 80);
      if (isSelfVerification(field)) {
        return { at: name, code: 'self-verified', message: `${selfVerified(field)}.` };
      }
      const unsent = namedPaths(part[field]).find((path) => !paths.includes(path));
      if (CLAIMS.test(field) && unsent !== undefined) {
        const message = `"${name}" names ${shown(unsent)}, which is no file of this task.`;
        return { at: name, code: 'path-outside-task', message };
      }
      const message = `"${name}" is no field of a result; there are task, verdict and findings.`;
      return { at: name, code: 'wrong-shape', message };
    });

const RESULT_FIELDS = new Set(['task', 'verdict', 'findings']);
const CLAIMS = /file|path|read|review|cover/i;

const namedPaths = (claim: unknown): readonly string[] => {
  const items: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return items.flatMap((item) => {
    const path = isFields(item) ? item['path'] : item;
    return typeof path === 'string' ? [path] : [];
  });
};

const readFinding = (
  raw: unknown,
  at: string,
):
  | { readonly finding: StatedFinding['finding'] }
  | { readonly troubles: readonly [Trouble, ...Trouble[]] } => {
  const read = answerFinding.safeParse(raw);
  if (read.success) return { finding: read.data };
  const troubles = read.error.issues.flatMap((issue): Trouble[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => strangeKey(key, at));
    }
    const place = [at, ...issue.path.map(String)].join('.');
    const field = issue.path[0];
    const code: RejectionCode =
      (field === 'line' || field === 'endLine') && isFields(raw) && typeof raw[field] === 'number'
        ? 'invalid-location'
        : 'wrong-shape';
    const value = isFields(raw) && typeof field === 'string' ? raw[field] : raw;
    const rule = printable(issue.message, 200);
    return [{ at: place, code, message: `${place} is ${shown(value)}: ${rule}.` }];
  });
  // What its writer must not say comes first: it names the refusal.
  const [first, ...more] = troubles.toSorted((left, right) => rank(left) - rank(right));
  return {
    troubles: [first ?? { at, code: 'wrong-shape', message: `${at} has a wrong form.` }, ...more],
  };
};

const rank = ({ code }: Trouble): number => (code === 'self-verified' ? 0 : 1);

const strangeKey = (key: string, at: string): Trouble => {
  const name = printable(key, 80);
  return key === 'verdict' || isSelfVerification(key)
    ? { at: `${at}.${name}`, code: 'self-verified', message: `${at}: ${selfVerified(key)}.` }
    : { at: `${at}.${name}`, code: 'wrong-shape', message: `${at} has no field "${name}".` };
};
