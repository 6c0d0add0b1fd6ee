import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import type { Command, FromEngine } from "../../src/engine/messages/messages.ts";
import type { ProxyState, Status } from "../../src/engine/messages/status-messages.ts";
import { hostPort } from "../../src/engine/model/host-port.ts";
import { isThisMachine, localAddress } from "../../src/engine/model/listen-address.ts";
import { proxyAddressOf } from "../../src/engine/model/proxy-address.ts";
import type { Archive } from "../../src/engine/session/archive.ts";
import type { Context } from "../../src/engine/session/context.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { Clock } from "./clock.ts";
import { DecodingQueue } from "./decoding-queue.ts";
import type { ExportSource } from "./export-source.ts";
import { HubDesk } from "./hub-desk.ts";
import { lanAddress } from "./lan-address.ts";
import type { LocalClient } from "./network/network-options.ts";
import { Notices } from "./notices.ts";
import type { Desk, Seat } from "./page.ts";
import { adviceFor, PassThroughAdvice } from "./pass-through-advice.ts";
import { ProgramSearch } from "./program-search.ts";
import { isReading, ReadingDesk, requestToResend } from "./reading-desk.ts";
import type { Recordings } from "./recordings.ts";
import { isRemark, RemarkDesk } from "./remark-desk.ts";
import { RootDesk } from "./root-desk.ts";
import { isAboutSessions, SessionDesk } from "./session-desk.ts";
import { SessionFindings } from "./session-findings.ts";
import { SettingsDesk } from "./settings-desk.ts";
import { ShownSession } from "./shown-session.ts";
import { SocketOwners } from "./socket-owners.ts";
import type { SessionStore } from "./storage/sessions.ts";
import type { SettingsFile } from "./storage/settings-file.ts";
import { storageNotice } from "./storage/store-status.ts";
import { storedArchive } from "./stored-archive.ts";
import type { FromWorker, PublicRoot, WorkerStart } from "./threads.ts";

interface DeskOptions {
  readonly start: WorkerStart;
  readonly store: SessionStore;
  readonly recordings: Recordings;
  readonly settings: SettingsFile;
  readonly clock: Clock;
  /** To the thread that moves bytes. */
  readonly tell: (message: FromWorker) => void;
  /** Brings the main window to the front, where it is a native one. */
  readonly showMain: () => void;
  /** To every open page. */
  readonly broadcast: (message: FromEngine) => void;
}

/** Where everything that pages ask for is decided: what is recorded, what is set, what is read back. */
export class EngineDesk implements Desk {
  /** Lasting troubles, for all pages. */
  readonly notices: Notices;
  readonly #options: DeskOptions;
  readonly #archive: Archive;
  readonly #reading = new ReadingDesk();
  readonly #sessions: SessionDesk;
  readonly #remarks: RemarkDesk;
  readonly #decoding = new DecodingQueue();
  readonly #hub: HubDesk;
  readonly #programs: ProgramSearch;
  readonly #advice = new PassThroughAdvice();
  readonly #settings: SettingsDesk;
  readonly #root: RootDesk;
  #findings: { readonly session: Session; readonly of: SessionFindings } | null = null;
  #recording: boolean;
  #proxy: ProxyState = Object.freeze({ running: false, address: "", port: 0, wantedPort: null, problem: null });

  constructor(options: DeskOptions) {
    this.#options = options;
    this.notices = new Notices(options.start.notices);
    this.#archive = storedArchive(() => options.recordings.reader());
    const { start, clock, recordings, store, settings } = options;
    const onPruned = (text: string) => this.notices.tell("pruned", text);
    const onOver = (text: string | null) => this.notices.tell("over", text);
    this.#sessions = new SessionDesk({ store, recordings, settings, clock, onPruned, onOver });
    this.#remarks = new RemarkDesk({ store, recordings, settings: () => settings.settings });
    this.#root = new RootDesk(start, () => options.tell({ type: "renew-root" }));
    this.#settings = new SettingsDesk(settings, process.env);
    this.#recording = start.legacy?.recording ?? true;
    const owners = new SocketOwners();
    this.#programs = new ProgramSearch({
      find: (clients) => owners.programsOf(clients),
      onFound: (named) => recordings.name(named),
    });
    this.#hub = new HubDesk({
      start,
      clock,
      session: () => recordings.session,
      status: () => this.#status(),
      endWarning: () => this.#root.endWarning(clock.now()),
      onTrouble: (text) => this.notices.tell("hub", text),
      onForgotten: (text) => this.notices.tell("hub-file", text),
    });
  }

  set proxy(state: ProxyState) {
    if (!state.running) this.#hub.cancelAll("proxy-stopped");
    this.#proxy = state;
    this.notices.tell("lan", state.running ? lanNotice(state) : null);
  }

  /** The session that is being recorded is what a page shows at first. */
  seat(send: (message: FromEngine) => void): Seat {
    const shown = new ShownSession(this.#sessions.opened);
    return {
      context: () => this.#context(shown),
      carryOut: (command) => this.#carryOut(command, shown, send),
      now: () => this.#options.clock.now(),
      close: () => {
        this.#reading.leave(send);
        this.#sessions.leave(shown);
      },
    };
  }

  /** Folds and stores what the network described. */
  take(events: readonly CaptureEvent[], batch: number): void {
    const { recordings } = this.#options;
    recordings.take(events, batch);
    this.#hub.take(events);
    const hosts = this.#advice.take(events, (id) => recordings.session.exchange(id)?.origin ?? null);
    for (const host of hosts) this.notices.tell(`pass-through ${host}`, adviceFor(host));
    this.#decoding.take(events, recordings.session);
  }

  /** Finds out which program it is, while there is something to be recorded. */
  takeClient(client: LocalClient): void {
    this.#programs.add(client);
    if (this.#recording) void this.#programs.look();
  }

  /** Writes what waits and measures bodies; call it about four times a second. */
  async tick(): Promise<void> {
    const { recordings, clock } = this.#options;
    this.#hub.tick();
    if (this.#recording) void this.#programs.look();
    const status = recordings.tick(clock.now());
    this.notices.tell("root-end", this.#root.endWarning(clock.now()));
    this.notices.tell("storage", storageNotice(status));
    this.#sessions.tick();
    const sizes = await this.#decoding.measure(recordings.session, recordings.reader());
    if (sizes !== null) recordings.take(sizes);
  }

  /** The data plane signs with this root now; a sentence: it could not get another. */
  takeRoot(root: PublicRoot | string): void {
    if (typeof root !== "string") this.#hub.takeRoot(root.certificatePem);
    this.#root.take(root);
  }

  /** The program ends. */
  end(): void {
    this.#sessions.end();
  }

  #context(shown: ShownSession): Context {
    const { recordings, clock } = this.#options;
    const { opened } = shown;
    const sources = opened ?? {
      session: recordings.session,
      archive: this.#archive,
      findings: this.#currentFindings(),
      history: this.#sessions.history,
    };
    const { session, archive, findings, history } = sources;
    const sessions = { state: () => this.#sessions.state(), shown: () => shown.state() };
    const status = this.#status();
    return { session, archive, findings, history, sessions, status, hub: this.#hub, now: clock.now() };
  }

  #currentFindings(): SessionFindings {
    const { recordings, settings, clock } = this.#options;
    const { session } = recordings;
    if (this.#findings?.session !== session) {
      const of = new SessionFindings({
        session,
        reader: () => recordings.reader(),
        chainGap: () => settings.settings.chainGap,
        until: () => clock.now(),
      });
      this.#findings = { session, of };
    }
    return this.#findings.of;
  }

  async #carryOut(command: Command, shown: ShownSession, send: (message: FromEngine) => void): Promise<unknown> {
    const { recordings, clock, tell } = this.#options;
    if (isReading(command)) return this.#reading.carryOut(command, this.#sourceOf(shown), send);
    if (isRemark(command)) return this.#remarks.carryOut(command, shown);
    if (isAboutSessions(command)) return this.#sessions.carryOut(command, shown);
    switch (command.type) {
      case "set-recording":
        this.#recording = command.on;
        if (!command.on) this.#hub.cancelAll("recording-paused");
        return tell({ type: "recording", on: command.on });
      case "start-proxy":
        return tell({ type: "run-proxy", on: true });
      case "stop-proxy":
        return tell({ type: "run-proxy", on: false });
      case "set-reach":
        return tell({ type: "set-reach", lan: command.lan });
      case "renew-certificate":
        return this.#root.renew();
      case "clear":
        this.#hub.cancelAll("session-cleared");
        return recordings.clear(clock.now());
      case "undo-clear":
        if (!recordings.undoClear()) throw new Error("There is nothing left to undo.");
        return null;
      case "new-session":
        recordings.begin(clock.now());
        return this.#hub.cancelAll("new-session");
      case "resend":
        if (!this.#proxy.running) throw new Error("The proxy is stopped. Start it, then send the request again.");
        return tell({ type: "resend", request: requestToResend(this.#sourceOf(shown), command.exchange) });
      case "set-setting":
        return this.#set(command.key, command.value);
      case "run-test":
        return this.#hub.run(command.slug);
      case "extend-test":
        return this.#hub.extend(command.slug);
      case "cancel-test":
        return this.#hub.cancel(command.slug);
      case "note-copy":
        return this.#hub.noteCopy(command.slug, command.form);
      case "export-certificate":
        return this.#hub.exportTo(command.folder);
      case "check-trust":
        return this.#hub.askTrust();
      case "show-exchange":
        this.#options.showMain();
        return this.#options.broadcast({ type: "show-exchange", exchange: command.exchange });
      case "open-hub":
        return tell({ type: "open-hub", target: command.target });
    }
  }

  #status(): Status {
    const { start, recordings } = this.#options;
    return {
      version: start.version,
      host: start.host,
      proxy: this.#proxy,
      recording: this.#recording,
      lan: this.#proxy.running ? lanAddress(this.#proxy.address) : null,
      certificate: { ...this.#root.certificate, ...this.#hub.files },
      settings: this.#settings.shown,
      environmentProxy: this.#offeredProxy(),
      dataDir: start.dataDir,
      notices: this.notices.all,
      undoClearUntil: recordings.undoUntil,
    };
  }

  /** The environment's further proxy; not where it is ourselves, as in a terminal that was set up for Weir. */
  #offeredProxy(): string | null {
    const offered = this.#settings.shownEnvironmentProxy;
    const address = offered === null ? null : proxyAddressOf(offered);
    const names = ["localhost", "127.0.0.1", "::1", localAddress(this.#proxy.address)];
    return address?.port === this.#proxy.port && names.includes(address.host) ? null : offered;
  }

  #set(key: string, value: unknown): null {
    const { recordings, store, tell } = this.#options;
    const settings = this.#settings.change(key, value);
    const { passThrough, groupSimilarPaths, sessionBodyCap, rowCap } = settings;
    for (const host of this.#advice.followed(passThrough)) this.notices.tell(`pass-through ${host}`, null);
    void recordings.regroup(groupSimilarPaths);
    void this.#sessions.opened.regroup(groupSimilarPaths);
    store.bodyCap = sessionBodyCap;
    recordings.keep(rowCap);
    tell({ type: "settings", settings });
    return null;
  }

  /** What a page's exports, searches and bodies are read from. */
  #sourceOf({ opened }: ShownSession): ExportSource {
    const { start, recordings, settings } = this.#options;
    const { session, reader, history } = opened ?? {
      session: recordings.session,
      reader: recordings.reader(),
      history: this.#sessions.history,
    };
    return { session, reader, baseline: history.baseline, settings: settings.settings, version: start.version };
  }
}

/** security.md, S5: while others can use the proxy, that is to be seen. */
function lanNotice({ address, port }: ProxyState): string | null {
  if (isThisMachine(address)) return null;
  const lan = lanAddress(address);
  const where = lan === null ? "" : ` at ${hostPort(lan, port)}`;
  return `Devices in your network can use this proxy${where}, until Weir ends. Settings, Proxy turns that off.`;
}
