import { accountMachine } from '../../../machines/account.machine.ts';
import { attemptMachine } from '../../../machines/attempt.machine.ts';
import { auditMachine } from '../../../machines/audit.machine.ts';
import { chartDot } from '../../reporters/chart-dot.ts';
import { chartJson } from '../../reporters/chart-json.ts';
import { chartMermaid } from '../../reporters/chart-mermaid.ts';
import { terminal } from '../terminal.ts';

const CHARTS = { audit: auditMachine, attempt: attemptMachine, account: accountMachine };
const RENDERERS = { mermaid: chartMermaid, dot: chartDot, json: chartJson };

export type MachineName = keyof typeof CHARTS;
export type MachineFlags = { readonly format: keyof typeof RENDERERS };

/** `casefile machine`: a chart as text for other tools. */
export const machineCommand = (name: MachineName, flags: MachineFlags): number => {
  terminal.answer(RENDERERS[flags.format](CHARTS[name].config).trimEnd());
  return 0;
};
