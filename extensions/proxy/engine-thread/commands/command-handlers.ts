import { editableOf, editedRequest } from "../../../../src/engine/interchange/edited-request.ts";
import type { FromEngine } from "../../../../src/engine/messages/messages.ts";
import { checked } from "../../../../src/engine/model/conditions.ts";
import { type Problem, unwrap } from "../../../../src/engine/model/result.ts";
import { sessionNameProblem } from "../../../../src/engine/model/session-name.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { Clock } from "../../process/clock.ts";
import type { SessionStore } from "../../storage/sessions.ts";
import type { FromWorker } from "../../threads.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import type { AnalysedSource } from "./analysis-work.ts";
import type { AnnotationCommands } from "./annotation-commands.ts";
import type { CurrentAnalysis } from "./current-analysis.ts";
import type { DataThreadReplies } from "./data-thread-replies.ts";
import { differenceHandlers } from "./difference-commands.ts";
import type { EngineState } from "./engine-state.ts";
import type { ExchangeDeletion } from "./exchange-deletion.ts";
import type { Handlers } from "./execute.ts";
import type { Experiments } from "./experiments.ts";
import type { HubCommands } from "./hub-commands.ts";
import { exchangeOf, type ReadingCommands, requestToResend } from "./reading-commands.ts";
import type { Replays } from "./replays.ts";
import { SessionChanges } from "./session-changes.ts";
import type { SessionCommands, SessionCut } from "./session-commands.ts";
import { findingsMarkdown } from "./session-insights.ts";
import type { RootCommands, SettingsCommands } from "./settings-commands.ts";
import type { ShownSession } from "./shown-session.ts";

export interface CommandServices {
  readonly dataDir: string;
  readonly store: SessionStore;
  readonly currentSession: CurrentSession;
  readonly clock: Clock;
  readonly tell: (message: FromWorker) => void;
  /** Brings the main window to the front; does nothing in the browser host. */
  readonly showMain: () => void;
  readonly broadcast: (message: FromEngine) => void;
  readonly state: EngineState;
  readonly current: CurrentAnalysis;
  readonly reading: ReadingCommands;
  readonly annotations: AnnotationCommands;
  readonly deletion: ExchangeDeletion;
  readonly sessions: SessionCommands;
  readonly settings: SettingsCommands;
  readonly hub: HubCommands;
  readonly root: RootCommands;
  readonly replays: Replays;
  readonly experiments: Experiments;
  /** The replies say why the proxy does not listen; `null` if it does. */
  readonly starts: DataThreadReplies<Problem | null>;
  readonly cut: SessionCut;
  /** The source of a UI client's exports, searches and bodies: the session that the UI client shows. */
  readonly sourceOf: (shown: ShownSession) => AnalysedSource;
}

export function commandHandlers(services: CommandServices): Handlers {
  const { state, current, reading, annotations, deletion, sessions, hub, root, replays, experiments } = services;
  const { currentSession, clock, tell, showMain, broadcast, starts, sourceOf, dataDir } = services;
  const changes = new SessionChanges();

  const cut = <Value>(end: (at: Instant) => Value): Promise<Value> =>
    currentSession.onceDeleted(() => services.cut(end));

  const set = (key: string, value: unknown): null => {
    const settings = services.settings.change(key, value);
    current.advise();
    if (key === "groupSimilarPaths" || key === "pathRules") {
      currentSession.regroup();
      sessions.opened.regroup();
    }
    services.store.sessionCap = settings.sessionBodyCap;
    currentSession.setRowCap(settings.rowCap);
    tell({ type: "settings", settings });
    return null;
  };

  return {
    ...reading.handlers,
    ...annotations.handlers,
    ...deletion.handlers,
    ...sessions.handlers,
    ...differenceHandlers(sourceOf),
    "compare-sessions": ({ left, right }) =>
      changes.of({ dataDir, left: left ?? "current", right: right ?? "current" }),
    "set-recording": ({ on }) => {
      state.isRecording = on;
      if (!on) {
        hub.cancelAll("recording-paused");
        experiments.endBy("paused");
      }
      tell({ type: "recording", on });
    },
    "start-proxy": () =>
      starts.ask((problem) => {
        if (problem !== null) throw new Error(problem);
      }),
    "stop-proxy": () => tell({ type: "stop-proxy" }),
    "set-reach": ({ lan }) => tell({ type: "set-reach", lan }),
    "set-conditions": ({ conditions }) =>
      tell({ type: "set-conditions", conditions: conditions === null ? null : unwrap(checked(conditions)) }),
    "renew-certificate": () => root.renew(),
    clear: () =>
      cut((at) => {
        hub.cancelAll("session-cleared");
        experiments.endBy("session");
        return currentSession.clear(at, clock.now());
      }),
    "new-session": ({ name }) => {
      const problem = name === undefined ? null : sessionNameProblem(name);
      if (problem !== null) throw new Error(problem);
      return cut((at) => {
        experiments.endBy("session");
        void current.endAnalysis();
        const ended = currentSession.startNew(at, name);
        hub.cancelAll("new-session");
        return ended;
      });
    },
    "dismiss-advice": ({ host }) => {
      current.advice.dismiss(host);
      current.advise();
    },
    "copy-findings": ({ key }, { shown }) => {
      const { insights } = shown.opened ?? current;
      return findingsMarkdown(insights.ranked().found, key);
    },
    resend: ({ exchange }, { shown }) => {
      if (!state.proxy.running) throw new Error("The proxy is stopped. Start the proxy, then send the request again.");
      tell({ type: "resend", request: requestToResend(sourceOf(shown), exchange) });
    },
    "edit-request": ({ exchange }, { shown }) => editableOf(requestToResend(sourceOf(shown), exchange)),
    "send-edited": ({ exchange, body, ...edited }, { shown }) => {
      if (!state.proxy.running) throw new Error("The proxy is stopped. Start the proxy, then send the request.");
      const bytes = body === null ? requestToResend(sourceOf(shown), exchange).body : new TextEncoder().encode(body);
      tell({ type: "resend", request: unwrap(editedRequest(edited, bytes)) });
    },
    replay: (command, { shown, send }) => {
      if (!state.proxy.running) throw new Error("The proxy is stopped. Start the proxy, then repeat the request.");
      if (!state.isRecording) throw new Error("Recording is paused. Resume recording, then repeat the request.");
      const source = sourceOf(shown);
      const session = () => sourceOf(shown).session;
      const exchange = exchangeOf(source, command.exchange);
      const request = () => requestToResend(source, exchange.id);
      return replays.start(command, { exchange, request, shown: session }, send);
    },
    "start-experiment": (command, { send }) => {
      if (!state.proxy.running) throw new Error("The proxy is stopped. Start the proxy, then the experiment.");
      if (!state.isRecording) throw new Error("Recording is paused. Resume recording, then start the experiment.");
      experiments.start(command, send);
      return null;
    },
    "mark-change": ({ mark }) => {
      if (!state.isRecording) throw new Error("Recording is paused. Resume recording, then mark what runs.");
      currentSession.mark(mark, clock.now());
      return null;
    },
    "stop-experiment": () => experiments.endBy("stopped"),
    "cancel-replay": ({ replayNumber }, { send }) => replays.cancel(replayNumber, send),
    "set-setting": ({ key, value }) => set(key, value),
    "run-test": ({ slug }) => hub.run(slug),
    "extend-test": ({ slug }) => hub.extend(slug),
    "cancel-test": ({ slug }) => hub.cancel(slug),
    "note-copy": ({ slug, form }) => hub.noteCopy(slug, form),
    "export-certificate": ({ folder }) => hub.exportTo(folder),
    "check-trust": () => hub.askTrust(),
    "show-exchange": ({ exchange }) => {
      showMain();
      broadcast({ type: "show-exchange", exchange });
    },
    "open-hub": ({ target }) => tell({ type: "open-hub", target }),
  };
}
