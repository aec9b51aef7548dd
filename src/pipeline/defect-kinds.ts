import { foldCategory } from './fingerprint.ts';

/**
 * What kind of defect a category names: reviewers and tools have many words for one thing, and some
 * only a CWE number. Undefined for words that the table does not know; those are a kind of their own.
 *
 * Looked up are the whole word, its last part (`security/detect-child-process`) and CWE numbers in it,
 * without words that say nothing (`potential-`, `-vulnerability`).
 */
export const defectKindOf = (category: string): string | undefined => {
  const folded = foldCategory(category.slice(0, CATEGORY_LENGTH_MAX));
  if (SECRET_SCANNERS.some((name) => folded.startsWith(`${name}/`))) return 'hard-coded-secret';
  const last = folded.slice(
    Math.max(...['/', '.', ':'].map((mark) => folded.lastIndexOf(mark))) + 1,
  );
  for (const word of [folded, bare(folded), last, bare(last)]) {
    const kind = KIND_OF_WORD.get(word);
    if (kind !== undefined) return kind;
  }
  const number = /\bcwe[-:]?0*(\d{1,4})\b/.exec(folded)?.[1];
  return number === undefined ? undefined : KIND_OF_CWE.get(Number(number));
};

const CATEGORY_LENGTH_MAX = 200;

/** Their rules are named for whose secret it is, and all of them are about secrets. */
const SECRET_SCANNERS = ['secretlint', 'gitleaks', 'trufflehog', 'detect-secrets'] as const;

const bare = (word: string): string =>
  word
    .replace(/^(?:potential|possible|likely)-/, '')
    .replace(/-(?:vulnerability|risk|issue|bug|attack|detected)$/, '');

type KindRow = {
  /** Other words for it, as `foldCategory` leaves them: of the field, and of widespread tools' rules. */
  readonly words: readonly string[];
  readonly cwe?: readonly number[];
};

/**
 * A kind is narrow enough that two statements of it about the same characters of source are about one
 * defect. So there is none for "injection" or "validation", and CWE numbers of that width are left out.
 */
export const DEFECT_KINDS: Readonly<Record<string, KindRow>> = {
  'command-injection': {
    words: [
      'os-command-injection',
      'shell-injection',
      'cmd-injection',
      'command-execution',
      'arbitrary-command-execution',
      'detect-child-process',
      'child-process-injection',
      'subprocess-shell-true',
      'subprocess-popen-with-shell-equals-true',
      'start-process-with-a-shell',
      'dangerous-subprocess-use',
    ],
    cwe: [77, 78],
  },
  'argument-injection': { words: ['parameter-injection', 'option-injection'], cwe: [88] },
  'code-injection': {
    words: [
      'eval-injection',
      'eval-use',
      'use-of-eval',
      'no-eval',
      'no-implied-eval',
      'no-new-func',
      'unsafe-eval',
      'dynamic-code-execution',
      'exec-use',
      'detect-eval-with-expression',
    ],
    cwe: [94, 95, 96],
  },
  'template-injection': {
    words: ['ssti', 'server-side-template-injection'],
    cwe: [1336],
  },
  'sql-injection': {
    words: [
      'sqli',
      'hardcoded-sql-expressions',
      'sql-string-concatenation',
      'node-postgres-sqli',
      'tainted-sql-string',
    ],
    cwe: [89, 564],
  },
  'nosql-injection': { words: ['nosqli', 'mongodb-injection', 'mongo-injection'], cwe: [943] },
  'ldap-injection': { words: [], cwe: [90] },
  'xpath-injection': { words: ['xquery-injection'], cwe: [643, 652] },
  'header-injection': {
    words: ['crlf-injection', 'http-response-splitting', 'response-splitting'],
    cwe: [93, 113],
  },
  'log-injection': { words: ['log-forging'], cwe: [117] },
  'format-string': {
    words: ['format-string-injection', 'detect-non-literal-format'],
    cwe: [134],
  },
  xss: {
    words: [
      'cross-site-scripting',
      'dom-xss',
      'reflected-xss',
      'stored-xss',
      'html-injection',
      'unescaped-html',
      'unsafe-html',
      'no-danger',
      'no-v-html',
      'mark-safe',
    ],
    cwe: [79, 80, 83, 87],
  },
  'path-traversal': {
    words: [
      'directory-traversal',
      'arbitrary-file-access',
      'arbitrary-file-read',
      'arbitrary-file-write',
      'file-inclusion',
      'local-file-inclusion',
      'lfi',
      'detect-non-literal-fs-filename',
      'path-injection',
    ],
    cwe: [22, 23, 36, 73, 98],
  },
  'zip-slip': { words: ['archive-traversal', 'tarslip', 'tarfile-unsafe-members'] },
  'link-following': { words: ['symlink-following', 'symlink-attack'], cwe: [59, 61] },
  'unrestricted-upload': {
    words: ['unrestricted-file-upload', 'file-upload', 'insecure-file-upload'],
    cwe: [434],
  },
  'unsafe-deserialization': {
    words: [
      'unsafe-deserialisation',
      'insecure-deserialization',
      'insecure-deserialisation',
      'deserialization',
      'deserialisation',
      'untrusted-deserialization',
      'pickle-load',
      'yaml-load',
      'suspicious-pickle-usage',
      'unsafe-yaml-load',
    ],
    cwe: [502],
  },
  'prototype-pollution': { words: ['prototype-tampering'], cwe: [1321] },
  'property-injection': { words: ['object-injection', 'detect-object-injection'] },
  'mass-assignment': { words: ['over-posting', 'autobinding'], cwe: [915] },
  redos: {
    words: [
      'regex-dos',
      'regular-expression-denial-of-service',
      'catastrophic-backtracking',
      'super-linear-regex',
      'super-linear-regexp',
      'inefficient-regex',
      'inefficient-regular-expression',
      'polynomial-regex',
      'exponential-regex',
      'unsafe-regex',
      'detect-unsafe-regex',
    ],
    cwe: [1333],
  },
  'regex-injection': {
    words: ['regexp-injection', 'detect-non-literal-regexp', 'regular-expression-injection'],
  },
  ssrf: {
    words: ['server-side-request-forgery', 'request-forgery'],
    cwe: [918],
  },
  'open-redirect': {
    words: ['unvalidated-redirect', 'url-redirection', 'unsafe-redirect'],
    cwe: [601],
  },
  xxe: {
    words: ['xml-external-entity', 'xml-external-entities', 'xml-entity-expansion'],
    cwe: [611, 776, 827],
  },
  csrf: {
    words: ['cross-site-request-forgery', 'missing-csrf-protection', 'csrf-protection-disabled'],
    cwe: [352],
  },
  cors: {
    words: ['cors-misconfiguration', 'permissive-cors', 'insecure-cors', 'cors-wildcard'],
    cwe: [942],
  },
  clickjacking: { words: ['missing-frame-options'], cwe: [1021] },
  'insecure-cookie': {
    words: ['cookie-without-secure', 'cookie-without-httponly', 'insecure-session-cookie'],
    cwe: [614, 1004, 1275],
  },
  'hard-coded-secret': {
    words: [
      'hardcoded-secret',
      'hard-coded-password',
      'hardcoded-password',
      'hard-coded-credential',
      'hardcoded-credential',
      'hard-coded-credentials',
      'hardcoded-credentials',
      'hard-coded-key',
      'hardcoded-key',
      'hard-coded-api-key',
      'hardcoded-api-key',
      'hardcoded-password-string',
      'secret-in-code',
      'secrets-in-code',
      'secret-in-source',
      'committed-secret',
      'exposed-secret',
      'leaked-secret',
      'generic-api-key',
    ],
    cwe: [259, 321, 798],
  },
  'cleartext-storage': {
    words: ['plaintext-storage', 'plaintext-password', 'cleartext-password'],
    cwe: [256, 312, 313],
  },
  'cleartext-transmission': {
    words: ['unencrypted-transport', 'cleartext-http', 'insecure-transport'],
    cwe: [319],
  },
  'weak-crypto': {
    words: [
      'weak-cryptography',
      'insecure-crypto',
      'weak-cipher',
      'insecure-cipher',
      'broken-crypto',
      'weak-encryption',
      'weak-algorithm',
      'weak-hash',
      'insecure-hash',
      'insecure-hash-function',
      'weak-hashing',
      'use-of-md5',
      'use-of-sha1',
      'weak-password-hash',
      'ecb-mode',
      'static-iv',
    ],
    cwe: [326, 327, 328, 329, 916, 1204, 1240],
  },
  'insecure-random': {
    words: [
      'weak-random',
      'insecure-randomness',
      'predictable-random',
      'pseudo-random',
      'math-random',
      'suspicious-non-cryptographic-random-usage',
      'detect-pseudorandombytes',
    ],
    cwe: [331, 335, 338],
  },
  'timing-attack': {
    words: ['timing-side-channel', 'detect-possible-timing-attacks'],
    cwe: [208],
  },
  'insecure-tls': {
    words: [
      'certificate-validation-disabled',
      'disabled-certificate-validation',
      'tls-verification-disabled',
      'ssl-verification-disabled',
      'improper-certificate-validation',
      'request-with-no-cert-validation',
      'insecure-ssl',
    ],
    cwe: [295, 297],
  },
  'jwt-verification': {
    words: ['jwt-not-verified', 'jwt-none-algorithm', 'jwt-without-verification'],
    cwe: [347],
  },
  'missing-authentication': {
    words: ['no-authentication', 'unauthenticated-access', 'missing-auth', 'authentication-bypass'],
    cwe: [288, 306],
  },
  'missing-authorization': {
    words: [
      'missing-authorisation',
      'missing-access-control',
      'broken-access-control',
      'broken-authorization',
      'authorization-bypass',
      'idor',
      'insecure-direct-object-reference',
    ],
    cwe: [285, 639, 862, 863],
  },
  'session-fixation': { words: [], cwe: [384] },
  'information-exposure': {
    words: [
      'information-disclosure',
      'information-leak',
      'sensitive-data-exposure',
      'stack-trace-exposure',
      'error-message-exposure',
    ],
    cwe: [209, 497],
  },
  'sensitive-data-in-log': {
    words: ['secret-in-log', 'sensitive-logging', 'credentials-in-log', 'pii-in-log'],
    cwe: [532],
  },
  'debug-enabled': {
    words: ['debug-mode', 'flask-debug-true', 'active-debug-code'],
    cwe: [215, 489],
  },
  'insecure-temp-file': {
    words: ['insecure-temporary-file', 'predictable-temp-file', 'mktemp-use'],
    cwe: [377, 379],
  },
  'insecure-permissions': {
    words: ['permissive-file-mode', 'world-writable', 'bad-file-permissions', 'chmod-permissive'],
    cwe: [276, 732],
  },
  'electron-isolation': { words: ['node-integration', 'context-isolation-disabled'] },
  'race-condition': {
    words: ['data-race', 'race', 'concurrency-race', 'unsynchronized-access'],
    cwe: [362, 366],
  },
  toctou: {
    words: ['time-of-check-time-of-use', 'time-of-check-to-time-of-use', 'check-then-act'],
    cwe: [367],
  },
  deadlock: { words: ['lock-ordering'], cwe: [833] },
  'off-by-one': {
    words: ['off-by-one-error', 'fencepost', 'fencepost-error', 'loop-bound', 'wrong-loop-bound'],
    cwe: [193],
  },
  'out-of-bounds': {
    words: ['buffer-overflow', 'index-out-of-bounds', 'out-of-bounds-read', 'out-of-bounds-write'],
    cwe: [120, 121, 122, 125, 129, 787, 788],
  },
  'integer-overflow': {
    words: ['arithmetic-overflow', 'integer-underflow', 'integer-wraparound'],
    cwe: [190, 191],
  },
  'division-by-zero': { words: ['divide-by-zero', 'zero-division'], cwe: [369] },
  'precision-loss': {
    words: ['float-money', 'floating-point-money', 'no-loss-of-precision', 'rounding-error'],
    cwe: [1339],
  },
  'null-dereference': {
    words: [
      'null-pointer-dereference',
      'null-pointer',
      'nil-dereference',
      'undefined-dereference',
      'undefined-access',
      'missing-null-check',
      'null-reference',
    ],
    cwe: [476],
  },
  'use-after-free': { words: [], cwe: [416] },
  'double-free': { words: [], cwe: [415] },
  'resource-leak': {
    words: [
      'file-handle-leak',
      'handle-leak',
      'connection-leak',
      'descriptor-leak',
      'unclosed-resource',
      'unclosed-file',
      'missing-close',
    ],
    cwe: [772, 775],
  },
  'memory-leak': { words: ['listener-leak', 'unbounded-cache', 'unbounded-growth'], cwe: [401] },
  'unbounded-input': {
    words: ['resource-exhaustion', 'unbounded-allocation', 'missing-size-limit', 'missing-limit'],
    cwe: [770],
  },
  'infinite-loop': { words: ['endless-loop'], cwe: [835] },
  'uncontrolled-recursion': { words: ['unbounded-recursion', 'deep-recursion'], cwe: [674] },
  'swallowed-error': {
    words: [
      'swallowed',
      'swallowed-exception',
      'empty-catch',
      'empty-catch-block',
      'no-empty-catch',
      'ignored-error',
      'ignored-exception',
      'error-swallowing',
      'silent-failure',
      'try-except-pass',
      'bare-except',
      'missing-error-handling',
      'unhandled-error',
      'unchecked-error',
    ],
    cwe: [390, 391, 1069],
  },
  'unhandled-rejection': {
    words: ['floating-promise', 'no-floating-promises', 'missing-await', 'forgotten-await'],
  },
  'missing-timeout': { words: ['no-timeout', 'request-without-timeout'], cwe: [1088] },
  'wrong-comparison': {
    words: [
      'loose-equality',
      'eqeqeq',
      'incorrect-comparison',
      'wrong-operator',
      'inverted-condition',
    ],
    cwe: [480, 597],
  },
  'assignment-in-condition': { words: ['no-cond-assign'], cwe: [481] },
  'dead-code': {
    words: ['unreachable-code', 'no-unreachable', 'unreachable'],
    cwe: [561],
  },
  'unused-code': {
    words: [
      'unused-variable',
      'no-unused-vars',
      'unused-import',
      'unused-export',
      'unused-function',
    ],
    cwe: [563],
  },
  'n-plus-one': { words: ['n-plus-one-query', 'n+1', 'n+1-query', 'query-in-loop'] },
  'duplicate-code': {
    words: ['duplication', 'code-duplication', 'duplicated-code', 'copy-paste'],
    cwe: [1041],
  },
};

/** Numbers of rules of bandit (`b`, as ruff counts them: `s`) and gosec (`g`). */
const NUMBERED_RULES: Readonly<Record<string, readonly string[]>> = {
  'command-injection': ['b602', 'b604', 'b605', 's602', 's604', 's605', 'g204'],
  'code-injection': ['b102', 'b307', 's102', 's307'],
  'sql-injection': ['b608', 's608', 'g201', 'g202'],
  'unsafe-deserialization': ['b301', 'b302', 'b506', 's301', 's302', 's506'],
  'weak-crypto': [
    'b303',
    'b304',
    'b305',
    'b324',
    's303',
    's304',
    's305',
    's324',
    'g401',
    'g501',
    'g502',
    'g503',
    'g505',
  ],
  'insecure-random': ['b311', 's311', 'g404'],
  'hard-coded-secret': ['b105', 'b106', 'b107', 's105', 's106', 's107', 'g101'],
  'insecure-tls': ['b501', 's501', 'g402'],
  'path-traversal': ['g304'],
  'zip-slip': ['b202', 's202', 'g305'],
  'insecure-temp-file': ['b108', 'b306', 's108', 's306', 'g303'],
  'insecure-permissions': ['b103', 's103', 'g301', 'g302', 'g306'],
  xxe: [
    'b313',
    'b314',
    'b315',
    'b316',
    'b317',
    'b318',
    'b319',
    's313',
    's314',
    's315',
    's316',
    's317',
    's318',
    's319',
  ],
  xss: ['b308', 'b701', 'b703', 's308', 's701', 'g203'],
  'debug-enabled': ['b201', 's201'],
  'missing-timeout': ['b113', 's113'],
  'swallowed-error': ['b110', 'b112', 's110', 's112'],
  ssrf: ['g107'],
};

const KIND_OF_WORD: ReadonlyMap<string, string> = new Map(
  Object.entries(DEFECT_KINDS).flatMap(([kind, { words }]) =>
    [kind, ...words, ...(NUMBERED_RULES[kind] ?? [])].map((word) => [word, kind] as const),
  ),
);

const KIND_OF_CWE: ReadonlyMap<number, string> = new Map(
  Object.entries(DEFECT_KINDS).flatMap(([kind, { cwe = [] }]) =>
    cwe.map((number) => [number, kind] as const),
  ),
);
