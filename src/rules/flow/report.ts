import type { SinkKind } from './sink-kind.ts';
import { SINKS } from './sinks/catalog.ts';
import type { Arrival, SinkCall } from './sinks/sink.ts';
import {
  nextStep,
  type Fn,
  type ParameterSink,
  type SourceKind,
  type Step,
  type Taint,
  type Value,
} from './value.ts';

/** Data from outside that reaches a sink in one file. */
export type Hit = {
  readonly kind: SinkKind;
  readonly line: number;
  /** What is there. */
  readonly says: string;
  readonly source: { readonly kind: SourceKind; readonly line: number; readonly says: string };
  readonly steps: Step | undefined;
};

/** A call of a function of another file, with data. */
export type ExternalCall = {
  readonly api: string;
  readonly name: string;
  readonly line: number;
  readonly given: readonly Value[];
};

/** A call of a function of the same file, with data. */
export type OwnCall = Omit<ExternalCall, 'api'> & { readonly fn: Fn };

/** What comes to light while a file is evaluated. */
export type Findings = {
  readonly hits: Map<string, Hit>;
  readonly calls: Map<string, ExternalCall>;
  readonly ownCalls: Map<string, OwnCall>;
  /** Functions that the file itself calls. */
  readonly called: Set<Fn>;
  readonly reach: (arrival: {
    readonly taint: Taint;
    readonly kind: SinkKind;
    readonly line: number;
    readonly says: string;
  }) => void;
  readonly callOut: (call: ExternalCall) => void;
  readonly callOwn: (call: OwnCall) => void;
  readonly takeChange: () => boolean;
  /** Takes from what following a file may cost. @returns false when it is used up. */
  readonly spend: (work: number) => boolean;
};

/**
 * Steps of following data through calls, for one file. What a person writes takes a few thousand; in a
 * bundle where everything calls everything the rest is left out.
 */
const WORK_MAX = 300_000;
const VARIANTS_MAX = 3;
const HITS_MAX = 500;
const PARAMETER_SINKS_MAX = 80;
const CALLS_MAX = 2000;

/** Of calls at one place the one with the most data. @returns whether it is news. */
const keepCall = <Call extends { readonly given: readonly Value[] }>(
  calls: Map<string, Call>,
  key: string,
  call: Call,
): boolean => {
  const known = calls.get(key);
  if (known === undefined ? calls.size >= CALLS_MAX : dataIn(known) >= dataIn(call)) return false;
  calls.set(key, call);
  return true;
};

const dataIn = ({ given }: { readonly given: readonly Value[] }): number =>
  given.reduce((sum, { taints }) => sum + taints.size, 0);

export const createFindings = (): Findings => {
  const hits = new Map<string, Hit>();
  const calls = new Map<string, ExternalCall>();
  const ownCalls = new Map<string, OwnCall>();
  let hasChanged = false;
  let work = 0;
  /** How many members of one parameter reach one sink: told apart only up to a few. */
  const variants = new Map<Fn, Map<string, number>>();
  return {
    spend: (more) => {
      work += more;
      return work <= WORK_MAX;
    },
    hits,
    calls,
    ownCalls,
    called: new Set(),
    reach: ({ taint, kind, line, says }) => {
      if (taint.clean.has(kind)) return;
      const { origin, clean, isWhole, steps } = taint;
      if (origin.of !== undefined) {
        const { fn, index, fields } = origin.of;
        const key = `${index}${fields}:${kind}:${line}`;
        const known = fn.sinks.get(key);
        if (
          (known !== undefined && (known.isWhole === isWhole || !known.isWhole)) ||
          fn.sinks.size >= PARAMETER_SINKS_MAX
        )
          return;
        const own = variants.get(fn) ?? new Map<string, number>();
        variants.set(fn, own);
        const sameSink = `${index}:${kind}:${line}`;
        const count = own.get(sameSink) ?? 0;
        if (known === undefined && count >= VARIANTS_MAX) return;
        own.set(sameSink, count + 1);
        fn.sinks.set(key, { index, fields, kind, clean, isWhole, line, says, steps });
        hasChanged = true;
        return;
      }
      // What a stranger sends is not hidden behind what the operator gives for the same sink.
      const key = `${kind}:${line}:${origin.kind}`;
      if (hits.has(key) || hits.size >= HITS_MAX) return;
      const source = { kind: origin.kind, line: origin.line, says: origin.says };
      hits.set(key, { kind, line, says, source, steps });
      hasChanged = true;
    },
    callOut: (call) => {
      hasChanged = keepCall(calls, `${call.api}:${call.line}`, call) || hasChanged;
    },
    callOwn: (call) => {
      // What is new in it is new data, and was noted where that came from.
      keepCall(ownCalls, `${call.fn.id}:${call.line}`, call);
    },
    takeChange: () => {
      const had = hasChanged;
      hasChanged = false;
      return had;
    },
  };
};

/** Tells every rule of a call. */
export const reportCall = (findings: Findings, call: SinkCall): void => {
  for (const { category, match } of SINKS) {
    if (match === undefined) continue;
    arrive(findings, category, call.line, match(call));
  }
};

export const reportAssignment = (
  findings: Findings,
  { name, value, line }: { readonly name: string; readonly value: Value; readonly line: number },
): void => {
  if (value.taints.size === 0) return;
  for (const { category, assigned } of SINKS) {
    if (assigned?.(name) !== true) continue;
    arrive(findings, category, line, [{ value, says: `is put into \`${name}\`` }]);
  }
};

/** A key of the data, put into what a key of the data led to. */
export const reportKeyAssignment = (
  findings: Findings,
  given: {
    readonly owner: Value;
    readonly key: Value;
    readonly value: Value;
    readonly line: number;
  },
): void => {
  const { owner, key, value, line } = given;
  if (!owner.isDeep || value.taints.size === 0) return;
  arrive(findings, 'prototype-pollution', line, [
    { value: key, says: 'names a member of an object that it may have led to itself' },
  ]);
};

const arrive = (
  findings: Findings,
  kind: SinkKind,
  line: number,
  arrivals: readonly Arrival[],
): void => {
  for (const { value, says, isComposedOnly } of arrivals) {
    for (const taint of value.taints.values()) {
      if (isComposedOnly === true && taint.isWhole) continue;
      findings.reach({ taint, kind, line, says });
    }
  }
};

/** The steps of a way that goes on in another function. */
export const joinSteps = (before: Step | undefined, after: Step | undefined): Step | undefined => {
  const parts: Step[] = [];
  for (let at = after; at !== undefined; at = at.before) parts.push(at);
  return parts.reduceRight<Step | undefined>(
    (way, { line, says }) => nextStep(way, line, says),
    before,
  );
};

/** The sinks that what is given for a parameter reaches, with the data that is given. */
export const sinkTaint = (
  taint: Taint,
  sink: ParameterSink,
  line: number,
  name: string,
): Taint => ({
  origin: taint.origin,
  clean: new Set([...taint.clean, ...sink.clean]),
  isWhole: taint.isWhole && sink.isWhole,
  steps: joinSteps(nextStep(taint.steps, line, `is given to \`${name}\``), sink.steps),
});
