import type { QuarantinedFinding } from '../domain/synthesis.ts';
import { counted } from '../std/counted.ts';
import { inert, inertCode } from './inert-markdown.ts';

/** What reviewers wrote and nobody could take for a finding, if anything: for people to judge. */
export const quarantinedPart = (quarantined: readonly QuarantinedFinding[]): readonly string[] => {
  if (quarantined.length === 0) return [];
  const left = quarantined.length - SHOWN_MAX;
  return [
    [
      `## Set aside (${quarantined.length})`,
      'Reviewers wrote these beside findings that hold. They could not be taken, and count for nothing.',
      quarantined.slice(0, SHOWN_MAX).map(item).join('\n'),
      ...(left > 0 ? [`and ${counted(left, 'other')} in findings.json.`] : []),
    ].join('\n\n'),
  ];
};

const SHOWN_MAX = 20;
const RAW_SHOWN = 300;

const item = ({ task, at, code, message, raw }: QuarantinedFinding): string =>
  `- ${code}, task ${inert(task, 40)}, ${inert(at, 40)}: ${inert(message, 300)}\n  ${inertCode(raw.slice(0, RAW_SHOWN))}`;
