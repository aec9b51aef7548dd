import { SEVERITIES, type Confidence, type Severity } from '../domain/vocabulary.ts';

const SEVERITY: Readonly<Record<Severity, string>> = {
  critical: 'anyone can take over or destroy what matters, or ordinary use loses or corrupts it',
  high: 'serious harm under conditions that will come: a breach, wrong results, an outage',
  medium: 'harm under unusual conditions, or harm that is limited',
  low: 'little harm, or a weakness that becomes harmful together with another',
  info: 'nothing breaks; good to know',
};

const CONFIDENCE: Readonly<Record<Confidence, string>> = {
  high: 'the source that you have read proves it',
  medium: 'it depends on something that you could not see',
  low: 'it is likely, and somebody should check',
};

/** What each severity and confidence means, a line each: the same to all who are asked for one. */
export const SEVERITY_GUIDE: string = SEVERITIES.map(
  (severity) => `- ${severity}: ${SEVERITY[severity]}`,
).join('\n');
export const CONFIDENCE_GUIDE: string = Object.entries(CONFIDENCE)
  .map(([word, meaning]) => `- ${word}: ${meaning}`)
  .join('\n');
