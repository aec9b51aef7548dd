import type { InventoryFile } from './inventory.ts';
import { roleOf } from './lens-selection.ts';
import type { Structure } from './structure.ts';

/** How much it matters to look at a file early: from 0 (nothing known) to about 10. */
export type RiskOf = (path: string) => number;

/**
 * Scores files by what their path says about their work, by how many others depend on them and by
 * their size. Only the order of the work depends on it: nothing is left out for a low score.
 */
export const createRisk = (files: readonly InventoryFile[], edges: Structure['edges']): RiskOf => {
  const dependents = new Map<string, number>();
  for (const { to } of edges) dependents.set(to, (dependents.get(to) ?? 0) + 1);
  const scores = new Map(
    files.map((file) => [file.path, riskScore(file, dependents.get(file.path) ?? 0)]),
  );
  return (path) => scores.get(path) ?? 0;
};

const riskScore = (file: InventoryFile, dependents: number): number => {
  const words = wordsOf(file.path);
  const role = roleOf(file);
  const names =
    (words.some((word) => SENSITIVE.has(word)) ? 4 : 0) +
    (words.some((word) => ENTRANCE.has(word)) ? 2 : 0);
  const shape = Math.min(3, Math.floor(Math.log2(1 + dependents))) + Math.min(1, file.lines / 1000);
  switch (role) {
    case 'code':
      return names + shape + 1;
    case 'config':
      return names;
    case 'test':
    case 'prose':
    case 'style':
    case 'data':
      return (names + shape) / 8;
  }
};

/** `lib/authToken.js` → lib, auth, token, js. */
const wordsOf = (path: string): readonly string[] =>
  path
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const SENSITIVE = new Set(
  `auth authentication authorization authorize login logout oauth oidc saml sso jwt session sessions
   cookie cookies csrf cors crypto cipher encrypt decrypt hash password passwords secret secrets token
   tokens credential credentials permission permissions acl rbac role roles admin sudo payment
   payments billing invoice checkout sanitize sanitizer escape`.split(/\s+/),
);
const ENTRANCE = new Set(
  `api route routes router controller controllers handler handlers endpoint endpoints server request
   upload uploads parser parse deserialize query sql exec shell command proxy redirect webhook webhooks
   middleware graphql rpc socket main index cli migration migrations lock cache queue worker
   retry`.split(/\s+/),
);
