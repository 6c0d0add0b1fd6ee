import type { HubConditions } from "../hub/preflight.ts";
import type { Values } from "../hub/target.ts";
import type { Watch } from "../hub/watcher.ts";
import type { ExchangeId, Instant } from "../model/units.ts";

/*
 * The Setup Hub: its pages, its tests, and the certificate that they are about.
 */

export type HubValueQuery =
  /** What all pages of the Setup Hub are made from. */
  | { readonly view: "hub" }
  /** How far one setup target is: its test, its copies. */
  | { readonly view: "target"; readonly slug: string };

/** What the Setup Hub's texts, checks and status are made from. All of it is read, nothing is changed by looking. */
export interface HubState {
  /** Live values of the snippets; the URL is the target's own. */
  readonly values: Omit<Values, "url">;
  readonly conditions: Omit<HubConditions, "copied">;
  /** The folder that the certificate's files were exported to, and when; `null` while they are not in place. */
  readonly folder: string;
  readonly exportedAt: Instant | null;
  /** When the system was last asked whether it trusts the certificate; `null`: not yet, or it is being asked. */
  readonly trustAskedAt: Instant | null;
  /** As the certificate itself writes it. */
  readonly validTo: string;
  /** That the certificate ends soon, and what to do, in words; `null` while there is time. */
  readonly endWarning: string | null;
  /** Exchanges of the session so far. */
  readonly captured: number;
  /** Slugs of the targets whose test is waiting. */
  readonly waiting: readonly string[];
}

/** A text of the hub that was copied, and what it was made from. */
export interface SnippetCopy {
  /** Which text: `formKey` of engine/hub/copies.ts. */
  readonly form: string;
  readonly at: Instant;
  readonly port: number;
  readonly fingerprint: string;
}

export interface TargetState {
  readonly watch: Watch;
  /** Of the running test, whole seconds; 0 when none waits. */
  readonly secondsLeft: number;
  /** The last capture that a test confirmed, also of an earlier start. */
  readonly confirmedAt: Instant | null;
  /** That exchange, while it is in the list. */
  readonly exchange: ExchangeId | null;
  /** Why the probe host did not answer that exchange, as a sentence; `null`: it did, or that is not known. */
  readonly unanswered: string | null;
  /** The latest copy of each text, oldest first. */
  readonly copies: readonly SnippetCopy[];
}

export interface HubValueOf {
  readonly hub: HubState;
  readonly target: TargetState;
}

export type HubCommand =
  /** Run Test of the hub. Refused with the first blocking issue of the preflight. */
  | { readonly type: "run-test"; readonly slug: string }
  /** 30 s more for a test that waits. */
  | { readonly type: "extend-test"; readonly slug: string }
  | { readonly type: "cancel-test"; readonly slug: string }
  /** A text of the hub was copied; the engine notes with which port and certificate. */
  | { readonly type: "note-copy"; readonly slug: string; readonly form: string }
  /** Writes the certificate's public files into a folder that exists. Never the key. */
  | { readonly type: "export-certificate"; readonly folder: string }
  /** Makes a new root in the place of the present one, whose key is gone then; exports it, and signs with it from now on. */
  | { readonly type: "renew-certificate" }
  /** Asks the system whether it trusts the certificate. The reply's value is the answer, `null` where it cannot be read. */
  | { readonly type: "check-trust" }
  /** Native host only: opens the hub's window at a target (a slug; `null`: where it is), or brings it to the front. */
  | { readonly type: "open-hub"; readonly target: string | null };
