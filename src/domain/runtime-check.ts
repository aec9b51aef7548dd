import { z } from 'zod';

/**
 * What running something of the project showed:
 *
 *   passed        it ran and said that all is well
 *   failed        it ran and said that something is wrong
 *   inconclusive  it ran and came to no end of its own
 *   notRun        it could not run here: that says nothing about the project (W74)
 */
export const RUNTIME_VERDICTS = ['passed', 'failed', 'inconclusive', 'notRun'] as const;
export const runtimeVerdict = z.enum(RUNTIME_VERDICTS);
export type RuntimeVerdict = z.infer<typeof runtimeVerdict>;

/** One command of the project with its own verdict, or what somebody else found out by running something. */
export const runtimeCheck = z.strictObject({
  /** Ours: kind, folder and program of the command. Imported: the id that the file gives it. */
  id: z.string(),
  /** The command line; of an imported one, its summary. */
  command: z.string(),
  verdict: runtimeVerdict,
  /** One clause: how it ended. */
  why: z.string(),
  /** Files of the audit that its output names, the most often named first. */
  paths: z.array(z.string()),
  /** The end of its output, or the evidence that came with it; printable lines. */
  output: z.array(z.string()),
  durationMs: z.int().nonnegative().optional(),
  /** The file that it was imported from, without folders. Absent: we ran it. */
  importedFrom: z.string().optional(),
});
export type RuntimeCheck = z.infer<typeof runtimeCheck>;

/** Artifact of the stage "runtime validation". */
export const runtimeValidation = z.strictObject({ checks: z.array(runtimeCheck) });
export type RuntimeValidation = z.infer<typeof runtimeValidation>;
