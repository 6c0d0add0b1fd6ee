import { evictOldest } from "../../model/evict-oldest.ts";
import type { HeaderField } from "../../model/head.ts";
import type { Milliseconds } from "../../model/units.ts";
import { fieldIn, valuesIn } from "../facts/field-values.ts";
import { evidenceOf } from "./link.ts";
import type { Moment } from "./moment.ts";
import type { Dependency, Prover } from "./prover.ts";

/** Largest number of traced requests remembered. Default; not from a specification. */
const MOST_SPANS = 50_000;

/** How much later a nested request may end than the one it ran within. Default; not from a specification. */
const TOLERANCE: Milliseconds = 1;

/** A request's trace context. */
interface TraceContext {
  readonly trace: string;
  /** The span that the request belongs to. */
  readonly span: string;
  /** The span that caused it, if given. */
  readonly parent: string;
}

/**
 * A request of another client that ran within A and carries A's trace with A's span as its parent: A's server sent it.
 * Spans of one caller are siblings, not links.
 */
export class TraceLinks implements Prover {
  readonly basis = "trace";
  /** By trace and span, the requests that carried it. */
  readonly #spans = new Map<string, Moment[]>();

  dependencies(moment: Moment): readonly Dependency[] {
    const context = contextOf(moment.facts.requestFields);
    if (context === null) return [];
    const found = this.#within(moment, context);
    for (const span of new Set([context.span, ...serverSpansOf(moment)]))
      this.#keep(`${context.trace} ${span}`, moment);
    return found;
  }

  answer(): void {
    // A request's trace is in its own head, so responses add nothing.
  }

  ended(): void {
    // Which request ran within which is found when the inner one starts.
  }

  /** The one request that this one ran within; none if several match. */
  #within(moment: Moment, { trace, parent }: TraceContext): readonly Dependency[] {
    const outer = (this.#spans.get(`${trace} ${parent}`) ?? []).filter(
      (one) => one.client !== moment.client && one.start <= moment.start && moment.end <= one.end + TOLERANCE,
    );
    const [only] = outer;
    if (only === undefined || outer.length > 1) return [];
    return [{ from: only.place, evidence: evidenceOf("trace", "traceparent", trace) }];
  }

  #keep(key: string, moment: Moment): void {
    const known = this.#spans.get(key);
    if (known !== undefined) return void known.push(moment);
    this.#spans.set(key, [moment]);
    evictOldest(this.#spans, MOST_SPANS);
  }
}

/** W3C Trace Context, 3.2; B3, in several headers or in one. */
function contextOf(fields: readonly HeaderField[]): TraceContext | null {
  const [, trace, span] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-/i.exec(fieldIn(fields, "traceparent")?.trim() ?? "") ?? [];
  if (trace !== undefined && span !== undefined) return { trace, span, parent: span };
  const single = /^([\da-f]{16,32})-([\da-f]{16})(?:-[01d](?:-([\da-f]{16}))?)?$/i.exec(fieldIn(fields, "b3") ?? "");
  const [b3Trace = fieldIn(fields, "x-b3-traceid"), b3Span = fieldIn(fields, "x-b3-spanid")] = single?.slice(1) ?? [];
  if (b3Trace === null || b3Span === null || b3Trace === undefined || b3Span === undefined) return null;
  return { trace: b3Trace, span: b3Span, parent: single?.[3] ?? fieldIn(fields, "x-b3-parentspanid") ?? b3Span };
}

/** Trace Context Level 2, 3.4, and its form in Server-Timing: the span that a server opened for the request. */
function serverSpansOf({ facts: { responseFields } }: Moment): readonly string[] {
  const said = [...valuesIn(responseFields, "traceresponse"), ...valuesIn(responseFields, "server-timing")];
  return said.flatMap((value) =>
    [...value.matchAll(/\b[\da-f]{2}-[\da-f]{32}-([\da-f]{16})-[\da-f]{2}\b/gi)].map(([, span = ""]) => span),
  );
}
