/**
 * The kind of a defect that a weakness of the CWE list is, where we have a word for it: tools that name
 * the same CWE then speak of the same kind.
 */
const CATEGORIES: Readonly<Record<number, string>> = {
  20: 'input-validation',
  22: 'path-traversal',
  23: 'path-traversal',
  36: 'path-traversal',
  73: 'path-traversal',
  77: 'command-injection',
  78: 'command-injection',
  79: 'cross-site-scripting',
  80: 'cross-site-scripting',
  88: 'command-injection',
  89: 'sql-injection',
  90: 'ldap-injection',
  94: 'code-injection',
  95: 'code-injection',
  113: 'header-injection',
  117: 'log-injection',
  134: 'format-string',
  190: 'integer-overflow',
  200: 'information-exposure',
  209: 'information-exposure',
  259: 'hardcoded-secret',
  287: 'authentication',
  295: 'certificate-validation',
  306: 'authentication',
  321: 'hardcoded-secret',
  326: 'weak-cryptography',
  327: 'weak-cryptography',
  328: 'weak-cryptography',
  330: 'weak-randomness',
  338: 'weak-randomness',
  352: 'cross-site-request-forgery',
  362: 'race-condition',
  367: 'race-condition',
  377: 'insecure-temporary-file',
  400: 'denial-of-service',
  401: 'resource-leak',
  416: 'use-after-free',
  434: 'unrestricted-upload',
  476: 'null-dereference',
  502: 'unsafe-deserialization',
  601: 'open-redirect',
  611: 'xml-external-entities',
  643: 'xpath-injection',
  732: 'file-permissions',
  770: 'denial-of-service',
  776: 'denial-of-service',
  798: 'hardcoded-secret',
  915: 'mass-assignment',
  916: 'weak-cryptography',
  918: 'server-side-request-forgery',
  943: 'nosql-injection',
  1321: 'prototype-pollution',
  1333: 'slow-regular-expression',
};

/** A category for the first of the words that names a CWE, however the tool writes it. */
export const categoryOfWeakness = (words: readonly unknown[]): string | undefined => {
  for (const word of words) {
    const text = typeof word === 'number' ? `CWE-${word}` : word;
    if (typeof text !== 'string') continue;
    const [, digits] = /\bCWE[-_:/]0{0,5}(\d{1,5})\b/i.exec(text.slice(0, 500)) ?? [];
    if (digits === undefined) continue;
    const number = Number(digits);
    return CATEGORIES[number] ?? `cwe-${number}`;
  }
  return undefined;
};

/** What shows a secret where it is quoted. */
export const HARDCODED_SECRET = 'hardcoded-secret';
