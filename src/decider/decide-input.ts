import type { Command } from '../domain/commands.ts';
import type { AuditEvent, InputKind } from '../domain/events.ts';
import { decided, rejected, type Decision } from './decision.ts';
import { answersImported, isRepeat } from './decide-attempt.ts';
import { knownInput } from './held-inputs.ts';
import type { AuditState } from './state.ts';

type Receive = Extract<Command, { type: 'ReceiveInput' }>;
type Report = Extract<Command, { type: 'ReportInput' }>;

/**
 * Something is handed in from outside. The same bytes handed in again change nothing; what a finished
 * audit cannot use any more is refused, but for answers, which are recorded as late.
 */
export const decideReceive = (state: AuditState, command: Receive): Decision => {
  const { type: _, now, packet, ...input } = command;
  const { kind, content } = input;
  const number = knownInput(state, {
    kind,
    digest: content.digest,
    ...(packet !== undefined && { packet }),
  });
  if (number !== undefined) {
    return rejected('repeat', `These very bytes were handed in before (event ${number}).`);
  }
  if (state.completed !== undefined && input.kind !== 'answers') {
    return rejected('audit-complete', whyCompleteRefuses(state, input.kind));
  }
  // What analyzers alone have settled was settled without them, and is not looked at again.
  if (input.kind === 'analyzer-results' && isJudgedByAnalyzers(state)) {
    const message = `The analyzers have judged already. ${takingThemAnew(state)}`;
    return rejected('not-possible-now', message);
  }
  return decided([
    { type: 'ExternalInputReceived', ...input, ...(packet !== undefined && { packet }), at: now },
  ]);
};

/** Why a finished audit takes no results of tools, and what to do. */
export const whyCompleteRefuses = (state: AuditState, kind: InputKind): string => {
  const remedy = kind === 'analyzer-results' ? ` ${takingThemAnew(state)}` : '';
  return `The audit is complete and cannot use it any more.${remedy}`;
};

const isJudgedByAnalyzers = ({ settings, attempts }: AuditState): boolean =>
  settings?.reviewer === 'analyzers' && attempts.size > 0;

/** An agent's results are inherited by an audit that is begun with `--again`, so its leads would reach no prompt. */
const takingThemAnew = ({ settings }: AuditState): string =>
  `Begin one that uses it: casefile run --${settings?.reviewer === 'agent' ? 'fresh' : 'again'} --external-analyzer-results FILE`;

/** An input with answers was opened. It is consumed once, in the commit that imports its answers. */
export const decideReportInput = (state: AuditState, command: Report): Decision => {
  const input = state.inputs.get(command.of);
  if (input === undefined || input.isConsumed) {
    return rejected('unknown-input', `No input of event ${command.of} waits to be used.`);
  }
  const refused = [...command.refused];
  const imports: AuditEvent[] = [];
  for (const id of new Set(command.packets)) {
    const packet = state.packets.get(id);
    if (packet === undefined) {
      refused.push({
        code: 'unknown-packet',
        message: `No packet ${id} was planned in this audit.`,
        packet: id,
      });
    } else if (isRepeat(packet, input.content.digest)) {
      refused.push({
        code: 'repeat',
        message: 'These very bytes were handed in for this packet before.',
        packet: id,
      });
    } else {
      imports.push(
        answersImported(state, { packet: id, answer: input.content, source: 'file' }, command.now),
      );
    }
  }
  return decided(
    [
      ...imports,
      {
        type: 'ExternalInputConsumed',
        of: command.of,
        imported: imports.length,
        refused,
        at: command.now,
      },
    ],
    command.of,
  );
};
