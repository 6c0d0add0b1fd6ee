import type { Side } from "../../capture/event.ts";
import type { Mark } from "../../model/annotation.ts";
import type { Tag } from "../../model/exchange.ts";
import type { FindingKind } from "../../model/finding.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";

/** A field whose text a term tests. */
type TextField = "word" | "method" | "host" | "path" | "client" | "type" | "protocol" | "endpoint" | "op" | "page";

export type Comparison = "<" | "<=" | ">" | ">=";

/** The value of `tag:` that matches all tags beginning with `repaired:`. */
export const REPAIRED = "repaired" as const;

export type Condition =
  | { readonly kind: "text"; readonly field: TextField; readonly text: string }
  /**
   * The path on the host, and all paths below it; segments match only as a whole. An empty host stands for any host, an
   * empty path for all paths.
   */
  | { readonly kind: "under"; readonly host: string; readonly path: string }
  | { readonly kind: "status"; readonly least: number; readonly most: number }
  /**
   * `latency` covers only complete responses. `duration` also covers failed exchanges, by the time until the failure.
   */
  | { readonly kind: "duration" | "latency"; readonly comparison: Comparison; readonly limit: Milliseconds }
  | { readonly kind: "size"; readonly comparison: Comparison; readonly limit: Bytes }
  | { readonly kind: "flag"; readonly flag: "slow" | "error" | "oversized" }
  /** The server connection's number. */
  | { readonly kind: "connection"; readonly connection: number }
  | { readonly kind: "tag"; readonly tag: Tag | typeof REPAIRED }
  /** `null` stands for any mark. */
  | { readonly kind: "mark"; readonly mark: Mark | null }
  /** "" stands for any comment. */
  | { readonly kind: "comment"; readonly text: string }
  /** A decoded parameter of the query; `null` stands for any value. */
  | { readonly kind: "query"; readonly name: string; readonly value: string | null }
  | HeaderCondition
  /** The text is in the decoded request or response body, or in a WebSocket message. */
  | { readonly kind: "body"; readonly text: string }
  /** The exchange is in a current finding of this kind. */
  | { readonly kind: "finding"; readonly finding: FindingKind };

/** A header whose value contains `value`; `null` stands for any value. */
export interface HeaderCondition {
  readonly kind: "header";
  readonly side: Side;
  /** In lower case. */
  readonly name: string;
  readonly value: string | null;
}

/** A part of a filter: a condition, or parts of which all, at least one, or none must hold. */
export type Term =
  | Condition
  | { readonly kind: "all"; readonly of: readonly Term[] }
  | { readonly kind: "any"; readonly of: readonly Term[] }
  | { readonly kind: "not"; readonly of: Term };

/** All terms must hold. */
export type Filter = readonly Term[];

/** Whether the endpoint alone can decide the term. Other terms are about single exchanges. */
export function appliesToEndpoints(term: Term): boolean {
  if (term.kind === "not") return appliesToEndpoints(term.of);
  if (term.kind === "any" || term.kind === "all") return term.of.every(appliesToEndpoints);
  return term.kind === "under" || (term.kind === "text" && !OF_EXCHANGES.includes(term.field));
}

const OF_EXCHANGES: readonly TextField[] = ["client", "page", "type", "protocol"];

/** The headers that the filter names, each once. */
export function headersOf(filter: Filter): readonly Pick<HeaderCondition, "side" | "name">[] {
  const conditions = filter.flatMap(conditionsOf).filter((condition) => condition.kind === "header");
  return [...new Map(conditions.map(({ side, name }) => [`${side} ${name}`, { side, name }])).values()];
}

export function namesFindings(filter: Filter): boolean {
  return filter.flatMap(conditionsOf).some(({ kind }) => kind === "finding");
}

/** The texts that the filter looks for in bodies, each once. */
export function bodyTextsOf(filter: Filter): readonly string[] {
  const conditions = filter.flatMap(conditionsOf).filter((condition) => condition.kind === "body");
  return [...new Set(conditions.map(({ text }) => text))];
}

/** Whether the filter asks which requests are slow. */
export function namesSlow(filter: Filter): boolean {
  return filter.flatMap(conditionsOf).some((one) => one.kind === "flag" && one.flag === "slow");
}

/** Whether the filter asks how long exchanges took. */
export function namesLatency(filter: Filter): boolean {
  return (
    namesSlow(filter) || filter.flatMap(conditionsOf).some(({ kind }) => kind === "duration" || kind === "latency")
  );
}

export function conditionsOf(term: Term): readonly Condition[] {
  if (term.kind === "not") return conditionsOf(term.of);
  return term.kind === "any" || term.kind === "all" ? term.of.flatMap(conditionsOf) : [term];
}
