import { FOUND_TOOL_NAMES, type FoundToolName } from '../../domain/consent.ts';
import { findProgram } from '../../platform/find-program.ts';
import { isWithin } from '../../platform/is-within.ts';
import { actionlint } from './actionlint.ts';
import { bandit } from './bandit.ts';
import type { FoundTool } from './found-tool.ts';
import { gitleaks } from './gitleaks.ts';
import { golangciLint } from './golangci-lint.ts';
import { hadolint } from './hadolint.ts';
import { osvScanner } from './osv-scanner.ts';
import { ruff } from './ruff.ts';
import { semgrep } from './semgrep.ts';
import { shellcheck } from './shellcheck.ts';
import { trivy } from './trivy.ts';

export const FOUND_TOOLS: Readonly<Record<FoundToolName, FoundTool>> = {
  semgrep,
  gitleaks,
  trivy,
  'osv-scanner': osvScanner,
  bandit,
  ruff,
  'golangci-lint': golangciLint,
  actionlint,
  hadolint,
  shellcheck,
};

/**
 * The programs that are there, by name, in our order. One that lies in the audited repository is passed over: a
 * repository names no program.
 *
 * @param path usually `process.env.PATH`. @param root absolute; the audited repository.
 */
export const findTools = (
  path: string | undefined,
  root: string,
): ReadonlyMap<FoundToolName, string> => {
  const found = new Map<FoundToolName, string>();
  for (const name of FOUND_TOOL_NAMES) {
    const outside = (path ?? '').split(':').filter((folder) => !isWithin(folder, root));
    const program = findProgram(name, outside.join(':'));
    if (program !== undefined) found.set(name, program);
  }
  return found;
};
