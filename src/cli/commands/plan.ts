import { inheritedFrom } from '../../decider/inherited.ts';
import { inheritedWords } from '../../domain/inherited-from.ts';
import { LENSES } from '../../domain/vocabulary.ts';
import type { AuditState } from '../../decider/state.ts';
import { createArtifacts } from '../../engine/artifacts.ts';
import { dispositionTotals } from '../../pipeline/disposition.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { createFileBlobStore } from '../../store/file-blob-store.ts';
import { configured, type GivenFlags } from '../configuration.ts';
import { packetText, packetView } from '../plan-packet.ts';
import { createProgress } from '../progress.ts';
import { runAudit } from '../run-audit.ts';
import { counted, grouped } from '../../std/counted.ts';
import { printable } from '../../std/printable.ts';
import { terminal } from '../terminal.ts';
import type { AuditFlag } from './run.ts';
import { EXIT } from '../exit.ts';

/** How many packets a person is shown. */
const PACKETS_SHOWN = 20;

/** `casefile plan`: derives up to the plan and shows it. Starts no attempt and spends nothing. */
export const planCommand = async (
  root: string | undefined,
  { packet, ...given }: GivenFlags & AuditFlag & { readonly packet?: string | undefined },
): Promise<number> => {
  const { place, flags, notes } = await configured(root, given);
  const progress = createProgress({
    isLive: flags.ui === undefined ? terminal.isLive() : flags.ui === 'tty',
  });
  for (const note of notes) progress.note(note);
  const { state, files, exit } = await runAudit(place, { ...flags, planOnly: true }, progress, {
    audit: given.audit,
  }).finally(progress.stop);
  const view = await planView(state, files.directory);
  if (view === undefined) {
    // A stage failed before there was a plan: the audit is blocked and says why.
    for (const { message } of exit.reasons) terminal.say(message);
    return exit.code;
  }
  if (packet !== undefined) {
    const one = await packetView(state, files.directory, packet);
    if (flags.json === true) terminal.json(one);
    else terminal.answer(packetText(one));
    return EXIT.fine;
  }
  if (flags.json === true) terminal.json(view);
  else terminal.answer(planText(view));
  return EXIT.fine;
};

const planView = async (state: AuditState, directory: string) => {
  const disk = createNodeDisk();
  const artifacts = createArtifacts(createFileBlobStore({ disk, directory }));
  const plan = await artifacts.find(state, 'planning');
  const disposition = await artifacts.find(state, 'disposition');
  if (plan === undefined || disposition === undefined) return undefined;
  const inherited = inheritedFrom(state);
  const lensCounts = new Map<string, { tasks: number; cells: number }>();
  for (const task of state.tasks.values()) {
    const counts = lensCounts.get(task.lens) ?? { tasks: 0, cells: 0 };
    lensCounts.set(task.lens, {
      tasks: counts.tasks + 1,
      cells: counts.cells + task.paths.length,
    });
  }
  return {
    contract: 'casefile/plan/v1' as const,
    audit: state.opened?.audit,
    state: state.lifecycle.path,
    provider: state.settings?.provider,
    files: { total: plan.files, byStatus: dispositionTotals(disposition) },
    depth: state.settings?.depth ?? 'standard',
    lenses: LENSES.flatMap((lens) => {
      const counts = lensCounts.get(lens);
      return counts === undefined ? [] : [{ lens, ...counts }];
    }),
    tasks: plan.tasks,
    ...(inherited.length > 0 && { inherited }),
    tokens: plan.tokens,
    /** No price is known to this version; unknown is not zero. */
    costUsd: null,
    /** What an attempt takes is known when some have ended. */
    durationMs: null,
    /** Files larger than a packet, and how they were cut. */
    splits: (plan.splits ?? []).map((split) => ({
      ...split,
      parts: (plan.parts ?? []).filter(({ path }) => path === split.path).length,
    })),
    skipped: plan.skipped.map(({ by, reason, lenses, files }) => ({
      by,
      reason,
      lenses,
      files: files.length,
    })),
    packets: [...state.packets.values()].map(({ spec, status }) => ({
      id: spec.id,
      status,
      tokens: spec.tokens,
      tasks: spec.tasks.length,
      units: [...new Set(spec.tasks.map((id) => state.tasks.get(id)?.unit ?? ''))],
      lenses: [...new Set(spec.tasks.map((id) => state.tasks.get(id)?.lens ?? ''))],
      files: new Set(spec.tasks.flatMap((id) => state.tasks.get(id)?.paths ?? [])).size,
    })),
  };
};

type PlanView = NonNullable<Awaited<ReturnType<typeof planView>>>;

const planText = (view: PlanView): string => {
  const statuses = Object.entries(view.files.byStatus)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`);
  const more = view.packets.length - PACKETS_SHOWN;
  return [
    `Plan of audit ${view.audit ?? ''} (provider ${view.provider ?? ''}; nothing was started)`,
    `  files      ${view.files.total}: ${statuses.join(', ')}`,
    `  tasks      ${counted(view.tasks, 'task')} in ${counted(view.packets.length, 'packet')}`,
    ...(view.inherited === undefined
      ? []
      : [`  inherited  ${inheritedWords(view.inherited)}: in no packet, since they are answered`]),
    ...view.lenses.map(
      ({ lens, tasks, cells }) =>
        `    ${lens.padEnd(18)} ${counted(tasks, 'task')} over ${counted(cells, 'file')}`,
    ),
    `  tokens     about ${grouped(view.tokens)} to read`,
    view.provider === 'builtin'
      ? '  cost       none: the bundled analyzers run on this machine'
      : '  cost       unknown: casefile knows no price for this provider',
    `  time       unknown until attempts have run`,
    ...(view.splits.length === 0 ? [] : ['  cut into parts']),
    ...view.splits
      .slice(0, PACKETS_SHOWN)
      .map(({ path, parts, reason }) => `    ${printable(path)}  ${parts} parts (${reason})`),
    ...(view.skipped.length === 0 ? [] : ['  not asked for']),
    ...view.skipped
      .toSorted((left, right) => right.files - left.files)
      .slice(0, PACKETS_SHOWN)
      .map(
        ({ reason, files, lenses }) =>
          `    ${String(files).padStart(5)} files  ${reason} (${lenses.length === 1 ? lenses[0] : `${lenses.length} lenses`})`,
      ),
    `  packets, the riskiest first`,
    ...view.packets
      .slice(0, PACKETS_SHOWN)
      .map(
        (packet) =>
          `    ${packet.id}  ${String(packet.files).padStart(3)} files ${String(packet.tasks).padStart(3)} tasks ${String(packet.tokens).padStart(7)} tokens  ${packet.units.slice(0, 3).join(', ')}${packet.units.length > 3 ? ', …' : ''}`,
      ),
    ...(more > 0 ? [`    and ${more} more (--json lists all)`] : []),
    ...(view.packets.length > 0 ? ['  --packet ID shows one with its prompt'] : []),
    `Start it with: casefile run (and the same flags)`,
  ].join('\n');
};
