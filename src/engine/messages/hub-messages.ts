import type { HubConditions } from "../hub/preflight.ts";
import type { Values } from "../hub/target.ts";
import type { Watch } from "../hub/watcher.ts";
import type { ExchangeId, Instant } from "../model/units.ts";

/* The Setup Hub: its pages, its tests, and the root certificate. */

export type HubValueQuery =
  /** The data of all pages of the Setup Hub. */
  | { readonly view: "hub" }
  /** The state of one target: its test and its copies. */
  | { readonly view: "target"; readonly slug: string };

/** The data of the Setup Hub's texts, checks and status. Queries are read-only. */
export interface HubState {
  /** Live values of the snippets; the URL is the target's own. */
  readonly values: Omit<Values, "url" | "reverse">;
  readonly conditions: Omit<HubConditions, "copied">;
  /** The folder of the exported certificate files, and the export's time; `null` while they are not in place. */
  readonly folder: string;
  readonly exportedAt: Instant | null;
  /** When the system's trust was last checked; `null`: never, or the check is running. */
  readonly trustAskedAt: Instant | null;
  /** As written in the certificate. */
  readonly validTo: string;
  /** A warning that the certificate expires soon, and what to do; `null` while there is time. */
  readonly endWarning: string | null;
  /** The open reverse ports, as `port=origin`. */
  readonly reversePorts: readonly string[];
  /** Exchanges of the session so far. */
  readonly captured: number;
  /** Slugs of the targets with a running test. */
  readonly waiting: readonly string[];
}

/** A copied text of the hub, and the values it was made with. */
export interface SnippetCopy {
  /** The copied text: `formKey` of engine/hub/copies.ts. */
  readonly form: string;
  readonly at: Instant;
  readonly port: number;
  readonly fingerprint: string;
}

export interface TargetState {
  readonly watch: Watch;
  /** Seconds left of the running test; 0 when none runs. */
  readonly secondsLeft: number;
  /** The last capture confirmed by a test, also of an earlier start. */
  readonly confirmedAt: Instant | null;
  /** The captured exchange, while it is in the table. */
  readonly exchange: ExchangeId | null;
  /** Why the probe host did not respond to that exchange, as a sentence; `null`: it did, or that is unknown. */
  readonly unanswered: string | null;
  /** The latest copy of each text, oldest first. */
  readonly copies: readonly SnippetCopy[];
}

export interface HubValueOf {
  readonly hub: HubState;
  readonly target: TargetState;
}

export type HubCommand =
  /** Runs the target's test. Refused with the first blocking issue of the preflight. */
  | { readonly type: "run-test"; readonly slug: string }
  /** Adds 30 s to a running test. */
  | { readonly type: "extend-test"; readonly slug: string }
  | { readonly type: "cancel-test"; readonly slug: string }
  /** Records a copied text, with the current port and certificate. */
  | { readonly type: "note-copy"; readonly slug: string; readonly form: string }
  /** Writes the certificate's public files, never the key, into an existing folder. */
  | { readonly type: "export-certificate"; readonly folder: string }
  /** Replaces the root certificate and deletes the old key; exports the new root and signs with it from now on. */
  | { readonly type: "renew-certificate" }
  /**
   * Checks whether the system trusts the certificate. The reply's value is the result, `null` where it cannot be read.
   */
  | { readonly type: "check-trust" }
  /** Native host only: opens the hub's window at a target (a slug; `null`: unchanged), or moves it to the front. */
  | { readonly type: "open-hub"; readonly target: string | null };
