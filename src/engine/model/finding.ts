import type { LoadGain } from "./load-gain.ts";
import type { Bytes, ExchangeId, Milliseconds } from "./units.ts";

/**
 * The endpoint of a finding. `path` may be a learned template. `operation` names a GraphQL, JSON-RPC or SOAP operation;
 * `null` if there is none.
 */
export interface OperationEndpoint {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly operation: string | null;
}

/** Stable identifiers of the kinds of findings. */
export const FINDING_KINDS = [
  "rate-limited",
  "retries",
  "errors",
  "cors-preflights",
  "redirects",
  "repeated-prerequisite",
  "n-plus-one",
  "polling",
  "duplicate-requests",
  "unchanged-refetches",
  "uncompressed-responses",
  "large-responses",
  "large-requests",
  "slow-connection-setup",
  "new-connections",
  "connection-queueing",
  "sequential-requests",
  "client-time",
  "slow-streams",
  "server-pauses",
  "one-at-a-time",
  "slow-when",
  "slow-transfer",
  "slow-server",
  "regression",
  "proxy-overhead",
] as const;

export const FINDING_NAMES: Readonly<Record<FindingKind, string>> = {
  "rate-limited": "Rate limit",
  retries: "Retries",
  errors: "Errors",
  "cors-preflights": "CORS preflights",
  redirects: "Redirects",
  "repeated-prerequisite": "Repeated prerequisite",
  "n-plus-one": "N+1 requests",
  polling: "Polling",
  "duplicate-requests": "Duplicate requests",
  "unchanged-refetches": "Unchanged refetches",
  "uncompressed-responses": "Uncompressed responses",
  "large-responses": "Large responses",
  "large-requests": "Large requests",
  "slow-connection-setup": "Slow connection set-up",
  "new-connections": "New connections",
  "connection-queueing": "Waiting for a connection",
  "sequential-requests": "Sequential requests",
  "client-time": "Client time",
  "slow-streams": "Slow streams",
  "server-pauses": "Server pauses",
  "one-at-a-time": "One request at a time",
  "slow-when": "Slow requests with one cause",
  "slow-transfer": "Slow transfer",
  "slow-server": "Slow server",
  regression: "Worse than before",
  "proxy-overhead": "Weir's own time",
};

export type FindingKind = (typeof FINDING_KINDS)[number];

/**
 * How sure a finding is. `certain`: follows from facts of the protocol; `likely`: passed a statistical test;
 * `possible`: follows from a heuristic that no exchange contradicts.
 */
export type Confidence = "certain" | "likely" | "possible";

/** A figure behind the summary, as text with its unit. It may contain captured text, which is secret and hostile. */
export interface Figure {
  readonly name: string;
  readonly value: string;
}

/** What a finding is about: an endpoint, or an origin and a client. */
export interface FindingScope {
  readonly endpoint: OperationEndpoint | null;
  readonly origin: string | null;
  /** The client; the text begins with its IP address. */
  readonly client: string | null;
}

/** One cause of slow traffic: its kind, its cost, its evidence, and the advice. */
export interface Finding extends FindingScope {
  readonly kind: FindingKind;
  /**
   * What the slow requests share (`slow-when`), or the slow phase (`slow-connection-setup`); `null` for all other
   * kinds.
   */
  readonly attribute: { readonly name: string; readonly value: string } | null;
  /** How often the cause occurred in the session. */
  readonly count: number;
  /**
   * The waiting time that would be saved, summed over clients; overlapping intervals of a client count once. `null` if
   * unknown.
   */
  readonly time: Milliseconds | null;
  /** Bytes that were sent needlessly; `null` if unknown. */
  readonly bytes: Bytes | null;
  readonly confidence: Confidence;
  /** At most 100 of the finding's exchanges, the clearest examples first. */
  readonly exchanges: readonly ExchangeId[];
  /** What identifies the finding in other recordings (`fingerprintOf`), added by reports; absent in the window. */
  readonly fingerprint?: string;
  /**
   * What the page loads, else the walks, with these exchanges would gain if they took no time; absent if they are in
   * neither. `onPath`: the share of these in which they are on the path, 0 to 1.
   */
  readonly loadGain?: LoadGain;
  readonly onPath?: number;
  readonly summary: string;
  readonly advice: string;
  readonly evidence: readonly Figure[];
  /** How the cost was measured, and what is assumed. Begins with "Up to:" if `time` is an upper bound. */
  readonly basis: string;
}

/** Whether `time` is an upper bound instead of a measured sum. */
export function isUpperBound({ basis }: Pick<Finding, "basis">): boolean {
  return basis.startsWith("Up to:");
}
