import type { PacketBrief } from '../../src/domain/packet-brief.ts';

/** Answers in the form of the predecessor, for the tests of its import. */

type Fields = Readonly<Record<string, unknown>>;
type BriefTask = PacketBrief['tasks'][number];

/** An entry that holds: about one task, with the coverage of all its files and no finding. */
export const auditResult = (task: BriefTask, fields: Fields = {}): Fields => ({
  task_id: task.id,
  unit_id: task.unit,
  pass_id: `pass:${task.lens}`,
  lens: task.lens,
  file_coverage: task.files.map(({ path, lines }) => ({ path, total_lines: lines })),
  findings: [],
  ...fields,
});

/** A finding that holds for a task over `src/pay.js`. */
export const auditFinding = (task: BriefTask, fields: Fields = {}): Fields => ({
  id: 'SEC-1',
  title: 'The balance is not checked',
  category: 'missing-check',
  severity: 'high',
  confidence: 'medium',
  lens: task.lens,
  summary: 'An account can be overdrawn.',
  affected_files: [{ path: 'src/pay.js', line_start: 2, line_end: 2 }],
  evidence: ['src/pay.js:2 - account.balance -= amount;'],
  ...fields,
});

/** The tasks of a brief as the rules for results know them. */
export const assignedTasksOf = ({ tasks }: PacketBrief) =>
  tasks.map(({ id, unit, lens, files }) => ({
    id,
    unit,
    pass: `pass:${lens}`,
    lens,
    paths: files.map(({ path }) => path),
  }));
