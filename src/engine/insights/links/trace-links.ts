import { evictOldest } from "../../model/evict-oldest.ts";
import type { HeaderField } from "../../model/head.ts";
import type { Milliseconds } from "../../model/units.ts";
import { fieldIn, valuesIn } from "../facts/field-values.ts";
import { evidenceOf } from "./link-evidence.ts";
import type { Dependency, LinkProver } from "./link-prover.ts";
import type { LinkableExchange } from "./linkable-exchange.ts";

/** The most traced requests remembered. */
const MOST_SPANS = 50_000;

/** How much later than its outer request a nested request may end. */
const TOLERANCE: Milliseconds = 1;

/** A request's trace context. */
interface TraceContext {
  readonly trace: string;
  /** The span of this request. */
  readonly span: string;
  /** The span that caused this request; if it is unknown, the request's own span. */
  readonly parent: string;
}

/**
 * Finds requests that a server sent while it worked on another request A. Such a request comes from another client,
 * runs within A, belongs to A's trace, and has A's span as its parent. Requests of one caller are siblings and get no
 * link.
 */
export class TraceLinks implements LinkProver {
  readonly basis = "trace";
  /** The requests with a span, by trace and span. */
  readonly #spans = new Map<string, LinkableExchange[]>();

  dependencies(linkable: LinkableExchange): readonly Dependency[] {
    const context = contextOf(linkable.facts.requestFields);
    if (context === null) return [];
    const found = this.#within(linkable, context);
    for (const span of new Set([context.span, ...serverSpansOf(linkable)]))
      this.#keep(`${context.trace} ${span}`, linkable);
    return found;
  }

  answer(): void {
    // Nothing to do: a request's trace is in its own head.
  }

  ended(): void {
    // Nothing to do: an inner request is matched when it starts.
  }

  /** The request within which this request ran; none if several match. */
  #within(linkable: LinkableExchange, { trace, parent }: TraceContext): readonly Dependency[] {
    const outer = (this.#spans.get(`${trace} ${parent}`) ?? []).filter(
      (one) => one.client !== linkable.client && one.start <= linkable.start && linkable.end <= one.end + TOLERANCE,
    );
    const [only] = outer;
    if (only === undefined || outer.length > 1) return [];
    return [{ from: only.index, evidence: evidenceOf("trace", "traceparent", trace) }];
  }

  #keep(key: string, linkable: LinkableExchange): void {
    const known = this.#spans.get(key);
    if (known !== undefined) return void known.push(linkable);
    this.#spans.set(key, [linkable]);
    evictOldest(this.#spans, MOST_SPANS);
  }
}

/**
 * The trace context in `traceparent` (W3C Trace Context, 3.2) or in the B3 headers (`b3`, or several `x-b3-…`); `null`
 * if there is none.
 */
function contextOf(fields: readonly HeaderField[]): TraceContext | null {
  const [, trace, span] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-/i.exec(fieldIn(fields, "traceparent")?.trim() ?? "") ?? [];
  if (trace !== undefined && span !== undefined) return { trace, span, parent: span };
  const single = /^([\da-f]{16,32})-([\da-f]{16})(?:-[01d](?:-([\da-f]{16}))?)?$/i.exec(fieldIn(fields, "b3") ?? "");
  const [b3Trace = fieldIn(fields, "x-b3-traceid"), b3Span = fieldIn(fields, "x-b3-spanid")] = single?.slice(1) ?? [];
  if (b3Trace === null || b3Span === null || b3Trace === undefined || b3Span === undefined) return null;
  return { trace: b3Trace, span: b3Span, parent: single?.[3] ?? fieldIn(fields, "x-b3-parentspanid") ?? b3Span };
}

/**
 * The spans that a server opened for the request: from `traceresponse` (Trace Context Level 2, 3.4), and from values of
 * the same form in Server-Timing.
 */
function serverSpansOf({ facts: { responseFields } }: LinkableExchange): readonly string[] {
  const said = [...valuesIn(responseFields, "traceresponse"), ...valuesIn(responseFields, "server-timing")];
  return said.flatMap((value) =>
    [...value.matchAll(/\b[\da-f]{2}-[\da-f]{32}-([\da-f]{16})-[\da-f]{2}\b/gi)].map(([, span = ""]) => span),
  );
}
