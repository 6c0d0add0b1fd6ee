import type { HubConditions } from "../hub/preflight.ts";
import type { Values } from "../hub/target.ts";
import type { Watch } from "../hub/watcher.ts";
import type { ExchangeId, Instant } from "../model/units.ts";

/* The state of the Setup Hub: its pages, its tests, and the root certificate. Queries and commands: decode.ts. */

/** What the texts, checks and status of the Setup Hub need. Querying it changes nothing. */
export interface HubState {
  /** Live values for snippets. Each target adds its own URL. */
  readonly values: Omit<Values, "url" | "reverse" | "transparent">;
  readonly conditions: Omit<HubConditions, "copied">;
  /**
   * `folder`: the folder of the exported certificate files. `exportedAt`: when they were exported; `null` if a file is
   * missing or holds another certificate.
   */
  readonly folder: string;
  readonly exportedAt: Instant | null;
  /** When the system's trust was last checked; `null` if never, or while a check is running. */
  readonly trustReadAt: Instant | null;
  /** The end of validity, as written in the certificate. */
  readonly validTo: string;
  /** A warning that the certificate expires soon, and what to do; `null` if it does not expire soon. */
  readonly endWarning: string | null;
  /** The open reverse ports, as `port=origin`. */
  readonly reversePorts: readonly string[];
  /** The open transparent ports, as `port` or `port=servers' port`. */
  readonly transparentPorts: readonly string[];
  /** The number of the session's exchanges so far. */
  readonly captured: number;
  /** The last request for `SAMPLE`; `null` if none was captured. */
  readonly sample: SeenSample | null;
  /** Slugs of the targets whose test is running. */
  readonly waiting: readonly string[];
  /** Slugs of the targets whose last test in this run captured the probe. */
  readonly confirmed: readonly string[];
}

/** A copied text of the hub, and the values it contained. */
export interface SnippetCopy {
  /** Which text was copied: a `formKey` of engine/hub/target.ts. */
  readonly form: string;
  readonly at: Instant;
  readonly port: number;
  readonly fingerprint: string;
}

/** A probe or sample request that Weir captured in this run, before, during or after a test. */
export interface SeenRequest {
  readonly at: Instant;
  /** `null` if the current session does not contain it. */
  readonly exchange: ExchangeId | null;
}

export interface SeenSample extends SeenRequest {
  /** The display name of the program that sent it, by its User-Agent and address (model/client-name.ts). */
  readonly client: string;
  /** The program's name by its User-Agent, without a version; "" if it has none. */
  readonly program: string;
}

export interface TargetState {
  readonly watch: Watch;
  /** Seconds left of the running test; 0 if none runs. */
  readonly secondsLeft: number;
  /** When a test last confirmed a capture, in this run of Weir or an earlier one; `null` if never. */
  readonly confirmedAt: Instant | null;
  /** The exchange that the test captured; `null` if there is none, or if it was evicted. */
  readonly exchange: ExchangeId | null;
  /** The target's last probe; `null` if none was captured. */
  readonly seen: SeenRequest | null;
  /** Why `exchange` got no response from the probe host, as a sentence; `null` unless `exchange` failed. */
  readonly unanswered: string | null;
  /** The latest copy of each text, oldest first. */
  readonly copies: readonly SnippetCopy[];
}

export interface HubValueOf {
  readonly hub: HubState;
  readonly target: TargetState;
}
