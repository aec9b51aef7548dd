import { FINDINGS_CONTRACT } from '../domain/findings-file.ts';
import { tallyFindings } from '../domain/finding-standing.ts';
import type { ReportInput } from './report-input.ts';

/**
 * `findings.json`: everything that the audit says, for programs. Findings are sorted by severity,
 * path, line and id; the array is the same, byte for byte, for the same results, whatever happened
 * on the way. Unpaired surrogates of odd file names are escaped, so that the text is valid UTF-8.
 */
export const findingsJson = (input: ReportInput): string => {
  const { findings, workBlocks, observations, quarantined, coverage } = input.synthesis;
  const { skipped, gaps, ...counted } = coverage;
  const { ownLenses, depth, components } = input.settings;
  return `${JSON.stringify(
    {
      contract: FINDINGS_CONTRACT,
      audit: input.audit,
      root: input.root,
      ...(input.root.commit === undefined ? {} : { commit: input.root.commit }),
      inputDigest: input.inputDigest,
      tool: input.tool,
      asked: {
        provider: input.settings.provider,
        reviewer: input.settings.reviewer,
        ...(input.settings.model === undefined ? {} : { model: input.settings.model }),
        lenses: input.settings.lenses,
        ...(ownLenses && { ownLenses }),
        ...(depth && { depth }),
        ...(components && { components }),
        include: input.settings.include,
        exclude: input.settings.exclude,
        ...(input.settings.selection === undefined ? {} : { selection: input.settings.selection }),
        failOn: input.settings.failOn,
      },
      state: input.state,
      ...(input.how === undefined ? {} : { how: input.how }),
      reasons: input.reasons,
      startedAt: input.startedAt,
      endedAt: input.endedAt,
      summary: {
        ...tallyFindings(findings),
        quarantined: quarantined.length,
        overGate: input.overGate,
        workBlocks: workBlocks.length,
      },
      findings,
      quarantined,
      workBlocks,
      observations,
      ...(input.runtime !== undefined && { runtime: input.runtime }),
      ...(input.narrative && { narrative: input.narrative }),
      coverage: counted,
      ...(input.inherited.length === 0 ? {} : { inherited: input.inherited }),
      notReviewed: gaps,
      skipped,
      analyzers: input.analyzers,
      spend: input.spend,
      lastSeq: input.position.seq,
      lastHash: input.position.hash,
    },
    undefined,
    2,
  )}\n`;
};
