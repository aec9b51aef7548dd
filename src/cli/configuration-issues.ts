import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { config, CONFIG_KEYS, flagOf, type ConfigKey } from '../domain/config.ts';
import { issuePath } from '../domain/schema-issue.ts';
import { printable } from '../std/printable.ts';
import { shown } from '../std/shown.ts';
import type { LineOf } from './configuration-text.ts';

/** One thing that is wrong with a configuration file: a printable clause without its file's name. */
export type ConfigIssue = string;

/**
 * What a schema refused, a clause for each: where it stands, the value that was given, and the rule.
 * All of a file are told at once.
 *
 * @param issues of a parse with `reportInput: true`.
 * @param userFile when the file is the repository's: where the user may say what it may not.
 */
export const issuesOf = (
  issues: readonly z.core.$ZodIssue[],
  given: { readonly lineOf: LineOf; readonly userFile?: string | undefined },
): readonly ConfigIssue[] => {
  const clauses = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        return `${placeOf(path, given.lineOf)} ${unknownKey(key, issue.path, given.userFile)}`;
      });
    }
    const place = issue.path.length === 0 ? 'it' : placeOf(issue.path, given.lineOf);
    return [`${place} is ${shown(issue.input)}: ${issue.message}`];
  });
  // One value may break its rule in two ways; the rule is told once.
  return [...new Set(clauses)];
};

const placeOf = (path: readonly PropertyKey[], lineOf: LineOf): string =>
  `${nameOf(issuePath(path))} (line ${lineOf(path)})`;

/** A key of blanks or signs is quoted, so that it can be seen. */
const nameOf = (place: string): string =>
  printable(/^[\w.$[\]-]+$/.test(place) ? place : JSON.stringify(place), 200);

const unknownKey = (
  key: string,
  parent: readonly PropertyKey[],
  userFile: string | undefined,
): string => {
  if (parent.length === 0 && userFile !== undefined && isConfigKey(key)) {
    return `is not for the repository to choose: say it in ${userFile}, or with ${flagOf(key)}`;
  }
  const near = nearestKey(key, parent.length === 0 ? CONFIG_KEYS : HOST_KEYS);
  return `is no setting${near === undefined ? '' : `; did you mean ${near}?`}`;
};

const HOST_KEYS = Object.keys(config.shape.host.unwrap().shape);

const isConfigKey = (key: string): key is ConfigKey =>
  (CONFIG_KEYS as readonly string[]).includes(key);

/** `max_attempts`, `fail-on` and `TimeOut` are near; what differs in a third of its letters is not. */
const nearestKey = (key: string, keys: readonly string[]): string | undefined => {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_ ]/g, '');
  const wanted = plain(key).slice(0, 100);
  const near = closest(wanted, keys.map(plain));
  return distance(wanted, near) <= Math.min(3, Math.ceil(wanted.length / 3))
    ? keys.find((one) => plain(one) === near)
    : undefined;
};
