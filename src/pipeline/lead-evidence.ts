import type { Finding, Lead } from '../domain/finding.ts';
import { foldCategory } from './fingerprint.ts';
import { defectKindOf } from './defect-kinds.ts';
import { leadCategory, leadTitle } from './lead-words.ts';

/** What analyzers said about findings, looked up by place. */
export type LeadEvidence = {
  /** The lead that a finding of the provider of analyzers was made of. */
  readonly origin: (finding: Finding) => Lead | undefined;
  /** Leads of the finding's kind on its lines. Whoever stated it, an analyzer points to it too. */
  readonly pointingTo: (finding: Finding) => readonly Lead[];
};

/** Prepared once. Looking up costs by the lines of a place, of which the first `LINES_MAX` count. */
export const createLeadEvidence = (leads: readonly Lead[]): LeadEvidence => {
  const origins = new Map<string, Lead>();
  const onLine = new Map<string, Lead[]>();
  for (const lead of leads) {
    const key = originKey(lead.lens, lead.place, leadCategory(lead), leadTitle(lead));
    if (!origins.has(key)) origins.set(key, lead);
    const line = lineKey(lead.place.path, lead.place.line);
    const known = onLine.get(line);
    if (known === undefined) onLine.set(line, [lead]);
    else if (known.length < LEADS_MAX) known.push(lead);
  }
  return {
    origin: ({ provider, lens, place, category, title }) =>
      provider === 'builtin' ? origins.get(originKey(lens, place, category, title)) : undefined,
    pointingTo: ({ place, category, anchored }) => {
      if (!anchored) return [];
      const kind = kindOf(category);
      const end = Math.min(place.endLine ?? place.line, place.line + LINES_MAX - 1);
      const found: Lead[] = [];
      for (let line = place.line; line <= end; line += 1) {
        for (const lead of onLine.get(lineKey(place.path, line)) ?? []) {
          if (kindOf(lead.category ?? lead.rule) === kind) found.push(lead);
        }
      }
      return found;
    },
  };
};

const LINES_MAX = 30;
/** Leads on one line that are compared. */
const LEADS_MAX = 16;

const kindOf = (category: string): string => defectKindOf(category) ?? foldCategory(category);

const lineKey = (path: string, line: number): string => `${line} ${path}`;

const originKey = (lens: string, place: Lead['place'], category: string, title: string): string =>
  [lens, place.line, foldCategory(category), title, place.path].join('\n');
