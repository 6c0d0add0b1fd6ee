import type { ExchangeId, Milliseconds } from "./units.ts";

/** The bases of links, the most trusted first (docs/specification.md, Dependency chain). */
export const LINK_BASES = ["protocol", "initiator", "trace", "value", "experiment", "order"] as const;

export type LinkBasis = (typeof LINK_BASES)[number];

/** Why a request is thought to have waited for another. Contains captured text, which is secret and hostile. */
export interface LinkEvidence {
  /** The kind of evidence: `redirect`, `preflight`, `url`, `set-cookie`, `body`, `order` … */
  readonly source: string;
  /** The header, cookie or JSON member that contained `value`; `null` if there is none. */
  readonly name: string | null;
  /**
   * The value that links the two exchanges, at most 200 characters. For an order link: "3 of 4" if 3 of the 4 requests
   * to the endpoint of `to` followed a request to the endpoint of `from`.
   */
  readonly value: string;
}

/** Exchange `to` waited for exchange `from`. With the basis `trace`, `to` ran while `from` was in flight. */
export interface Link {
  readonly from: ExchangeId;
  readonly to: ExchangeId;
  readonly kind: "proven" | "sequential";
  readonly basis: LinkBasis;
  /** The time from the end of `from` to the start of `to`; negative if `to` started before the end of `from`. */
  readonly gap: Milliseconds;
  readonly evidence: LinkEvidence;
}
