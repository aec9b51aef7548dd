import { UsageError } from '../../domain/usage-error.ts';
import { decide } from '../../decider/decide.ts';
import type { Reply } from '../../engine/engine.ts';
import { EXIT } from '../exit.ts';
import { createProgress } from '../progress.ts';
import { terminal } from '../terminal.ts';
import { findVisited, visitAudit, type VisitFlags } from '../visit-audit.ts';
import { commandTo, wayFromHere } from '../way-to.ts';

/**
 * `casefile answer`: the operator's word. An unknown question or value is refused whole, and what would
 * be taken is listed; a question is answered once.
 */
export const answerCommand = async (
  question: string,
  value: string,
  flags: VisitFlags,
): Promise<number> => {
  const answer = { type: 'AnswerQuestion', question, value } as const;
  const visited = await findVisited(flags);
  // Looked at before anything is claimed: a typing error leaves no trace in the log.
  const { state: before } = visited.audit;
  const openWriter = { ...before, writer: { ...before.writer, isOpen: true } };
  const first = decide(openWriter, { ...answer, now: before.at });
  if (first.kind === 'rejected') throw refused(first.rejection.message);
  let reply: Reply | undefined;
  const progress = createProgress({ isLive: false });
  const { state, lastSeq, lastHash } = await visitAudit(visited, flags, progress, {
    act: async ({ engine }) => {
      reply = await engine.submit(answer);
    },
  });
  progress.stop();
  if (reply?.kind === 'rejected') throw refused(reply.rejection.message);
  if (flags.json === true) {
    const { path } = state.lifecycle;
    terminal.json({ audit: visited.audit.audit, question, value, state: path, lastSeq, lastHash });
  } else {
    const { question: left } = state.blocker ?? {};
    const way = await wayFromHere(visited.place, flags.audit);
    const next =
      left === undefined
        ? `  go on     casefile ${commandTo(way, 'run')} (and the same flags), or casefile ${commandTo(way, 'next')}`
        : `  asked     ${state.blocker?.message ?? ''} ${state.blocker?.remedy ?? ''}`;
    terminal.answer(`Question ${question} is answered: ${value}\n${next}`);
  }
  return EXIT.fine;
};

const refused = (message: string): UsageError =>
  new UsageError(message, 'What is asked is told by: casefile status');
