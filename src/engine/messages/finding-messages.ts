import type { ErrorType } from "../model/exchange.ts";
import type { ChainEdge, Repeat } from "../model/findings.ts";
import type { Span } from "../model/span.ts";
import type { Bytes, ExchangeId, Instant, Milliseconds } from "../model/units.ts";

/*
 * Chains, groups, repeats. They are dear to find: they are looked for only while a view asks for them, off the capture
 * path.
 */

export type GroupColumn = "start" | "exchanges" | "duration";

/** One exchange of a chain or a group, as far as a breakdown shows it. */
export interface Step {
  readonly id: ExchangeId;
  readonly method: string;
  readonly origin: string;
  /** At most its first 512 characters. */
  readonly target: string;
  readonly status: number | null;
  readonly errorType: ErrorType | null;
  readonly start: Instant;
  readonly end: Instant;
  readonly spans: readonly Span[];
}

export interface ChainRecord {
  readonly duration: Milliseconds;
  readonly client: string;
  readonly length: number;
  /** In their order, at most the first 100. */
  readonly steps: readonly Step[];
  /** `edges[i]` leads from `steps[i]` to `steps[i + 1]`: gap, proven or sequential, and the evidence (captured text: secret). */
  readonly edges: readonly ChainEdge[];
  /** Sum of all gaps of the chain: time in which nobody was asked anything. */
  readonly gaps: Milliseconds;
  readonly proven: number;
  /** "Could save N ms if parallel"; `null` if every edge is proven. */
  readonly couldSave: Milliseconds | null;
}

export interface Chains {
  /** The 10 of longest total duration, the longest first. */
  readonly chains: readonly ChainRecord[];
  /** How much of the session they were listed from, 0 to 1: 0 until the first list is made, 1 of a session without exchanges. */
  readonly progress: number;
  /** Setting `chainGap` as it was applied. */
  readonly chainGap: Milliseconds;
}

export interface GroupRecord {
  /** `group` and the first exchange's id. */
  readonly key: string;
  readonly client: string;
  readonly exchanges: number;
  /** By start, at most the first 50. */
  readonly steps: readonly Step[];
  readonly start: Instant;
  readonly end: Instant;
  /** Most that ran at one moment. */
  readonly atOnce: number;
}

export interface RepeatRecord {
  /** Kind and first exchange's id. */
  readonly key: string;
  readonly kind: Repeat["kind"];
  readonly client: string;
  /** `<METHOD> <origin><path template>` of an N+1, `<METHOD> <URL>` of a duplicate; at most 512 characters. */
  readonly template: string;
  readonly exchanges: number;
  /** By start, at most the first 50. */
  readonly ids: readonly ExchangeId[];
  readonly start: Instant;
  readonly end: Instant;
  /** Response body bytes of all of them as transferred. */
  readonly bytes: Bytes;
  /** How many of them were errors. */
  readonly failed: number;
  /** Whether some are event streams or WebSockets, whose answers nobody can keep. */
  readonly streams: boolean;
}
