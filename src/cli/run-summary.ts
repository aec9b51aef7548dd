import { relative } from 'node:path';
import { inheritedFrom } from '../decider/inherited.ts';
import { inheritedWords } from '../domain/inherited-from.ts';
import { counted } from '../std/counted.ts';
import { tallyFindings } from '../domain/finding-standing.ts';
import { nothingChanged, selectionWords } from '../domain/selection.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';
import type { RunResult } from './run-result.ts';
import { commandTo, type Way } from './way-to.ts';

/** What a person reads when a run has ended: what came of it, where it lies, what to do next. */
export const runSummary = (result: RunResult, way: Way): string => {
  const { state, report, paths, exit, end } = result;
  const { findings, coverage } = report.synthesis;
  const { counts } = coverage;
  const inherited = inheritedFrom(state);
  const tally = tallyFindings(findings);
  const told = [
    ...SEVERITIES.flatMap((severity) =>
      tally.bySeverity[severity] === 0 ? [] : [`${tally.bySeverity[severity]} ${severity}`],
    ),
    ...(tally.notAnchored === 0
      ? []
      : [`${tally.notAnchored} more whose quoted source was not found`]),
    ...(tally.refuted === 0 ? [] : [`${tally.refuted} refuted`]),
  ];
  const selection = state.settings?.selection;
  const lines = [
    `Audit ${state.opened?.audit ?? ''} of ${state.opened?.root.name ?? ''}: ${headline(result)}`,
    ...(selection === undefined ? [] : [`  asked     ${selectionWords(selection)}`]),
    `  files     ${coverage.files.total}, looked at ${coverage.files.looked}`,
    `  coverage  ${coverage.cells} cells (file × lens): ${counts.reviewed} reviewed, ${counts.analyzersOnly} by analyzers only, ${counts.failed} failed, ${counts.notReviewed} not reviewed, ${counts.skipped} skipped`,
    ...(inherited.length === 0
      ? []
      : [`  inherited ${inheritedWords(inherited)}: nothing was paid for these again`]),
    `  findings  ${tally.total}${told.length === 0 ? '' : ` (${told.join(', ')})`}`,
    `  report    ${relative(process.cwd(), paths.markdown)}`,
    ...advice(result, way),
    `Exit ${exit.code}: ${exit.reasons.map(({ message }) => message).join(' ')}`,
  ];
  if (end.kind === 'unchanged')
    lines.splice(1, 0, '  Nothing has changed since; nothing was done.');
  return lines.join('\n');
};

/** Why most of what was given up was: a wrong path to a program fails the same way each time. */
const failureText = ({ tasks }: RunResult['state']): string[] => {
  const counts = new Map<string, number>();
  for (const { status, reason } of tasks.values()) {
    if (status !== 'abandoned' || reason === undefined) continue;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, left], [, right]) => right - left);
  return most === undefined ? [] : [`  failed    ${counted(most[1], 'task')}: ${most[0]}`];
};

const headline = ({ state }: RunResult): string => {
  if (state.completed?.how === 'full') return 'complete';
  if (state.completed?.how === 'partial') return 'complete, in part';
  return `${state.lifecycle.path}, not complete`;
};

const advice = ({ state, report, files }: RunResult, way: Way): string[] => {
  const toNew = { ...way, audit: undefined };
  const { waitsFor } = state.blocker ?? {};
  if (waitsFor === 'hand-off') {
    return [
      `  packets   ${relative(process.cwd(), files.handOffs)}/<packet>/prompt.md, the answer beside it as answer.json`,
      `  go on     casefile ${commandTo(way, 'ingest')} (takes the answers there), or one by one: casefile ${commandTo(way, 'next')}`,
    ];
  }
  if (waitsFor === 'answer') return [];
  if (state.completed === undefined) {
    return [`  go on     casefile ${commandTo(way, 'run')} (and the same flags)`];
  }
  if (state.completed.how === 'partial') {
    const why =
      state.settings?.reviewer === 'agent'
        ? 'a new audit asks for what this one did not get'
        : 'this audit is over';
    return [
      ...failureText(state),
      `  again     casefile ${commandTo(toNew, 'run', '--again')} (and the same flags): ${why}`,
    ];
  }
  // The reason of the exit says it all.
  if (nothingChanged(state.settings?.selection) !== undefined) return [];
  if (report.synthesis.coverage.files.looked === 0) {
    return [
      '  note      Nothing was looked at: the report says of every file why it was left out.',
    ];
  }
  if (state.settings?.reviewer !== 'analyzers') return [];
  return [
    '  note      Only analyzers looked at this code: no agent has read it. To have one read it:',
    `            casefile ${commandTo(toNew, 'run', '--provider', 'command', '--command', 'your-agent {prompt} {answer}')}   (what it would take: casefile plan with the same flags)`,
  ];
};
