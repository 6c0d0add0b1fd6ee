import { Worker } from "node:worker_threads";
import type { ResentRequest } from "../../src/engine/interchange/resend.ts";
import type { CertificateState, Notice, Pause, ProxyState } from "../../src/engine/messages/status-messages.ts";
import type { Conditions } from "../../src/engine/model/conditions.ts";
import type { EndpointParts } from "../../src/engine/model/endpoint.ts";
import type { Draw } from "../../src/engine/model/experiment.ts";
import type { Result } from "../../src/engine/model/result.ts";
import type { Settings } from "../../src/engine/model/settings.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../src/engine/model/units.ts";
import type { LocalClient, SilentClose } from "./data-thread/network/network-options.ts";
import type { Batch } from "./event-codec/event-batch.ts";

/*
 * Messages between the two threads. The data thread moves bytes; the engine thread computes, stores and serves the UI.
 */

/**
 * The memory for V8's short-lived objects in the engine thread: semi-spaces of 2 MB, as in the main thread
 * (`NODE_FLAGS`).
 */
export const ENGINE_LIMITS = Object.freeze({ maxYoungGenerationSizeMb: 6 });

/**
 * The same in threads that read whole sessions or files and then end: semi-spaces of 16 MB. They keep much of what they
 * make, which small spaces copy again and again (docs/measurements.md).
 */
const READER_LIMITS = Object.freeze({ maxYoungGenerationSizeMb: 48 });

/** The members of a Node.js worker that its owner uses. */
export interface ReaderThread<Sent, Received> {
  postMessage(message: Sent): void;
  on(event: "message", listener: (message: Received) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** Starts a thread that reads a session or a file: in a clone from its source, else from its bundle. */
export function readerThread(name: "analysis" | "import", workerData: unknown): Worker {
  const file = import.meta.url.endsWith(".ts") ? `./${name}-thread/worker.ts` : `./${name}-worker.mjs`;
  return new Worker(new URL(file, import.meta.url), { workerData, resourceLimits: READER_LIMITS });
}

/** Calls `listener` once the thread has ended, with the reason as a phrase. */
export function onThreadEnd<Sent, Received>(
  thread: ReaderThread<Sent, Received>,
  listener: (trouble: string) => void,
): void {
  let trouble = "its thread ended by itself";
  thread.on("error", (error) => {
    trouble = error instanceof Error ? error.message : String(error);
  });
  thread.on("exit", () => listener(trouble));
}

/** The engine thread's `workerData`. */
export interface WorkerStart {
  readonly version: string;
  readonly dataDir: string;
  readonly resources: string;
  /** The window sends this ticket to prove to the loopback server that Weir opened it. */
  readonly ticket: string;
  /** The port of the loopback server; the next free one if it is taken. 0: any free one. */
  readonly uiPort: number;
  /** A further Host at which the window may be opened; `null`: none. */
  readonly uiHostName: string | null;
  readonly host: "native" | "browser";
  readonly certificate: CertificateState;
  /** The root's certificate as PEM. Its key stays with the data thread. */
  readonly certificatePem: string;
  readonly notices: readonly Notice[];
  /** Neutralino's handoff from stdin; `null` in the browser host. */
  readonly neutralino: NeutralinoConnection | null;
  /** What a failed engine leaves to the next engine; `null` for the first engine. */
  readonly handoff: EngineHandoff | null;
}

/**
 * What a failed engine leaves to a new one. The new engine continues the stored session on the same port, so that
 * windows reconnect.
 */
export interface EngineHandoff {
  /** `thread`: the data thread runs on. `process`: the whole process was killed, and its exchanges in flight ended. */
  readonly of: "thread" | "process";
  readonly uiPort: number;
  /** The pause of recording; `null` while recording is on. */
  readonly pause: Pause | null;
  /** The origin of the hub's native window; `null` if there was none. */
  readonly hubOrigin: string | null;
}

export type PublicRoot = Pick<WorkerStart, "certificate" | "certificatePem">;

/** The connection of Neutralino's extension protocol, from the line of JSON on stdin. */
export interface NeutralinoConnection {
  readonly port: number;
  readonly token: string;
  readonly connectToken: string;
  readonly extensionId: string;
}

/** The state of the reverse and transparent ports, sent after a change. */
export interface LocalPortsState {
  /** The open ports, as their entries in the settings. */
  readonly reverse: readonly string[];
  readonly transparent: readonly string[];
  /** Why other ports are not open, in sentences. */
  readonly problems: readonly string[];
}

export type ToWorker =
  /** Batch numbers increase. After a failure of the engine, batches that are not on disk are sent again. */
  | { readonly type: "batch"; readonly number: number; readonly batch: Batch }
  /** Linux only: a local client has made its first request. Its program can be found while it is connected. */
  | { readonly type: "client"; readonly client: LocalClient }
  /** A client has closed its connection silently. An exchange for the close may be recorded later, or never. */
  | { readonly type: "silent-close"; readonly close: SilentClose }
  /** Replies to `cut`, after all events that were emitted before `at`. */
  | { readonly type: "cut"; readonly at: Instant }
  | { readonly type: "proxy"; readonly state: ProxyState }
  /**
   * Sent after `proxy`, once for each `start-proxy`. `problem`: why the proxy does not listen, as a sentence; `null` if
   * it does.
   */
  | { readonly type: "start-ended"; readonly problem: string | null }
  /** Recording was paused or resumed, or more requests have passed while it is paused. */
  | { readonly type: "pause"; readonly pause: Pause | null }
  | ({ readonly type: "local-ports" } & LocalPortsState)
  /** Weir was started again: bring the window to the front. */
  | { readonly type: "show" }
  /** The origin of the Setup Hub's native window, whose page may connect to the loopback server. */
  | { readonly type: "hub-origin"; readonly origin: string }
  /** The hub's window is open: show this target there and bring it to the front. */
  | { readonly type: "show-hub"; readonly target: string | null }
  | { readonly type: "hub-problem"; readonly problem: string }
  /** A replay of the run has ended; the events of its exchange may come later. */
  | { readonly type: "replayed"; readonly run: number; readonly exchange: ExchangeId }
  /**
   * All replays of the run have ended. `problem`: why fewer were sent, as a sentence; `null` if all were sent or the
   * user stopped the run.
   */
  | { readonly type: "replays-ended"; readonly run: number; readonly problem: string | null }
  /** The conditions in force; `null` without any. */
  | { readonly type: "conditions"; readonly conditions: Conditions | null }
  /** The data thread ended the experiment by itself. */
  | { readonly type: "experiment-ended"; readonly reason: "silent" | "time" | "proxy-stopped" }
  | { readonly type: "root"; readonly root: Result<PublicRoot> }
  /** `reason`: why Weir ends, for the windows; `null` if the user ended it. */
  | { readonly type: "shutdown"; readonly reason: string | null };

export type FromWorker =
  /**
   * The loopback server listens on `uiPort`, these are the settings, and all batches up to `written` are on disk.
   * `lastId`: the highest id of a session that is continued, else 0.
   */
  | {
      readonly type: "ready";
      readonly uiPort: number;
      readonly settings: Settings;
      readonly written: number;
      readonly lastId: number;
    }
  /** All batches up to `folded` are folded, and all up to `written` are on disk. */
  | { readonly type: "progress"; readonly folded: number; readonly written: number }
  | { readonly type: "recording"; readonly on: boolean }
  /** The session ends. The data thread replies with `cut`. */
  | { readonly type: "cut" }
  | { readonly type: "settings"; readonly settings: Settings }
  /** The data thread replies with `start-ended`. */
  | { readonly type: "start-proxy" }
  | { readonly type: "stop-proxy" }
  | { readonly type: "set-reach"; readonly lan: boolean }
  /** The data thread replies with `conditions`. */
  | { readonly type: "set-conditions"; readonly conditions: Conditions | null }
  /** The data thread replies with `root`. */
  | { readonly type: "renew-root" }
  | { readonly type: "resend"; readonly request: ResentRequest }
  /** Followed by messages of the types `replayed` and `replays-ended`. */
  | {
      readonly type: "replay";
      readonly run: number;
      readonly request: ResentRequest;
      readonly times: number;
      readonly atOnce: number;
    }
  | { readonly type: "stop-replays"; readonly run: number }
  /** Holds the target's responses, by levels that the data thread draws. An experiment that runs ends. */
  | {
      readonly type: "start-experiment";
      readonly target: EndpointParts;
      readonly client: string | null;
      readonly levels: readonly Milliseconds[];
    }
  /** Sent again and again while an experiment runs; without it, the data thread ends the experiment. */
  | { readonly type: "experiment-watched" }
  /** A unit was left out: another one gets its draw. */
  | { readonly type: "draw-again"; readonly draw: Draw }
  | { readonly type: "end-experiment" }
  /** Native host only. */
  | { readonly type: "open-hub"; readonly target: string | null }
  | { readonly type: "window-shown" }
  | { readonly type: "page-lost" }
  /** The window has closed: end the process. */
  | { readonly type: "window-gone" }
  /**
   * `notified`: windows were open and received the reason; `unsaved`: what could not be stored, in sentences, `null` if
   * nothing was lost.
   */
  | { readonly type: "ended"; readonly notified: boolean; readonly unsaved: string | null };
