import { access } from "node:fs";
import { Worker } from "node:worker_threads";
import type { ProxyState } from "../../src/engine/messages/status-messages.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/engine/model/settings.ts";
import { LeafMint } from "./certificates/leaf.ts";
import type { Root } from "./certificates/root.ts";
import { pemOf } from "./certificates/x509.ts";
import { Outbox } from "./channel/outbox.ts";
import { Progress } from "./channel/progress.ts";
import { CLOCK } from "./clock.ts";
import { matchesHost } from "./network/host-pattern.ts";
import { Listener } from "./network/listener.ts";
import type { LocalClient, NetworkSettings } from "./network/network-options.ts";
import { systemResolver } from "./network/resolver.ts";
import { ProxySwitch } from "./proxy-switch.ts";
import { type FromWorker, type PublicRoot, type ToWorker, WORKER_LIMITS, type WorkerStart } from "./threads.ts";
import { HubWindow, type NativeShell } from "./window/hub-window.ts";

/** Our choice: how long the engine's thread may take to write down the last of it (security.md R10 gives 3 s in all). */
const LAST_WORDS = 2_500;

/** Our choice: once its window has gone, nobody waits for what is in flight (security.md R10: the process ends within 2 s). */
const DRAIN_WITHOUT_WINDOW = 500;

interface DataPlaneOptions {
  readonly root: Root;
  /** Puts a new root in its place; a sentence where that cannot be. */
  readonly renewRoot: () => Root | string;
  /** What the engine's thread may know of a root. */
  readonly publicRoot: (root: Root) => PublicRoot;
  /** The same array each time. */
  readonly upstreamCa: () => readonly string[];
  readonly address: string;
  readonly port: number | null;
  /** From the command line; they win over those of the settings. */
  readonly hostOverrides: readonly string[];
  readonly worker: Omit<WorkerStart, "legacy" | "progress" | keyof PublicRoot>;
  /** How the native host opens more windows; `null` in the browser host. */
  readonly shell: NativeShell | null;
  /** The engine's thread has failed, in words, and another one takes over. */
  readonly onTrouble: (trouble: string) => void;
  /** The native window's page is there. */
  readonly onShown: () => void;
  /** The window is gone (`null`), or the engine's thread has failed for good, in words. */
  readonly onEnd: (reason: string | null) => void;
}

/**
 * The main thread's life: sockets, TLS and relay here, and the engine's thread beside it. When that fails the proxy goes on,
 * and once in a life a new engine takes over where the old one broke off.
 */
export class DataPlane {
  readonly #options: DataPlaneOptions;
  #authority: Authority;
  /** `null` once it has failed for good. */
  #worker: Worker | null;
  readonly #outbox: Outbox;
  readonly #listener: Listener;
  readonly #switch: ProxySwitch;
  readonly #hub: HubWindow | null;
  #hubOrigin: string | null = null;
  #settings: Settings & NetworkSettings;
  #uiPort = 0;
  #hasFailed = false;
  #isEnding = false;
  #windowIsGone = false;
  #hurried: () => void = () => {};
  #ended: (told: boolean) => void = () => {};
  #ready: (uiPort: number) => void = () => {};

  constructor(options: DataPlaneOptions) {
    this.#options = options;
    this.#authority = authorityOf(options.root);
    this.#settings = this.#networkSettings(DEFAULT_SETTINGS);
    openThreadPool();
    this.#worker = this.#newWorker(null);
    const { shell } = options;
    const { ticket } = options.worker;
    const onProblem = (problem: string) => this.#tell({ type: "hub-problem", problem });
    this.#hub = shell === null ? null : new HubWindow({ shell, ticket, onProblem });
    this.#outbox = new Outbox({
      post: (message) => this.#tell(message),
      now: CLOCK.now,
      inScope: (host) => this.#inScope(host),
    });
    this.#listener = new Listener({
      sink: this.#outbox,
      // A new root has new leaves.
      leaves: { contextFor: (name) => this.#authority.leaves.contextFor(name) },
      clock: CLOCK,
      resolver: systemResolver,
      upstreamCa: options.upstreamCa,
      settings: () => this.#settings,
      ownPorts: () => [this.#uiPort, this.#switch.state.port],
      certificate: () => this.#authority.certificate,
      ...(process.platform === "linux"
        ? { onLocalClient: (client: LocalClient) => this.#tell({ type: "client", client }) }
        : {}),
    });
    const { address, port } = options;
    const onState = (state: ProxyState) => this.#tell({ type: "proxy", state });
    this.#switch = new ProxySwitch({ listener: this.#listener, address, port, onState });
  }

  /** Both threads are up and the proxy listens, or says why not. */
  async start(): Promise<{ readonly uiPort: number; readonly proxy: ProxyState }> {
    const uiPort = await new Promise<number>((resolve) => {
      this.#ready = resolve;
    });
    return { uiPort, proxy: await this.#switch.run(true) };
  }

  /** Another start asks that the window come forward. */
  show(): void {
    this.#tell({ type: "show" });
  }

  /**
   * Stops accepting, lets what is in flight end (a few seconds at most), and has the rest written down. `reason` is for the
   * pages, `null` where the user ends it; false: no page was told, for want of an engine or because none was there yet.
   */
  async stop(reason: string | null): Promise<boolean> {
    this.#isEnding = true;
    this.#hub?.close();
    const hurried = new Promise<void>((resolve) => {
      this.#hurried = resolve;
    });
    await Promise.race([this.#switch.run(false, this.#windowIsGone ? DRAIN_WITHOUT_WINDOW : null), hurried]);
    this.#outbox.flush();
    if (this.#worker === null) return false;
    const ended = new Promise<boolean>((resolve) => {
      this.#ended = resolve;
    });
    const limit = setTimeout(() => this.#ended(false), LAST_WORDS);
    this.#tell({ type: "shutdown", reason });
    const told = await ended;
    clearTimeout(limit);
    await this.#worker?.terminate();
    return told;
  }

  /** While it stops: what is in flight is not waited for any longer. */
  hurry(): void {
    this.#hurried();
  }

  #newWorker(legacy: WorkerStart["legacy"]): Worker {
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.mjs";
    const { worker: given, publicRoot } = this.#options;
    const progress = new Progress();
    const root = publicRoot(this.#authority.root);
    const workerData: WorkerStart = { ...given, ...root, progress: progress.memory, legacy };
    const worker = new Worker(new URL(file, import.meta.url), { workerData, resourceLimits: WORKER_LIMITS });
    let trouble = "its thread ended by itself";
    worker.on("message", (message: FromWorker) => this.#hear(message, progress));
    worker.on("error", (error) => {
      trouble = wordsOf(error);
    });
    // Only now are its files and sockets closed.
    worker.on("exit", () => this.#replace(trouble));
    return worker;
  }

  #replace(trouble: string): void {
    this.#worker = null;
    if (this.#isEnding) return this.#ended(false);
    if (this.#hasFailed || this.#uiPort === 0) return this.#options.onEnd(`the engine failed: ${trouble}`);
    this.#hasFailed = true;
    this.#options.onTrouble(`the engine failed and is started again: ${trouble}`);
    this.#outbox.holdBack();
    const { recording } = this.#outbox;
    this.#worker = this.#newWorker({ uiPort: this.#uiPort, recording, hubOrigin: this.#hubOrigin });
  }

  #openHub(target: string | null): void {
    if (this.#hub?.isOpen) return this.#tell({ type: "show-hub", target });
    void this.#hub?.open(this.#uiPort, target, (origin) => {
      this.#hubOrigin = origin;
      this.#tell({ type: "hub-origin", origin });
    });
  }

  /** `progress`: of the worker that says it. */
  #hear(message: FromWorker, progress: Progress): void {
    switch (message.type) {
      case "ready":
        this.#uiPort = message.uiPort;
        this.#settings = this.#networkSettings(message.settings);
        this.#tell({ type: "proxy", state: this.#switch.state });
        this.#outbox.goOn(message.written, progress);
        return this.#ready(message.uiPort);
      case "recording":
        this.#outbox.recording = message.on;
        return;
      case "settings":
        this.#settings = this.#networkSettings(message.settings);
        return;
      case "run-proxy":
        void this.#switch.run(message.on);
        return;
      case "set-reach":
        void this.#switch.reach(message.lan);
        return;
      case "renew-root":
        return this.#renewRoot();
      case "resend":
        void this.#resend(message.request);
        return;
      case "open-hub":
        return this.#openHub(message.target);
      case "window-shown":
        return this.#options.onShown();
      case "window-gone":
        this.#windowIsGone = true;
        return this.#options.onEnd(null);
      case "ended":
        if (message.unsaved !== null) this.#options.onTrouble(message.unsaved);
        return this.#ended(message.told);
    }
  }

  async #resend(request: Parameters<Listener["resend"]>[0]): Promise<void> {
    const trouble = await this.#listener.resend(request);
    if (trouble !== null) this.#options.onTrouble(`a request could not be sent again: ${trouble.message}`);
  }

  /** From now on every handshake is answered with a leaf of the new root; connections that stand go on. */
  #renewRoot(): void {
    const root = this.#options.renewRoot();
    if (typeof root === "string") return this.#tell({ type: "root", root });
    this.#authority = authorityOf(root);
    this.#tell({ type: "root", root: this.#options.publicRoot(root) });
  }

  #networkSettings(settings: Settings): Settings & NetworkSettings {
    const hostOverrides = [...settings.hostOverrides, ...this.#options.hostOverrides];
    // The network knows a probe by its host; the port is the watcher's business.
    const probeHost = settings.probeHost.toLowerCase().replace(/:\d+$/, "");
    return Object.freeze({ ...settings, hostOverrides, probeHost });
  }

  #inScope(host: string): boolean {
    const { captureInclude, captureExclude } = this.#settings;
    return (captureInclude.length === 0 || matchesHost(captureInclude, host)) && !matchesHost(captureExclude, host);
  }

  #tell(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }
}

/** A root, and what is made of it. */
interface Authority {
  readonly root: Root;
  readonly leaves: LeafMint;
  readonly certificate: { readonly pem: string; readonly der: Buffer };
}

function authorityOf(root: Root): Authority {
  const { raw } = root.certificate;
  return { root, leaves: new LeafMint(root), certificate: { pem: pemOf(raw), der: raw } };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * libuv starts its threads when one is first used, with the niceness of who uses it: names are looked up there, and if the
 * engine were first, they would step back as it does. What is asked does not matter.
 */
function openThreadPool(): void {
  access(".", () => {});
}
