import type { ResentRequest } from "../../src/engine/interchange/resend.ts";
import type { CertificateState, Notice, ProxyState } from "../../src/engine/messages/status-messages.ts";
import type { Settings } from "../../src/engine/model/settings.ts";
import type { Batch } from "./channel/batch.ts";
import type { LocalClient } from "./network/network-options.ts";

/*
 * What the two threads say to each other. The main thread moves bytes; the worker judges, stores and talks to the UI.
 */

/** Our choice: V8's own limit for short-lived objects costs the engine's thread 60 MB more and is no faster (docs/measurements.md). */
export const WORKER_LIMITS = Object.freeze({ maxYoungGenerationSizeMb: 32 });

/** Given to the worker when it starts. */
export interface WorkerStart {
  readonly version: string;
  readonly dataDir: string;
  readonly resources: string;
  /** Proves to the loopback server that a page was opened by us. */
  readonly ticket: string;
  readonly host: "native" | "browser";
  readonly certificate: CertificateState;
  /** The root's certificate, PEM; its key stays with the thread that signs. */
  readonly certificatePem: string;
  readonly notices: readonly Notice[];
  /** What Neutralino handed over on stdin; `null` in the browser host. */
  readonly neutralino: NeutralinoConnection | null;
  /** `Progress`: where it says how far it has come. */
  readonly progress: SharedArrayBuffer;
  /** What an engine that failed leaves to the one after it; `null` for the first. */
  readonly legacy: Legacy | null;
}

/** The session goes on from what is stored, and pages find the new engine where the old one was. */
interface Legacy {
  readonly uiPort: number;
  readonly recording: boolean;
  /** Of the hub's native window; `null` if there was none. */
  readonly hubOrigin: string | null;
}

/** The root without its key. */
export type PublicRoot = Pick<WorkerStart, "certificate" | "certificatePem">;

/** neutralino.md section 2: the line of JSON on stdin. */
export interface NeutralinoConnection {
  readonly port: number;
  readonly token: string;
  readonly connectToken: string;
  readonly extensionId: string;
}

export type ToWorker =
  /** Numbers grow; after the engine has failed, batches that it had not written come again. */
  | { readonly type: "batch"; readonly number: number; readonly batch: Batch }
  /** On Linux alone: its program may be found out while it is connected. */
  | { readonly type: "client"; readonly client: LocalClient }
  | { readonly type: "proxy"; readonly state: ProxyState }
  /** Another start asks that the window come forward. */
  | { readonly type: "show" }
  /** A page of that origin may connect as well: the hub's in its native window. */
  | { readonly type: "hub-origin"; readonly origin: string }
  /** The hub's window is open already; its page is to show that target and come forward. */
  | { readonly type: "show-hub"; readonly target: string | null }
  | { readonly type: "hub-problem"; readonly problem: string }
  /** The root was renewed, or (a sentence) could not be. */
  | { readonly type: "root"; readonly root: PublicRoot | string }
  /** `reason`: why it ends, for the pages, in words; `null` where the user ends it. */
  | { readonly type: "shutdown"; readonly reason: string | null };

export type FromWorker =
  /** The loopback server listens there, these settings hold, and all batches up to that number are on disk. */
  | { readonly type: "ready"; readonly uiPort: number; readonly settings: Settings; readonly written: number }
  | { readonly type: "recording"; readonly on: boolean }
  /** The user changed one. */
  | { readonly type: "settings"; readonly settings: Settings }
  | { readonly type: "run-proxy"; readonly on: boolean }
  | { readonly type: "set-reach"; readonly lan: boolean }
  /** Answered by `root`. */
  | { readonly type: "renew-root" }
  | { readonly type: "resend"; readonly request: ResentRequest }
  /** Only in the native host. */
  | { readonly type: "open-hub"; readonly target: string | null }
  /** The page of the native window is there. */
  | { readonly type: "window-shown" }
  /** The window is gone: end the process. */
  | { readonly type: "window-gone" }
  /** `told`: there were pages, and they know why. `unsaved`: what could not be kept, in sentences; `null`: nothing was lost. */
  | { readonly type: "ended"; readonly told: boolean; readonly unsaved: string | null };
