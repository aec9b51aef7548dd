import { hash } from 'node:crypto';
import { canonicalJson } from '../std/canonical-json.ts';

/** SHA-256 of a text's UTF-8: what `sha256Hex` gives, a few times faster for prompts and files. */
export const digestOfText = (text: string): string => hash('sha256', text);

/** What `digestOf` gives of a value, for the many ids of a plan. */
export const digestOfValue = (value: unknown): string => digestOfText(canonicalJson(value));
