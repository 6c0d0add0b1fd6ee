import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { hiddenHostsOf } from "../../../src/engine/session/filter/filter.ts";
import type { Archive, Context } from "../../../src/engine/session/queries/context.ts";
import type { SettingsFile } from "../storage/settings-file.ts";
import { storageNotice } from "../storage/store-status.ts";
import type { ToWorker, WorkerStart } from "../threads.ts";
import { ProgramSearch, SocketOwners } from "./client-programs/socket-owners.ts";
import type { AnalysedSource } from "./commands/analysis-work.ts";
import { AnnotationCommands } from "./commands/annotation-commands.ts";
import { type CommandServices, commandHandlers } from "./commands/command-handlers.ts";
import { CurrentAnalysis } from "./commands/current-analysis.ts";
import { DataThreadReplies } from "./commands/data-thread-replies.ts";
import { EngineState } from "./commands/engine-state.ts";
import { ExchangeDeletion } from "./commands/exchange-deletion.ts";
import { execute, type Handlers } from "./commands/execute.ts";
import { Experiments } from "./commands/experiments.ts";
import { HubCommands } from "./commands/hub-commands.ts";
import { ReadingCommands } from "./commands/reading-commands.ts";
import { Replays } from "./commands/replays.ts";
import { SessionCommands, type SessionCut } from "./commands/session-commands.ts";
import { RootCommands, SettingsCommands } from "./commands/settings-commands.ts";
import { ShownSession } from "./commands/shown-session.ts";
import type { UiClientContext, UiClientHost } from "./commands/ui-client.ts";
import { DecodingQueue, PageTitles } from "./recording/decoding-queue.ts";
import type { PathGrouping } from "./recording/path-grouping.ts";
import { storedArchive } from "./recording/stored-history.ts";

/** The messages of the data thread that `EngineThread` takes. */
type Told = Exclude<ToWorker["type"], "batch" | "show" | "hub-origin" | "show-hub" | "shutdown">;

interface EngineThreadOptions
  extends Pick<CommandServices, "store" | "currentSession" | "clock" | "tell" | "showMain" | "broadcast"> {
  readonly start: WorkerStart;
  readonly grouping: PathGrouping;
  readonly settings: SettingsFile;
}

/** Folds what the data thread reports, does the periodic work, and connects UI clients to the commands. */
export class EngineThread implements UiClientHost {
  readonly state: EngineState;
  readonly #options: EngineThreadOptions;
  readonly #current: CurrentAnalysis;
  readonly #archive: Archive;
  readonly #reading = new ReadingCommands((shown) => this.#sourceOf(shown));
  readonly #sessions: SessionCommands;
  readonly #deletion: ExchangeDeletion;
  readonly #decoding = new DecodingQueue();
  readonly #titles = new PageTitles();
  readonly #hub: HubCommands;
  readonly #programs: ProgramSearch;
  readonly #settings: SettingsCommands;
  readonly #root: RootCommands;
  readonly #replays: Replays;
  readonly #experiments: Experiments;
  readonly #starts: DataThreadReplies<Problem | null>;
  readonly #cuts: DataThreadReplies<Instant>;
  readonly #handlers: Handlers;
  readonly #told: { readonly [Type in Told]: (message: Extract<ToWorker, { readonly type: Type }>) => void } = {
    client: ({ client }) => {
      this.#programs.add(client);
      // The search runs only while recording is on.
      if (this.state.isRecording) void this.#programs.look();
    },
    "silent-close": ({ close }) => this.#hub.takeClose(close),
    cut: ({ at }) => this.#cuts.onReply(at),
    "start-ended": ({ problem }) => this.#starts.onReply(problem),
    "hub-problem": ({ problem }) => this.state.notices.set("hub-window", problem),
    replayed: ({ run, exchange }) => this.#replays.replayed(run, exchange),
    "replays-ended": ({ run, problem }) => this.#replays.sent(run, problem),
    "experiment-ended": ({ reason }) => this.#experiments.endBy(reason),
    proxy: ({ state }) => {
      if (!state.running) this.#hub.cancelAll("proxy-stopped");
      this.state.proxy = state;
    },
    pause: ({ pause }) => {
      this.state.pause = pause;
    },
    conditions: ({ conditions }) => {
      this.state.conditions = conditions;
    },
    "local-ports": (ports) => {
      this.state.localPorts = ports;
    },
    root: ({ root }) => {
      if (root.ok) this.#hub.takeRoot(root.value.certificatePem);
      this.#root.setRoot(root);
    },
  };

  constructor(options: EngineThreadOptions) {
    this.#options = options;
    const { start, clock, currentSession, grouping, store, settings, tell, showMain, broadcast } = options;
    this.state = new EngineState(start, currentSession);
    const { notices } = this.state;
    this.#current = new CurrentAnalysis({
      currentSession,
      settings,
      notices,
      clock,
      history: () => this.#sessions.history,
    });
    this.#archive = storedArchive(() => currentSession.reader());
    this.#starts = new DataThreadReplies(() => tell({ type: "start-proxy" }));
    this.#cuts = new DataThreadReplies(() => tell({ type: "cut" }));
    const cut: SessionCut = (end) => this.#cuts.ask(end);
    this.#sessions = new SessionCommands({
      store,
      currentSession,
      grouping,
      settings,
      clock,
      cut,
      onPruned: (text) => notices.set("pruned", text),
      onOver: (text) => notices.set("over", text),
      onTrouble: (trouble) => this.#current.onTrouble(trouble),
      endAnalysis: () => this.#current.endAnalysis(),
    });
    const sourceOf = (shown: ShownSession) => this.#sourceOf(shown);
    this.#deletion = new ExchangeDeletion({
      store,
      currentSession,
      clock,
      opened: this.#sessions.opened,
      sourceOf,
      onPurged: (session, problem) => {
        this.#sessions.measureAgain(session);
        notices.set("purge", problem);
      },
    });
    this.#root = new RootCommands(start, () => tell({ type: "renew-root" }));
    this.#settings = new SettingsCommands(settings, process.env);
    this.#replays = new Replays({
      tell,
      current: () => currentSession.session,
      fixedThreshold: () => settings.settings.fixedThreshold,
    });
    this.#experiments = new Experiments({
      tell,
      clock,
      current: () => currentSession.session,
      onEnd: (experiment) => void currentSession.addEvents([{ type: "experiment-ended", at: clock.now(), experiment }]),
    });
    const owners = new SocketOwners();
    this.#programs = new ProgramSearch({
      find: (clients) => owners.programsOf(clients),
      onFound: (named) => {
        currentSession.name(named);
        this.#current.addEvents(named);
      },
    });
    this.#hub = new HubCommands({
      start,
      clock,
      session: () => currentSession.session,
      status: () => this.#status(),
      openPorts: () => this.state.openPorts,
      endWarning: () => this.#root.endWarning(clock.now()),
      onTrouble: (text) => notices.set("hub", text),
      onForgotten: (text) => notices.set("hub-file", text),
    });
    this.#handlers = commandHandlers({
      store,
      currentSession,
      clock,
      tell,
      showMain,
      broadcast,
      sourceOf,
      cut,
      dataDir: start.dataDir,
      state: this.state,
      current: this.#current,
      reading: this.#reading,
      annotations: new AnnotationCommands({ store, currentSession, sourceOf }),
      deletion: this.#deletion,
      sessions: this.#sessions,
      settings: this.#settings,
      hub: this.#hub,
      root: this.#root,
      replays: this.#replays,
      experiments: this.#experiments,
      starts: this.#starts,
    });
  }

  /** Takes what the data thread tells besides events (threads.ts). */
  takeMessage(message: Extract<ToWorker, { readonly type: Told }>): void {
    // The compiler does not know that each type's function takes the messages of its own type.
    (this.#told[message.type] as (message: ToWorker) => void)(message);
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

  addEvents(captured: readonly CaptureEvent[], batch: number): void {
    const { currentSession } = this.#options;
    const events = currentSession.addEvents(captured, batch);
    this.#hub.addEvents(events);
    this.#experiments.addEvents(events);
    this.#current.addEvents(events);
    this.#decoding.addEvents(events, currentSession.session);
    this.#titles.addEvents(events, currentSession.session);
  }

  /**
   * Does the periodic work, such as writing buffered events and measuring bodies. Called four times a second under
   * traffic, otherwise once a second.
   */
  async tick(): Promise<void> {
    const { currentSession, clock } = this.#options;
    const { notices } = this.state;
    this.#hub.tick();
    this.#current.tick();
    if (this.state.isRecording) void this.#programs.look();
    this.#replays.tick();
    this.#experiments.tick();
    const status = currentSession.tick(clock.now());
    notices.set("root-end", this.#root.endWarning(clock.now()));
    notices.set("storage", storageNotice(status));
    this.#sessions.tick();
    this.#deletion.tick();
    const sizes = await this.#decoding.measure(currentSession.session, currentSession.reader());
    if (sizes !== null) currentSession.addEvents(sizes);
    const { session } = currentSession;
    const titles = await this.#titles.read(session, currentSession.reader());
    if (titles.length > 0 && session === currentSession.session) currentSession.addEvents(titles);
  }

  /** Cancels imports, and ends all that reads sessions, before the program ends. */
  async finish(): Promise<void> {
    await this.#deletion.finish();
    await Promise.all([this.#sessions.finish(), this.#current.endAnalysis()]);
  }

  #status() {
    return this.state.status({
      hub: this.#hub,
      root: this.#root,
      settings: this.#settings,
      experiments: this.#experiments,
    });
  }

  #context(shown: ShownSession): Context {
    const { currentSession, clock } = this.#options;
    const { session, archive, insights, history } = shown.opened ?? {
      session: currentSession.session,
      archive: this.#archive,
      insights: this.#current.insights,
      history: this.#sessions.history,
    };
    const sessions = { state: () => this.#sessions.state(), shown: () => shown.state() };
    const status = this.#status();
    return { session, archive, insights, history, sessions, status, hub: this.#hub, now: clock.now() };
  }

  #sourceOf({ opened }: ShownSession): AnalysedSource {
    const { start, currentSession, settings, store } = this.#options;
    const { session, reader, insights, history } = opened ?? {
      session: currentSession.session,
      reader: currentSession.reader(),
      insights: this.#current.insights,
      history: this.#sessions.history,
    };
    const named = opened?.facts ?? store.current;
    const { baseline } = history;
    const known = settings.settings;
    const { version } = start;
    return { session, reader, named, insights, baseline, settings: known, hiddenHosts: hiddenHostsOf(known), version };
  }
}
