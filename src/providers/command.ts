import { join } from 'node:path';
import { answer } from '../domain/answer.ts';
import type { AttemptEnd } from '../domain/attempt-end.ts';
import { accountId } from '../domain/ids.ts';
import { LENSES } from '../domain/vocabulary.ts';
import type { AttemptRunner, ProcessReport } from '../platform/attempt-runner.ts';
import type { Environment } from '../platform/child-environment.ts';
import type { Disk } from '../platform/disk.ts';
import { writeInput } from './attempt-inputs.ts';
import { parseCommandTemplate, PLACEHOLDERS, type Placeholder } from './command-template.ts';
import {
  LIMIT_EXIT_CODE,
  parseJson,
  readLimitSignal,
  readQuestionSignal,
} from './worker-signal.ts';
import type { AttemptJob, Provider, ProviderReport } from './provider.ts';

export type CommandProviderOptions = {
  /** Program and arguments, with `{prompt} {answer} {packet} {signal} {tree}` in the arguments. */
  readonly command: readonly string[];
  /** How many may run at a time, when the operator said so. */
  readonly width?: number | undefined;
  /** Variables of the operator's choice for the worker, beside the built environment. */
  readonly environment?: Environment | undefined;
  readonly runner: AttemptRunner;
  readonly disk: Disk;
};

/** Nobody knows what a program's service can take: small, but not one after the other. */
const UNKNOWN_WIDTH = 2;

/**
 * Any program as a worker (the public `command` contract).
 *
 *     a valid answer file    an answer, whatever the exit code
 *     else a question        in the signal file: the operator is asked
 *     else exit code 75      a limit, until the signal file's `resetAt` if it says so
 *     else                   failed, 0 too; what stands in the answer file is recorded and judged
 *
 * @throws {UsageError} for a command that cannot be meant.
 */
export const createCommandProvider = (options: CommandProviderOptions): Provider => {
  const { command, width, environment = {}, runner, disk } = options;
  const template = parseCommandTemplate(command);
  return {
    id: 'command',
    reviewer: 'agent',
    account: {
      id: accountId.parse('command'),
      ceiling: width ?? UNKNOWN_WIDTH,
      source: width === undefined ? 'unknown' : 'declared',
    },
    lenses: LENSES,
    covers: () => true,
    run: async (job, stop) => {
      const tree = job.tree.folder;
      if (tree === undefined && template.uses.has('tree')) {
        const message = 'the command names {tree}, and this audit has no folder of files';
        return { end: { kind: 'not-started', message } };
      }
      const paths: Readonly<Record<Placeholder, string>> = {
        prompt: join(job.scratch, 'prompt.md'),
        packet: join(job.scratch, 'packet.json'),
        answer: join(job.scratch, 'answer.json'),
        signal: join(job.scratch, 'signal.json'),
        tree: tree ?? '',
      };
      await writeInputs(disk, job, paths);
      const report = await runner.run(
        {
          marker: `${job.audit}:${job.token}`,
          scratch: job.scratch,
          command: template.fill(paths),
          environment: { ...environment, ...variablesOf(paths) },
          stdinFile: paths.prompt,
          answerFile: paths.answer,
          signalFile: paths.signal,
          limits: job.limits,
        },
        stop,
      );
      return judge(report);
    },
  };
};

const writeInputs = async (
  disk: Disk,
  job: AttemptJob,
  paths: Readonly<Record<Placeholder, string>>,
): Promise<void> => {
  await disk.makeDirectory(job.scratch);
  await writeInput(disk, paths.prompt, job.prompt);
  await writeInput(disk, paths.packet, `${JSON.stringify(job.brief, undefined, 2)}\n`);
};

const variablesOf = (paths: Readonly<Record<Placeholder, string>>): Environment =>
  Object.fromEntries(
    Object.entries(PLACEHOLDERS)
      .map(([name, variable]) => [variable, paths[name as Placeholder]] as const)
      .filter(([, value]) => value !== ''),
  );

const judge = (report: ProcessReport): ProviderReport => {
  const { stdout, stderr } = report;
  const said = parseJson(report.answer);
  const isValid = Array.isArray(said) || answer.safeParse(said).success;
  const asked = isValid ? undefined : questionOf(report);
  if (asked !== undefined) return { end: asked, stdout, stderr };
  const end = limitOf(report) ?? report.end;
  // Half an answer that a limit cut off says nothing about the work; judged, it would count.
  const isKept = report.answer !== undefined && (isValid || end.kind !== 'limited');
  return { end, stdout, stderr, ...(isKept ? { answer: report.answer } : {}) };
};

/** Whoever we ended (out of time, cancelled) did not end with a question. */
const questionOf = ({ end, signal }: ProcessReport): AttemptEnd | undefined =>
  end.kind === 'exited' || end.kind === 'crashed' || end.kind === 'lost'
    ? readQuestionSignal(signal)
    : undefined;

const limitOf = ({ end, signal }: ProcessReport): AttemptEnd | undefined => {
  if (end.kind === 'crashed' && end.exitCode === LIMIT_EXIT_CODE) {
    return readLimitSignal(signal) ?? { kind: 'limited', limit: 'rate' };
  }
  // The exit code of an adopted process is nobody's to ask: what it wrote down has to do.
  return end.kind === 'lost' ? readLimitSignal(signal) : undefined;
};
