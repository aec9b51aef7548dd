import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestOutput } from '../../src/domain/ingest-output.ts';
import type { NextStep, StepPacket } from '../../src/domain/next-step.ts';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import type { Ended, Workplace } from './built-program.ts';

/**
 * A conversation host as a small loop. It knows `casefile next --json`, does what the step says with
 * the commands that the step allows, and nothing else of casefile.
 */
export type HostRun = {
  /** Packets that it reviewed, in order; one twice when it reviewed it twice. */
  readonly reviewed: readonly string[];
  /** What `ingest` said, of the calls that came to their end. */
  readonly ingested: readonly IngestOutput[];
  readonly last: NextStep;
};

/** A call of the program; undefined when it brought no answer (killed, or another one had the audit). */
export type Call = (...args: readonly string[]) => Promise<Ended>;

/** Drives an audit until it is complete. */
export const driveHost = async (
  call: Call,
  flags: readonly string[],
  knows: (brief: PacketBrief, tree: string) => unknown = findInEverything,
): Promise<HostRun> => {
  const reviewed: string[] = [];
  const ingested: IngestOutput[] = [];
  let command: readonly string[] = ['next', ...flags, '--json'];
  for (;;) {
    const told = await call(...command);
    if (told.code === 2) throw new Error(`There is no next step: ${told.stderr}`);
    const step = read<NextStep>(told);
    if (step === undefined) continue;
    if (step.kind === 'complete') return { reviewed, ingested, last: step };
    const next = allowed(step, 'next');
    if (next === undefined) throw new Error(`No way on: ${JSON.stringify(step.allowedCommands)}`);
    command = next;
    if (step.kind === 'wait') continue;
    if (step.kind !== 'review') throw new Error(`The host cannot help: ${step.summary}`);
    for (const packet of step.packets) {
      await reviewPacket(packet, step.tree ?? '', knows);
      reviewed.push(packet.packet);
    }
    for (;;) {
      const said = await call(...(allowed(step, 'ingest') ?? []), '--json');
      if (said.code === 2) throw new Error(`Nothing could be handed in: ${said.stderr}`);
      const output = read<IngestOutput>(said);
      if (output === undefined) continue;
      ingested.push(output);
      break;
    }
  }
};

/** Reads the packet's file and writes what the host knows about it to the answer's place. */
export const reviewPacket = async (
  { packetPath, answerPath }: Pick<StepPacket, 'packetPath' | 'answerPath'>,
  tree: string,
  knows: (brief: PacketBrief, tree: string) => unknown = findInEverything,
): Promise<void> => {
  const brief = JSON.parse(readFileSync(packetPath, 'utf8')) as PacketBrief;
  await writeFile(answerPath, JSON.stringify(knows(brief, tree)));
};

/** The words of a command that a step allows, after those that call the program itself. */
export const allowed = (step: NextStep, name: string): readonly string[] | undefined =>
  step.allowedCommands.map(wordsOf).find(([word]) => word === name);

/** The words of a command, after those that call the program itself. */
export const wordsOf = (command: string): readonly string[] => {
  const words = command.split(' ');
  return words.slice(words.findIndex((word) => /(^casefile|main\.js)$/.test(word)) + 1);
};

/** The one JSON object on stdout; undefined when the call was ended before it was whole. */
export const read = <Output>({ stdout }: Ended): Output | undefined => {
  try {
    return JSON.parse(stdout) as Output;
  } catch {
    return undefined;
  }
};

/** What the worker `answer-with-finding` knows. */
export const findInEverything = ({ packet, tasks }: PacketBrief, tree: string): unknown => ({
  packet,
  results: tasks.map(({ id, files }) => {
    const path = files[0]?.path ?? '';
    const lines = readFileSync(join(tree, path), 'utf8').split('\n');
    const line = lines.findIndex((content) => content.trim() !== '');
    return {
      task: id,
      verdict: 'findings',
      findings: [
        {
          title: 'The file starts with a defect',
          category: 'example',
          severity: 'medium',
          confidence: 'high',
          path,
          line: line + 1,
          quote: lines[line],
          explanation: 'This worker finds a defect in the first line of everything.',
        },
      ],
    };
  }),
});

/** Every task is clean. */
export const findNothing = ({ packet, tasks }: PacketBrief): unknown => ({
  packet,
  results: tasks.map(({ id }) => ({ task: id, verdict: 'clean' })),
});

/** The first step of an audit of this place, which must be a review. */
export const firstStep = async (
  place: Workplace,
  ...flags: readonly string[]
): Promise<NextStep> => {
  const { code, stdout, stderr } = await place.run('next', ...flags, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as NextStep;
};
