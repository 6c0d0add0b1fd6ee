import type { LinkBasis, LinkEvidence } from "../../model/link.ts";
import type { LinkableExchange } from "./linkable-exchange.ts";
import type { ReferredLoad } from "./referred-loads.ts";

/** A dependency on an earlier exchange. `from`: the earlier exchange's index in the order of starts. */
export interface Dependency {
  readonly from: number;
  readonly evidence: LinkEvidence;
  /** Whether the dependency still holds at the session's end; absent if it always does. */
  readonly holds?: () => boolean;
}

/**
 * Finds dependencies of one basis in a pass over time. If a response begins or ends at the instant at which a request
 * starts, the response comes first:
 *
 *     a  begins ──── answers ── ends
 *     b                              begins      dependencies(b) may name a
 */
export interface LinkProver {
  readonly basis: Exclude<LinkBasis, "experiment" | "order">;
  /** The dependencies of a request that starts now. */
  dependencies(linkable: LinkableExchange): readonly Dependency[];
  /** Called when the head of a response has arrived. */
  answer(linkable: LinkableExchange): void;
  /** Called when a response has ended. */
  ended(linkable: LinkableExchange): void;
  /** Called with a page load to which no further request will belong. */
  evicted?(load: ReferredLoad): void;
}
