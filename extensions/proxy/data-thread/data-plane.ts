import { access } from "node:fs";
import { Worker } from "node:worker_threads";
import { Assignment } from "../../../src/engine/insights/experiment/assignment.ts";
import { isRequestOf } from "../../../src/engine/insights/experiment/target.ts";
import type { ProxyState } from "../../../src/engine/messages/status-messages.ts";
import type { Conditions } from "../../../src/engine/model/conditions.ts";
import { type Result, success } from "../../../src/engine/model/result.ts";
import { repeatedPort } from "../../../src/engine/model/reverse-port.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/engine/model/settings.ts";
import { repeatedTransparentPort } from "../../../src/engine/model/transparent-port.ts";
import { LeafCertificates } from "../certificates/leaf-certificates.ts";
import type { Root } from "../certificates/root.ts";
import { pemOf } from "../certificates/x509.ts";
import type { Arguments } from "../process/arguments.ts";
import { startScript } from "../process/child-process.ts";
import { CLOCK } from "../process/clock.ts";
import { ENGINE_LIMITS, type FromWorker, type PublicRoot, type ToWorker, type WorkerStart } from "../threads.ts";
import { HubWindow, type NativeShell } from "../window/hub-window.ts";
import { Listener } from "./network/client/listener.ts";
import { Replay } from "./network/client/replay.ts";
import { HELPER_THREADS, type StartHelper } from "./network/dns/lookup-helper.ts";
import { LOOKUP_SCRIPT } from "./network/dns/lookup-script.ts";
import { type NameResolver, systemResolver } from "./network/dns/name-resolver.ts";
import type { LocalClient, LocalPortProblem, NetworkSettings } from "./network/network-options.ts";
import { matchesHost } from "./network/origin.ts";
import { LoopLateness, Outbox } from "./outbox.ts";
import { ProxySwitch } from "./proxy-switch.ts";

/** How long the engine thread may store events after the drain, ms. */
const STORING = 2_500;

/**
 * How long the drain and the storing may take if the window was closed, ms. The process then ends within 2 s
 * (docs/security.md R10).
 */
const WITHOUT_WINDOW = { drain: 500, storing: 1_400 } as const;

/** How long a session waits for the ends of exchanges whose clients may have the whole response already, ms. */
const ENDING = 20;

interface DataPlaneOptions {
  readonly root: Root;
  /** Creates the root to use from now on. The problem of a failure is a sentence. */
  readonly renewRoot: () => Result<Root>;
  /** The part of a root that the engine thread may know. */
  readonly publicRoot: (root: Root) => PublicRoot;
  /** The roots for verifying servers, as PEM. Returns the same array each time. */
  readonly upstreamCa: () => readonly string[];
  readonly address: string;
  readonly port: number | null;
  /** What the command line says; it takes precedence over the settings. */
  readonly given: Pick<
    Arguments,
    "allowPrivateTargets" | "hostOverrides" | "reversePorts" | "transparentPorts" | "slow"
  >;
  /** As in `NetworkOptions`. */
  readonly debug: ((line: string) => void) | undefined;
  readonly worker: Omit<WorkerStart, "handoff" | keyof PublicRoot>;
  /** What a killed process has left, to be continued; `null` for a usual start. */
  readonly handoff: WorkerStart["handoff"];
  /** How the native host opens more windows; `null` in the browser host. */
  readonly shell: NativeShell | null;
  /** Called with a text for the log, for example that the engine thread failed and is being replaced. */
  readonly onTrouble: (trouble: string) => void;
  readonly onPaused: (isPaused: boolean) => void;
  /** Called when the native window's page has connected. */
  readonly onShown: () => void;
  readonly onPageLost: () => void;
  /** Called when the window has closed (`null`), or the engine thread has failed for good (the reason). */
  readonly onEnd: (reason: string | null) => void;
}

/**
 * Runs the data thread (sockets, TLS, relay) and its engine thread. If the engine fails, the proxy keeps running. A new
 * engine then continues from the stored exchanges, at most once per process.
 */
export class DataPlane {
  readonly #options: DataPlaneOptions;
  #authority: Authority;
  /** `null` after the engine thread has ended for good. */
  #worker: Worker | null;
  readonly #outbox: Outbox;
  readonly #resolver: NameResolver = systemResolver(startHelper);
  readonly #listener: Listener;
  readonly #switch: ProxySwitch;
  readonly #hub: HubWindow | null;
  #hubOrigin: string | null = null;
  #settings: Settings & NetworkSettings;
  #conditions: Conditions | null;
  #uiPort = 0;
  /** Why reverse or transparent ports are not open. */
  #portProblems: readonly LocalPortProblem[] = [];
  /** Runs of replays, by number. */
  readonly #replays = new Map<number, Replay>();
  #draws: Assignment | null = null;
  #hasFailed = false;
  #isEnding = false;
  #windowIsGone = false;
  #endDrain: () => void = () => {};
  #ended: (notified: boolean) => void = () => {};
  #ready: (uiPort: number) => void = () => {};

  constructor(options: DataPlaneOptions) {
    this.#options = options;
    this.#conditions = options.given.slow;
    this.#authority = authorityOf(options.root);
    this.#settings = this.#networkSettings(DEFAULT_SETTINGS);
    openThreadPool();
    this.#worker = this.#newWorker(options.handoff);
    const { shell } = options;
    const { ticket } = options.worker;
    const onProblem = (problem: string) => this.#post({ type: "hub-problem", problem });
    this.#hub = shell === null ? null : new HubWindow({ shell, ticket, onProblem });
    this.#outbox = new Outbox({
      post: (message) => this.#post(message),
      now: CLOCK.now,
      inScope: (host) => this.#inScope(host),
      lateness: new LoopLateness(CLOCK.now),
    });
    if (options.handoff?.pause) this.#outbox.recording = false;
    this.#listener = new Listener({
      sink: this.#outbox,
      // `#authority.leaves` is read at each call, since a new root brings other leaves.
      leaves: { contextFor: (name) => this.#authority.leaves.contextFor(name) },
      clock: CLOCK,
      resolver: this.#resolver,
      upstreamCa: options.upstreamCa,
      settings: () => this.#settings,
      ownPorts: () => [this.#uiPort, this.#switch.state.port],
      certificate: () => this.#authority.certificate,
      ...(process.platform === "linux"
        ? { onLocalClient: (client: LocalClient) => this.#post({ type: "client", client }) }
        : {}),
      debug: options.debug,
      onLocalPorts: (problems) => this.#onLocalPorts(problems),
      onSilentClose: (close) => this.#post({ type: "silent-close", close }),
    });
    this.#listener.setConditions(options.given.slow);
    const { address, port } = options;
    const onState = (state: ProxyState) => this.#post({ type: "proxy", state });
    this.#switch = new ProxySwitch({ listener: this.#listener, address, port, onState });
  }

  /** Resolves once both threads run, and the proxy and its other ports listen or have reported a problem. */
  async start(): Promise<Started> {
    const uiPort = await new Promise<number>((resolve) => {
      this.#ready = resolve;
    });
    const proxy = await this.#switch.run(true);
    return {
      uiPort,
      proxy,
      reversePorts: this.#listener.openPorts("reverse"),
      transparentPorts: this.#listener.openPorts("transparent"),
      portProblem: this.#givenProblem(),
    };
  }

  /** As `Listener.prepare`. */
  prepare(): void {
    this.#listener.prepare();
  }

  /** Ends Weir, because its native window has ended. */
  endWithWindow(): void {
    this.#windowIsGone = true;
    this.#options.onEnd(null);
  }

  /** Brings the window to the front, since Weir was started again. */
  show(): void {
    this.#post({ type: "show" });
  }

  /**
   * Stops accepting, drains the requests in flight, then gives the engine thread `STORING` to store its events. The
   * windows show `reason`; `null` if the user ended Weir. Returns false if no window received it.
   */
  async stop(reason: string | null): Promise<boolean> {
    this.#isEnding = true;
    this.#endExperiment("proxy-stopped");
    this.#hub?.close();
    const drainEnded = new Promise<void>((resolve) => {
      this.#endDrain = resolve;
    });
    await Promise.race([this.#switch.run(false, this.#windowIsGone ? WITHOUT_WINDOW.drain : null), drainEnded]);
    this.#resolver.close();
    this.#outbox.flush();
    if (this.#worker === null) return false;
    const ended = new Promise<boolean>((resolve) => {
      this.#ended = resolve;
    });
    const limit = setTimeout(() => this.#ended(false), this.#windowIsGone ? WITHOUT_WINDOW.storing : STORING);
    this.#post({ type: "shutdown", reason });
    const notified = await ended;
    clearTimeout(limit);
    await this.#worker?.terminate();
    return notified;
  }

  forceQuit(): void {
    this.#endDrain();
  }

  #newWorker(handoff: WorkerStart["handoff"]): Worker {
    const file = import.meta.url.endsWith(".ts") ? "../engine-thread/worker.ts" : "./worker.mjs";
    const { worker: given, publicRoot } = this.#options;
    const root = publicRoot(this.#authority.root);
    const workerData: WorkerStart = { ...given, ...root, handoff };
    const worker = new Worker(new URL(file, import.meta.url), { workerData, resourceLimits: ENGINE_LIMITS });
    let trouble = "its thread ended by itself";
    worker.on("message", (message: FromWorker) => this.#onMessage(message));
    worker.on("error", (error) => {
      trouble = wordsOf(error);
    });
    // The worker is replaced after its exit, because its files and sockets stay open until then.
    worker.on("exit", () => this.#replace(trouble));
    return worker;
  }

  #replace(trouble: string): void {
    this.#worker = null;
    // The runs of replays belong to windows of the engine that has ended, so they end as well.
    for (const replay of this.#replays.values()) replay.stop();
    this.#listener.experiment.stop();
    if (this.#isEnding) return this.#ended(false);
    if (this.#hasFailed || this.#uiPort === 0) return this.#options.onEnd(`the engine failed: ${trouble}`);
    this.#hasFailed = true;
    this.#options.onTrouble(`the engine failed and is started again: ${trouble}`);
    this.#outbox.suspend();
    const { pause } = this.#outbox;
    this.#worker = this.#newWorker({ of: "thread", uiPort: this.#uiPort, pause, hubOrigin: this.#hubOrigin });
  }

  #openHub(target: string | null): void {
    if (this.#hub?.isOpen) return this.#post({ type: "show-hub", target });
    void this.#hub?.open(this.#uiPort, target, (origin) => {
      this.#hubOrigin = origin;
      this.#post({ type: "hub-origin", origin });
    });
  }

  #onMessage(message: FromWorker): void {
    switch (message.type) {
      case "ready":
        this.#uiPort = message.uiPort;
        this.#settings = this.#networkSettings(message.settings);
        this.#post({ type: "proxy", state: this.#switch.state });
        this.#postLocalPorts();
        this.#post({ type: "conditions", conditions: this.#conditions });
        this.#outbox.resume(message.written, message.lastId);
        return this.#ready(message.uiPort);
      case "progress":
        return this.#outbox.acknowledge(message.folded, message.written);
      case "recording":
        // Stored before the windows show it, so that an engine that continues this process pauses as well.
        this.#options.onPaused(!message.on);
        this.#outbox.recording = message.on;
        return;
      case "cut":
        setTimeout(() => {
          this.#outbox.flush();
          this.#post({ type: "cut", at: CLOCK.now() });
        }, ENDING);
        return;
      case "settings":
        this.#settings = this.#networkSettings(message.settings);
        void this.#listener.applyLocalPorts();
        return;
      case "start-proxy":
        void this.#startProxy();
        return;
      case "stop-proxy":
        this.#endExperiment("proxy-stopped");
        void this.#switch.run(false);
        return;
      case "set-reach":
        void this.#switch.reach(message.lan);
        return;
      case "set-conditions":
        return this.#setConditions(message.conditions);
      case "renew-root":
        return this.#renewRoot();
      case "resend":
        void this.#resend(message.request);
        return;
      case "replay":
        void this.#replay(message);
        return;
      case "stop-replays":
        return this.#replays.get(message.run)?.stop();
      case "start-experiment":
        return this.#startExperiment(message);
      case "experiment-watched":
        return this.#listener.experiment.heard();
      case "draw-again":
        return this.#draws?.putBack(message.draw);
      case "end-experiment":
        return this.#listener.experiment.stop();
      case "open-hub":
        return this.#openHub(message.target);
      case "window-shown":
        return this.#options.onShown();
      case "page-lost":
        return this.#options.onPageLost();
      case "window-gone":
        return this.endWithWindow();
      case "ended":
        if (message.unsaved !== null) this.#options.onTrouble(message.unsaved);
        return this.#ended(message.notified);
    }
  }

  #setConditions(conditions: Conditions | null): void {
    this.#conditions = conditions;
    this.#listener.setConditions(conditions);
    // Posted after the events so far, so that the session of slowed exchanges is labelled.
    this.#post({ type: "conditions", conditions });
  }

  async #startProxy(): Promise<void> {
    const { running, problem } = await this.#switch.run(true);
    this.#post({ type: "start-ended", problem: running ? null : problem });
  }

  async #resend(request: Parameters<Listener["resend"]>[0]): Promise<void> {
    const trouble = await this.#listener.resend(request);
    if (trouble !== null) this.#options.onTrouble(`a request could not be sent again: ${trouble.message}`);
  }

  async #replay({ run, request, times, atOnce }: Extract<FromWorker, { readonly type: "replay" }>): Promise<void> {
    const replay = new Replay({
      times,
      atOnce,
      send: (options) => this.#listener.resend(request, options),
      onEnded: (exchange) => this.#post({ type: "replayed", run, exchange }),
    });
    this.#replays.set(run, replay);
    const problem = await replay.run();
    this.#replays.delete(run);
    this.#post({ type: "replays-ended", run, problem });
  }

  #startExperiment({ target, client, levels }: Extract<FromWorker, { readonly type: "start-experiment" }>): void {
    const draws = new Assignment(levels, Math.random);
    this.#draws = draws;
    this.#listener.experiment.start({
      client,
      isTarget: (request) => isRequestOf(request, target),
      draw: () => draws.next(),
      onEnd: (reason) => this.#post({ type: "experiment-ended", reason }),
    });
  }

  /** Releases the held responses, and tells the engine thread. */
  #endExperiment(reason: "proxy-stopped"): void {
    if (!this.#listener.experiment.isRunning) return;
    this.#listener.experiment.stop();
    this.#post({ type: "experiment-ended", reason });
  }

  /**
   * Renews the root and reports the result to the engine thread. New handshakes get a leaf of the new root; open
   * connections keep their leaf of the old root.
   */
  #renewRoot(): void {
    const root = this.#options.renewRoot();
    if (!root.ok) return this.#post({ type: "root", root });
    this.#authority = authorityOf(root.value);
    this.#post({ type: "root", root: success(this.#options.publicRoot(root.value)) });
  }

  #networkSettings(settings: Settings): Settings & NetworkSettings {
    const { given } = this.#options;
    const hostOverrides = [...settings.hostOverrides, ...given.hostOverrides];
    // The network compares only the probe's host. The Setup Hub also checks the port.
    const probeHost = settings.probeHost.toLowerCase().replace(/:\d+$/, "");
    const reversePorts = withPrecedence(settings.reversePorts, given.reversePorts, repeatedPort);
    const transparentPorts = withPrecedence(settings.transparentPorts, given.transparentPorts, repeatedTransparentPort);
    const privateTargetsFromLan = settings.privateTargetsFromLan || given.allowPrivateTargets;
    return Object.freeze({
      ...settings,
      hostOverrides,
      reversePorts,
      transparentPorts,
      probeHost,
      privateTargetsFromLan,
    });
  }

  #onLocalPorts(problems: readonly LocalPortProblem[]): void {
    const isKnown = ({ text }: LocalPortProblem) => this.#portProblems.some((known) => known.text === text);
    for (const problem of problems) if (!isKnown(problem)) this.#options.onTrouble(problem.text);
    this.#portProblems = problems;
    this.#postLocalPorts();
  }

  #postLocalPorts(): void {
    const problems = this.#portProblems.map(({ text }) => text);
    const [reverse, transparent] = [this.#listener.openPorts("reverse"), this.#listener.openPorts("transparent")];
    this.#post({ type: "local-ports", reverse, transparent, problems });
  }

  /** Why a port of the command line is not open, with the option that names another one; `null` if all are open. */
  #givenProblem(): string | null {
    const { reversePorts, transparentPorts } = this.#options.given;
    for (const [given, option] of [
      [reversePorts, "--reverse"],
      [transparentPorts, "--transparent"],
    ] as const) {
      const problem = this.#portProblems.find(({ entry }) => given.includes(entry));
      if (problem !== undefined) return `${problem.text} Name another port with ${option}.`;
    }
    return null;
  }

  #inScope(host: string): boolean {
    const { captureInclude, captureExclude } = this.#settings;
    return (captureInclude.length === 0 || matchesHost(captureInclude, host)) && !matchesHost(captureExclude, host);
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }
}

const startHelper: StartHelper = (onMessage, onEnd) => startScript(LOOKUP_SCRIPT, HELPER_THREADS, onMessage, onEnd);

interface Started {
  readonly uiPort: number;
  readonly proxy: ProxyState;
  /** The open reverse ports, as `port=origin`. */
  readonly reversePorts: readonly string[];
  /** The open transparent ports, as their entries. */
  readonly transparentPorts: readonly string[];
  /** Why a port of the command line is not open, in sentences; `null` if all of them are open. */
  readonly portProblem: string | null;
}

/** The entries of both lists (`port=origin`). If both lists name a port, the entry of `second` counts. */
function withPrecedence(
  first: readonly string[],
  second: readonly string[],
  repeated: (entries: readonly string[]) => string | null,
): readonly string[] {
  return [...first.filter((entry) => repeated([entry, ...second]) === null), ...second];
}

interface Authority {
  readonly root: Root;
  readonly leaves: LeafCertificates;
  readonly certificate: { readonly pem: string; readonly der: Buffer };
}

function authorityOf(root: Root): Authority {
  const { raw } = root.certificate;
  return { root, leaves: new LeafCertificates(root), certificate: { pem: pemOf(raw), der: raw } };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Accesses a file, so that the data thread is the first user of libuv's threads. They get the priority (niceness) of
 * their first user, and decode bodies.
 */
function openThreadPool(): void {
  access(".", () => {});
}
