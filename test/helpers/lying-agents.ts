import type { AnswerFinding } from '../../src/domain/answer.ts';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import type { RejectionCode } from '../../src/domain/vocabulary.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Defects that somebody put into files, with which agents know them, and everything they do wrong on the way. */
export type Seeded = {
  readonly files: Readonly<Record<string, string>>;
  readonly defects: readonly Defect[];
};

export type Defect = {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly quote: string;
  readonly category: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low';
  /** Under which lenses agents tell it: under several it is still one defect. */
  readonly lenses: readonly ('security' | 'correctness')[];
  /** The same text stands elsewhere in the file. */
  readonly isTwin: boolean;
};

/** How casefile names what is wrong with an answer, read from outside. */
export type Named = {
  /** Codes of what was refused or set aside of this answer. */
  readonly codes: ReadonlySet<string>;
  readonly repairs: readonly string[];
  /** Titles of the report's findings of which no quote was found. */
  readonly notAnchored: ReadonlySet<string>;
  /** Places that findings of the report stated and that were put right, as `path:line`. */
  readonly restated: ReadonlySet<string>;
};

/** An answer with one thing wrong with it, and how that must be named. */
export type ToldAnswer = {
  readonly bytes: Uint8Array;
  readonly lie: string;
  readonly isNamed: (named: Named) => boolean;
};

export type Lie = (
  given: Readonly<{
    honest: HonestAnswer;
    brief: PacketBrief;
    seeded: Seeded;
    random: SeededRandom;
    /** Of the whole run: makes what is made up unique. */
    number: number;
  }>,
) => Omit<ToldAnswer, 'lie'> | undefined;

type Result = {
  task: string;
  verdict: string;
  findings?: AnswerFinding[];
} & Record<string, unknown>;
export type HonestAnswer = { packet: string; results: Result[] };

/** All that is wrong with a task's files under its lens, and nothing else. */
export const honestAnswer = (brief: PacketBrief, { defects }: Seeded): HonestAnswer => ({
  packet: brief.packet,
  results: brief.tasks.map((task) => {
    const findings = defects
      .filter(
        ({ path, lenses }) =>
          task.files.some((file) => file.path === path) && lenses.some((one) => one === task.lens),
      )
      .map((defect) => findingOf(defect));
    return findings.length === 0
      ? { task: task.id, verdict: 'clean' }
      : { task: task.id, verdict: 'findings', findings };
  }),
});

const findingOf = ({ path, line, quote, category, severity }: Defect): AnswerFinding => ({
  title: `Defect at ${path}:${line}`,
  category,
  severity,
  confidence: 'high',
  path,
  line,
  quote,
  explanation: 'It was put there.',
});

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const refusedAs =
  (...codes: readonly RejectionCode[]) =>
  ({ codes: told }: Named): boolean =>
    codes.some((code) => told.has(code));

/** A finding that nobody put there, about the first line of the task's first file. */
const madeUp = (
  { brief, seeded, number }: Parameters<Lie>[0],
  change: Readonly<Record<string, unknown>> = {},
): AnswerFinding => {
  const path = brief.tasks[0]?.files[0]?.path ?? '';
  return {
    title: `Made up ${number}`,
    category: 'made-up',
    severity: 'critical',
    confidence: 'high',
    path,
    line: 1,
    quote: seeded.files[path]?.split('\n')[0] ?? '',
    explanation: 'Nobody put it there.',
    ...change,
  };
};

/** The answer with a made-up finding in its first result. */
const withFinding = (
  given: Parameters<Lie>[0],
  change: Readonly<Record<string, unknown>>,
  verdict = 'findings',
): Uint8Array =>
  withResult(given, ([first, ...more]) => [
    {
      ...(first as Result),
      verdict,
      findings: [...(first?.findings ?? []), madeUp(given, change)],
    },
    ...more,
  ]);

const withResult = (
  { honest }: Parameters<Lie>[0],
  change: (results: Result[]) => Result[],
): Uint8Array => {
  const { packet, results } = structuredClone(honest);
  return bytesOf({ packet, results: change(results) });
};

/** Each lie tells what is true beside what is not, where its kind lets it. */
export const LIES: Readonly<Record<string, Lie>> = {
  'an invented quote': (given) => ({
    bytes: withFinding(given, { quote: `launchMissiles(${given.number})` }),
    isNamed: ({ notAnchored }) => notAnchored.has(`Made up ${given.number}`),
  }),
  'a quote that says nothing': (given) => ({
    bytes: withFinding(given, { quote: '}', line: 2 }),
    isNamed: ({ notAnchored }) => notAnchored.has(`Made up ${given.number}`),
  }),
  'a path outside of the tree': (given) => ({
    bytes: withFinding(given, { path: '../../etc/passwd' }),
    isNamed: refusedAs('path-outside-task'),
  }),
  'a file that was not sent': (given) => {
    const own = new Set(given.brief.tasks.flatMap(({ files }) => files.map(({ path }) => path)));
    const path = Object.keys(given.seeded.files).find((one) => !own.has(one));
    if (path === undefined) return undefined;
    return {
      bytes: withFinding(given, { path, quote: given.seeded.files[path]?.split('\n')[0] ?? '' }),
      isNamed: refusedAs('path-outside-task'),
    };
  },
  'a line that no file has': (given) => ({
    bytes: withFinding(given, { line: 99_999 }),
    isNamed: refusedAs('invalid-location'),
  }),
  'a finding that says it is verified': (given) => ({
    bytes: withFinding(given, { verified: true }),
    isNamed: refusedAs('self-verified'),
  }),
  'an answer that says it is confirmed': ({ honest }) => ({
    bytes: bytesOf({ ...honest, confirmed: true }),
    isNamed: refusedAs('self-verified'),
  }),
  'wrong lines': ({ honest, seeded, random }) => {
    const answer = structuredClone(honest);
    // What two lenses tell is joined, and then has the place that was stated right.
    const alone = seeded.defects.filter(({ isTwin, lenses }) => !isTwin && lenses.length === 1);
    const stated = answer.results
      .flatMap(({ findings = [] }) => findings)
      .find(({ path, line }) => alone.some((one) => one.path === path && one.line === line));
    if (stated === undefined) return undefined;
    const last = (seeded.files[stated.path]?.split('\n').length ?? 1) - 1;
    const line = 1 + ((stated.line + random.below(last - 1)) % last);
    const place = `${stated.path}:${line}`;
    if (line === stated.line) return undefined;
    stated.line = line;
    return { bytes: bytesOf(answer), isNamed: ({ restated }) => restated.has(place) };
  },
  'a finding told twice': (given) => {
    const answer = structuredClone(given.honest);
    const result = answer.results.find(({ findings }) => findings !== undefined);
    const [first] = result?.findings ?? [];
    if (result?.findings === undefined || first === undefined) return undefined;
    result.findings.push({ ...first, title: 'The same in other words' });
    return {
      bytes: bytesOf(answer),
      isNamed: ({ repairs }) => repairs.some((one) => one.includes('again')),
    };
  },
  'a task of nobody': (given) => ({
    bytes: withResult(given, (results) => [
      ...results,
      { task: 't-ffffffffffffffff', verdict: 'clean' },
    ]),
    isNamed: refusedAs('unknown-task'),
  }),
  'another packet': ({ honest }) => ({
    bytes: bytesOf({ ...honest, packet: 'p-ffffffffffffffff' }),
    isNamed: refusedAs('wrong-packet'),
  }),
  'clean, with findings': (given) => ({
    bytes: withFinding(given, {}, 'clean'),
    isNamed: refusedAs('wrong-shape'),
  }),
  'two verdicts on one task': (given) => ({
    bytes: withResult(given, (results) => [
      ...results,
      ...results
        .slice(0, 1)
        .map(({ task, verdict }): Result =>
          verdict === 'clean'
            ? { task, verdict: 'findings', findings: [madeUp(given)] }
            : { task, verdict: 'clean' },
        ),
    ]),
    isNamed: refusedAs('conflicting-answer'),
  }),
  'no verdict': (given) => ({
    bytes: withResult(given, ([first, ...more]) => [
      { ...(first as Result), verdict: 'fine' },
      ...more,
    ]),
    isNamed: refusedAs('no-verdict'),
  }),
  'a claim of having read what was not sent': (given) => ({
    bytes: withResult(given, ([first, ...more]) => [
      { ...(first as Result), filesReviewed: ['src/never-sent.js'] },
      ...more,
    ]),
    isNamed: refusedAs('path-outside-task'),
  }),
  'a task left out': (given) => ({
    bytes: withResult(given, (results) =>
      results.length > 1 ? results.slice(1) : [{ task: 'nothing', verdict: 'clean' }],
    ),
    isNamed: refusedAs('not-accounted-for', 'unknown-task'),
  }),
  'an end that is missing': ({ honest }) => {
    const text = JSON.stringify(honest);
    return {
      bytes: Buffer.from(text.slice(0, -12)),
      isNamed: ({ codes, repairs }) =>
        codes.has('unreadable-answer') ||
        codes.has('not-accounted-for') ||
        repairs.some((one) => one.includes('missing')),
    };
  },
  'no JSON at all': () => ({
    bytes: Buffer.from('I looked at everything, and it is fine.'),
    isNamed: refusedAs('unreadable-answer'),
  }),
  'white space alone': () => ({
    bytes: Buffer.from(' \n'),
    isNamed: refusedAs('unreadable-answer'),
  }),
  'prose around it': ({ honest }) => ({
    bytes: Buffer.from(
      `Here it is:\n\`\`\`json\n${JSON.stringify(honest)}\n\`\`\`\nAnything else?`,
    ),
    isNamed: ({ repairs }) => repairs.some((one) => one.includes('around')),
  }),
  'a text that holds it': ({ honest }) => ({
    bytes: bytesOf(JSON.stringify(honest)),
    isNamed: ({ repairs }) => repairs.some((one) => one.includes('text')),
  }),
};

/**
 * Files with defects whose place is known: lines that stand once, statements that stand twice in
 * a function, one defect that is told under both lenses, and files without any.
 */
export const seedRepository = (random: SeededRandom): Seeded => {
  const files: Record<string, string> = {};
  const defects: Defect[] = [];
  for (let part = 0; part < 3 + random.below(3); part += 1) {
    const path = `part${part}/file.js`;
    const lines = [`export const start${part} = () => ${part};`];
    const add = (quote: string, isTwin: boolean): void => {
      lines.push(`  ${quote}`);
      const both = random.oneIn(3);
      defects.push({
        path,
        line: lines.length,
        quote,
        category: random.oneIn(2) ? 'code-injection' : 'lost-error',
        severity: (['critical', 'high', 'medium', 'low'] as const)[random.below(4)] ?? 'low',
        lenses: both ? ['security', 'correctness'] : [random.oneIn(2) ? 'security' : 'correctness'],
        isTwin,
      });
    };
    for (let index = 0; index < 2 + random.below(4); index += 1) {
      lines.push(`export function work${index}(input) {`, `  const kept${index} = [input];`);
      const kind = random.below(4);
      if (kind === 1) add(`eval(input.part${part}_${index});`, false);
      if (kind === 2) {
        add('store(input);', true);
        lines.push(`  kept${index}.push('between');`);
        add('store(input);', true);
      }
      lines.push(`  return kept${index}.length + ${part};`, '}');
    }
    files[path] = `${lines.join('\n')}\n`;
  }
  return { files, defects };
};
