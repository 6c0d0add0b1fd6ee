import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { editableOf, editedRequest } from "../../../../src/engine/interchange/edited-request.ts";
import type { FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { Pause, ProxyState, Status } from "../../../../src/engine/messages/status-messages.ts";
import { type Conditions, checked, conditionsText } from "../../../../src/engine/model/conditions.ts";
import type { ExperimentEnd } from "../../../../src/engine/model/experiment.ts";
import { hostPort } from "../../../../src/engine/model/host-port.ts";
import { isThisMachine, localAddress } from "../../../../src/engine/model/listen-address.ts";
import { proxyAddressOf } from "../../../../src/engine/model/proxy-address.ts";
import { type Result, unwrap } from "../../../../src/engine/model/result.ts";
import { sessionNameProblem } from "../../../../src/engine/model/session-name.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { hiddenHostsOf } from "../../../../src/engine/session/filter/hidden-hosts.ts";
import type { Archive } from "../../../../src/engine/session/queries/archive.ts";
import type { Context } from "../../../../src/engine/session/queries/context.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { LocalClient, SilentClose } from "../../data-thread/network/network-options.ts";
import type { Clock } from "../../process/clock.ts";
import { lanAddress } from "../../process/lan-address.ts";
import type { SessionStore } from "../../storage/sessions.ts";
import type { SettingsFile } from "../../storage/settings-file.ts";
import { storageNotice } from "../../storage/store-status.ts";
import type { FromWorker, LocalPortsState, PublicRoot, WorkerStart } from "../../threads.ts";
import { ProgramSearch } from "../client-programs/program-search.ts";
import { SocketOwners } from "../client-programs/socket-owners.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import { DecodingQueue } from "../recording/decoding-queue.ts";
import { PageTitles } from "../recording/page-titles.ts";
import type { PathGrouping } from "../recording/path-grouping.ts";
import { storedArchive } from "../recording/stored-archive.ts";
import type { AnalysedSource } from "./analysis-work.ts";
import { AnnotationCommands } from "./annotation-commands.ts";
import { findingsMarkdown } from "./copied-findings.ts";
import { differenceHandlers } from "./difference-commands.ts";
import { ExchangeDeletion } from "./exchange-deletion.ts";
import { execute, type Handlers } from "./execute.ts";
import { Experiments } from "./experiments.ts";
import { HubCommands } from "./hub-commands.ts";
import { Notices } from "./notices.ts";
import { PassThroughAdvice } from "./pass-through-advice.ts";
import { ProxyStarts } from "./proxy-starts.ts";
import { exchangeOf, ReadingCommands, requestToResend } from "./reading-commands.ts";
import { Replays } from "./replays.ts";
import { RootCommands } from "./root-commands.ts";
import { SessionCommands } from "./session-commands.ts";
import { SessionCuts } from "./session-cuts.ts";
import { SessionFindings } from "./session-findings.ts";
import { SettingsCommands } from "./settings-commands.ts";
import { ShownSession } from "./shown-session.ts";
import type { UiClientContext, UiClientHost } from "./ui-client.ts";

interface CommandHandlersOptions {
  readonly start: WorkerStart;
  readonly store: SessionStore;
  readonly recordings: CurrentSession;
  readonly grouping: PathGrouping;
  readonly settings: SettingsFile;
  readonly clock: Clock;
  /** Sends a message to the data thread. */
  readonly tell: (message: FromWorker) => void;
  /** Brings the main window to the front; does nothing in the browser host. */
  readonly showMain: () => void;
  /** Sends a message to every UI client. */
  readonly broadcast: (message: FromEngine) => void;
}

/** Executes the commands of UI clients and folds capture events. The central object of the engine thread. */
export class CommandHandlers implements UiClientHost {
  /** Lasting problems, which all windows show. */
  readonly notices: Notices;
  readonly #options: CommandHandlersOptions;
  readonly #archive: Archive;
  readonly #reading = new ReadingCommands((shown) => this.#sourceOf(shown));
  readonly #sessions: SessionCommands;
  readonly #annotations: AnnotationCommands;
  readonly #deletion: ExchangeDeletion;
  readonly #decoding = new DecodingQueue();
  readonly #titles = new PageTitles();
  readonly #hub: HubCommands;
  readonly #programs: ProgramSearch;
  /** The pass-through advice for the current session. */
  #advice: { readonly session: Session; readonly of: PassThroughAdvice };
  readonly #settings: SettingsCommands;
  readonly #handlers: Handlers;
  readonly #root: RootCommands;
  readonly #replays: Replays;
  readonly #experiments: Experiments;
  readonly #starts = new ProxyStarts();
  readonly #cuts: SessionCuts;
  #findings: { readonly session: Session; readonly of: SessionFindings } | null = null;
  #recording: boolean;
  #pause: Pause | null;
  #conditions: Conditions | null = null;
  #openPorts: Pick<LocalPortsState, "reverse" | "transparent"> = { reverse: [], transparent: [] };
  #proxy: ProxyState = Object.freeze({ running: false, address: "", port: 0, wantedPort: null, problem: null });

  constructor(options: CommandHandlersOptions) {
    this.#options = options;
    this.notices = new Notices(options.start.notices);
    this.#advice = { session: options.recordings.session, of: new PassThroughAdvice() };
    this.#archive = storedArchive(() => options.recordings.reader());
    const { start, clock, recordings, grouping, store, settings } = options;
    const onPruned = (text: string) => this.notices.set("pruned", text);
    const onOver = (text: string | null) => this.notices.set("over", text);
    const onTrouble = (trouble: string | null) => this.#onAnalysisTrouble(trouble);
    const endAnalysis = () => this.#endAnalysis();
    this.#cuts = new SessionCuts(() => options.tell({ type: "cut" }));
    const ofSessions = { store, recordings, grouping, settings, clock, onPruned, onOver, onTrouble, endAnalysis };
    this.#sessions = new SessionCommands({ ...ofSessions, cuts: this.#cuts });
    this.#annotations = new AnnotationCommands({ store, recordings, sourceOf: (shown) => this.#sourceOf(shown) });
    this.#deletion = new ExchangeDeletion({
      ...{ store, recordings, clock, opened: this.#sessions.opened, sourceOf: (shown) => this.#sourceOf(shown) },
      onPurged: (session, problem) => {
        this.#sessions.measureAgain(session);
        this.notices.set("purge", problem);
      },
    });
    this.#root = new RootCommands(start, () => options.tell({ type: "renew-root" }));
    this.#settings = new SettingsCommands(settings, process.env);
    this.#replays = new Replays({
      tell: options.tell,
      current: () => recordings.session,
      fixedThreshold: () => settings.settings.fixedThreshold,
    });
    this.#experiments = new Experiments({
      ...{ tell: options.tell, clock },
      current: () => recordings.session,
      onEnd: (experiment) => void recordings.addEvents([{ type: "experiment-ended", at: clock.now(), experiment }]),
    });
    this.#pause = start.legacy?.pause ?? null;
    this.#recording = this.#pause === null;
    const owners = new SocketOwners();
    this.#programs = new ProgramSearch({
      find: (clients) => owners.programsOf(clients),
      onFound: (named) => {
        recordings.name(named);
        if (this.#currentAdvice().addEvents(named, () => null)) this.#advise();
      },
    });
    this.#hub = new HubCommands({
      start,
      clock,
      session: () => recordings.session,
      status: () => this.#status(),
      openPorts: () => this.#openPorts,
      endWarning: () => this.#root.endWarning(clock.now()),
      onTrouble: (text) => this.notices.set("hub", text),
      onForgotten: (text) => this.notices.set("hub-file", text),
    });
    this.#handlers = this.#handlersOf(options);
  }

  set localPorts({ reverse, transparent, problems }: LocalPortsState) {
    this.#openPorts = { reverse, transparent };
    this.notices.set("local-ports", problems.length === 0 ? null : problems.join(" "));
  }

  /** Conditions label the session in which they are in force, and leave it out of the baseline. */
  set conditions(conditions: Conditions | null) {
    this.#conditions = conditions;
    this.#options.recordings.slowed = conditions === null ? null : conditionsText(conditions);
  }

  set pause(pause: Pause | null) {
    this.#pause = pause;
  }

  set proxy(state: ProxyState) {
    if (!state.running) this.#hub.cancelAll("proxy-stopped");
    this.#proxy = state;
    this.notices.set("lan", state.running ? lanNotice(state) : null);
  }

  /**
   * Called when the data thread has executed the earliest waiting `start-proxy`. `problem`: why the proxy does not
   * listen; `null` if it does.
   */
  endStart(problem: string | null): void {
    this.#starts.end(problem);
  }

  /** Connects a UI client, which at first shows the current session. */
  attach(send: (message: FromEngine) => void): UiClientContext {
    const shown = new ShownSession(this.#sessions.opened);
    return {
      context: () => this.#context(shown),
      execute: (command) => execute(this.#handlers, command, { shown, send }),
      now: () => this.#options.clock.now(),
      close: () => {
        this.#reading.cancelFor(send);
        this.#replays.cancelFor(send);
        this.#experiments.endFor(send);
        this.#sessions.detach(shown);
      },
    };
  }

  /** Folds and stores the events of the data thread. */
  addEvents(captured: readonly CaptureEvent[], batch: number): void {
    const { recordings } = this.#options;
    const events = recordings.addEvents(captured, batch);
    this.#hub.addEvents(events);
    this.#experiments.addEvents(events);
    if (this.#currentAdvice().addEvents(events, (id) => recordings.session.exchange(id))) this.#advise();
    this.#decoding.addEvents(events, recordings.session);
    this.#titles.addEvents(events, recordings.session);
  }

  /** Queues a client for the search of its program. The search runs only while recording is on. */
  takeClient(client: LocalClient): void {
    this.#programs.add(client);
    if (this.#recording) void this.#programs.look();
  }

  /** Called when all events before the earliest waiting cut were added. `at`: when the data thread cut. */
  reachCut(at: Instant): void {
    this.#cuts.reached(at);
  }

  /** Passes the close to the Setup Hub, for its running tests. */
  takeClose(close: SilentClose): void {
    this.#hub.takeClose(close);
  }

  /**
   * Does the periodic work, such as writing buffered events and measuring bodies. Called four times a second under
   * traffic, otherwise once a second.
   */
  async tick(): Promise<void> {
    const { recordings, clock } = this.#options;
    this.#hub.tick();
    this.#currentAdvice();
    this.#currentFindings();
    if (this.#recording) void this.#programs.look();
    this.#replays.tick();
    this.#experiments.tick();
    const status = recordings.tick(clock.now());
    this.notices.set("root-end", this.#root.endWarning(clock.now()));
    this.notices.set("storage", storageNotice(status));
    this.#sessions.tick();
    this.#deletion.tick();
    const sizes = await this.#decoding.measure(recordings.session, recordings.reader());
    if (sizes !== null) recordings.addEvents(sizes);
    const { session } = recordings;
    const titles = await this.#titles.read(session, recordings.reader());
    if (titles.length > 0 && session === recordings.session) recordings.addEvents(titles);
  }

  /** Called when a replay of the run has ended. The events of its exchange may come later. */
  takeReplay(run: number, exchange: ExchangeId): void {
    this.#replays.replayed(run, exchange);
  }

  /**
   * Called when all replays of the run have ended. `problem`: why fewer were sent, as a sentence; `null` if all were
   * sent or the run was stopped.
   */
  endReplays(run: number, problem: string | null): void {
    this.#replays.sent(run, problem);
  }

  /** Called when the data thread has ended the experiment by itself. */
  endExperiment(reason: ExperimentEnd): void {
    this.#experiments.endBy(reason);
  }

  /** Called with the data thread's new root, or with the reason why there is none. */
  takeRoot(root: Result<PublicRoot>): void {
    if (root.ok) this.#hub.takeRoot(root.value.certificatePem);
    this.#root.setRoot(root);
  }

  /** Cancels imports, and ends all that reads sessions, before the program ends. */
  async finish(): Promise<void> {
    await this.#deletion.finish();
    await Promise.all([this.#sessions.finish(), this.#endAnalysis()]);
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

  /**
   * The pass-through advice for the current session. A new session starts without advice, since rejections are counted
   * for each session.
   */
  #currentAdvice(): PassThroughAdvice {
    const { session } = this.#options.recordings;
    if (this.#advice.session !== session) {
      this.#advice = { session, of: new PassThroughAdvice() };
      this.notices.advise([]);
    }
    return this.#advice.of;
  }

  #advise(): void {
    const { recordings, settings } = this.#options;
    const { passThrough } = settings.settings;
    this.notices.advise(this.#currentAdvice().notices(passThrough, (id) => recordings.session.exchange(id)));
  }

  /** Ends the analysis of the current session, so that its files can be deleted. The next query starts it again. */
  async #endAnalysis(): Promise<void> {
    const findings = this.#findings;
    this.#findings = null;
    await findings?.of.endAnalysis();
  }

  #currentFindings(): SessionFindings {
    const { recordings, settings, clock } = this.#options;
    const { session } = recordings;
    if (this.#findings?.session !== session) {
      void this.#findings?.of.endAnalysis();
      const of = new SessionFindings({
        session,
        reader: () => recordings.reader(),
        wasCutOff: false,
        chainGap: () => settings.settings.chainGap,
        until: () => clock.now(),
        captured: () => session.revision,
        baseline: () => this.#sessions.history.baseline,
        onTrouble: (trouble) => this.#onAnalysisTrouble(trouble),
      });
      this.#findings = { session, of };
    }
    return this.#findings.of;
  }

  /** `trouble`: why the analysis failed; `null` once it answers again. */
  #onAnalysisTrouble(trouble: string | null): void {
    this.notices.set(
      "analysis",
      trouble === null ? null : `The analysis failed and is started again: ${trouble}. Captured data is kept.`,
    );
  }

  #handlersOf({ recordings, clock, tell, showMain, broadcast }: CommandHandlersOptions): Handlers {
    return {
      ...this.#reading.handlers,
      ...this.#annotations.handlers,
      ...this.#deletion.handlers,
      ...this.#sessions.handlers,
      ...differenceHandlers((shown) => this.#sourceOf(shown)),
      "set-recording": ({ on }) => {
        this.#recording = on;
        if (!on) {
          this.#hub.cancelAll("recording-paused");
          this.#experiments.endBy("paused");
        }
        tell({ type: "recording", on });
      },
      "start-proxy": () => {
        tell({ type: "start-proxy" });
        return this.#starts.add();
      },
      "stop-proxy": () => tell({ type: "stop-proxy" }),
      "set-reach": ({ lan }) => tell({ type: "set-reach", lan }),
      "set-conditions": ({ conditions }) =>
        tell({ type: "set-conditions", conditions: conditions === null ? null : unwrap(checked(conditions)) }),
      "renew-certificate": () => this.#root.renew(),
      clear: () =>
        this.#cut((at) => {
          this.#hub.cancelAll("session-cleared");
          this.#experiments.endBy("session");
          return recordings.clear(at);
        }),
      "new-session": ({ name }) => {
        const problem = name === undefined ? null : sessionNameProblem(name);
        if (problem !== null) throw new Error(problem);
        return this.#cut((at) => {
          this.#experiments.endBy("session");
          void this.#endAnalysis();
          const ended = recordings.startNew(at, name);
          this.#hub.cancelAll("new-session");
          return ended;
        });
      },
      "dismiss-advice": ({ host }) => {
        this.#currentAdvice().dismiss(host);
        this.#advise();
      },
      "copy-findings": ({ key }, { shown }) => {
        const { session, findings } = shown.opened ?? {
          session: recordings.session,
          findings: this.#currentFindings(),
        };
        return findingsMarkdown(findings.ranked().found, session, key);
      },
      resend: ({ exchange }, { shown }) => {
        if (!this.#proxy.running)
          throw new Error("The proxy is stopped. Start the proxy, then send the request again.");
        tell({ type: "resend", request: requestToResend(this.#sourceOf(shown), exchange) });
      },
      "edit-request": ({ exchange }, { shown }) => editableOf(requestToResend(this.#sourceOf(shown), exchange)),
      "send-edited": ({ exchange, body, ...edited }, { shown }) => {
        if (!this.#proxy.running) throw new Error("The proxy is stopped. Start the proxy, then send the request.");
        const bytes =
          body === null ? requestToResend(this.#sourceOf(shown), exchange).body : new TextEncoder().encode(body);
        tell({ type: "resend", request: unwrap(editedRequest(edited, bytes)) });
      },
      repeat: (command, { shown, send }) => {
        if (!this.#proxy.running) throw new Error("The proxy is stopped. Start the proxy, then repeat the request.");
        if (!this.#recording) throw new Error("Recording is paused. Resume recording, then repeat the request.");
        const source = this.#sourceOf(shown);
        const session = () => this.#sourceOf(shown).session;
        const exchange = exchangeOf(source, command.exchange);
        const request = () => requestToResend(source, exchange.id);
        return this.#replays.start(command, { exchange, request, shown: session }, send);
      },
      "start-experiment": (command, { send }) => {
        if (!this.#proxy.running) throw new Error("The proxy is stopped. Start the proxy, then the experiment.");
        if (!this.#recording) throw new Error("Recording is paused. Resume recording, then start the experiment.");
        this.#experiments.start(command, send);
        return null;
      },
      "mark-change": ({ mark }) => {
        if (!this.#recording) throw new Error("Recording is paused. Resume recording, then mark what runs.");
        recordings.mark(mark, clock.now());
        return null;
      },
      "stop-experiment": () => this.#experiments.endBy("stopped"),
      "cancel-replay": ({ replayNumber }, { send }) => this.#replays.cancel(replayNumber, send),
      "set-setting": ({ key, value }) => this.#set(key, value),
      "run-test": ({ slug }) => this.#hub.run(slug),
      "extend-test": ({ slug }) => this.#hub.extend(slug),
      "cancel-test": ({ slug }) => this.#hub.cancel(slug),
      "note-copy": ({ slug, form }) => this.#hub.noteCopy(slug, form),
      "export-certificate": ({ folder }) => this.#hub.exportTo(folder),
      "check-trust": () => this.#hub.askTrust(),
      "show-exchange": ({ exchange }) => {
        showMain();
        broadcast({ type: "show-exchange", exchange });
      },
      "open-hub": ({ target }) => tell({ type: "open-hub", target }),
    };
  }

  #cut<Value>(end: (at: Instant) => Value): Promise<Value> {
    return this.#options.recordings.onceFolded(() => this.#cuts.cut(end));
  }

  #status(): Status {
    const { start } = this.#options;
    return {
      version: start.version,
      host: start.host,
      proxy: this.#proxy,
      recording: this.#recording,
      pause: this.#recording ? null : this.#pause,
      conditions: this.#conditions,
      lan: this.#proxy.running ? lanAddress(this.#proxy.address) : null,
      certificate: { ...this.#root.certificate, ...this.#hub.files },
      settings: this.#settings.shown,
      environmentProxy: this.#offeredProxy(),
      dataDir: start.dataDir,
      notices: this.notices.all,
      experiment: this.#experiments.state,
    };
  }

  /**
   * The upstream proxy of the environment; `null` if there is none, or if it is Weir itself, as in a terminal set up
   * for Weir.
   */
  #offeredProxy(): string | null {
    const offered = this.#settings.shownEnvironmentProxy;
    const address = offered === null ? null : proxyAddressOf(offered);
    const names = ["localhost", "127.0.0.1", "::1", localAddress(this.#proxy.address)];
    return address?.port === this.#proxy.port && names.includes(address.host) ? null : offered;
  }

  #set(key: string, value: unknown): null {
    const { recordings, store, tell } = this.#options;
    const settings = this.#settings.change(key, value);
    const { sessionBodyCap, rowCap } = settings;
    this.#advise();
    if (key === "groupSimilarPaths" || key === "pathRules") {
      recordings.regroup();
      this.#sessions.opened.regroup();
    }
    store.sessionCap = sessionBodyCap;
    recordings.setRowCap(rowCap);
    tell({ type: "settings", settings });
    return null;
  }

  /** The source of a UI client's exports, searches and bodies: the session that the UI client shows. */
  #sourceOf({ opened }: ShownSession): AnalysedSource {
    const { start, recordings, settings, store } = this.#options;
    const { session, reader, findings, history } = opened ?? {
      session: recordings.session,
      reader: recordings.reader(),
      findings: this.#currentFindings(),
      history: this.#sessions.history,
    };
    const named = opened?.facts ?? store.current;
    const { baseline } = history;
    const known = settings.settings;
    const { version } = start;
    return { session, reader, named, findings, baseline, settings: known, hiddenHosts: hiddenHostsOf(known), version };
  }
}

/** docs/security.md S5: a notice for as long as other devices can use the proxy. */
function lanNotice({ address, port }: ProxyState): string | null {
  if (isThisMachine(address)) return null;
  const lan = lanAddress(address);
  const where = lan === null ? "" : ` at ${hostPort(lan, port)}`;
  return `Devices on your network can use this proxy${where} until Weir exits. Turn this off in Settings, Proxy.`;
}
