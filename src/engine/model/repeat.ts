import type { Bytes, ExchangeId, Milliseconds } from "./units.ts";

/** The classes of repeated requests (docs/specification.md, Repeats). */
export const REPEAT_KINDS = [
  "n-plus-one",
  "duplicate-requests",
  "unchanged-refetches",
  "polling",
  "retries",
  "cors-preflights",
  "ranges",
] as const;

export type RepeatKind = (typeof REPEAT_KINDS)[number];

/** Requests that repeat each other, some of them needlessly. */
export interface Repeat {
  readonly kind: RepeatKind;
  /** `<METHOD> <origin><path template>[ · <operation>]`; "" if the repeat has no endpoint. */
  readonly template: string;
  /** The exchanges that the repeat counts, in the order of their starts. */
  readonly exchanges: readonly ExchangeId[];
  /** The waiting time that would be saved; `null` if unknown. */
  readonly time: Milliseconds | null;
  /** Whether `time` is an upper bound. */
  readonly isUpTo: boolean;
  /** Bytes that were sent needlessly; `null` if unknown. */
  readonly bytes: Bytes | null;
  /** A sentence without its subject, the endpoint: "was fetched in 3 parts." If `template` is "", a whole sentence. */
  readonly summary: string;
}
