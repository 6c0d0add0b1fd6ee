import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { eventsOf } from "../event-codec/event-batch.ts";
import { CLOCK } from "../process/clock.ts";
import { collectWhenIdle } from "../process/idle-collection.ts";
import { SessionStore } from "../storage/sessions.ts";
import { SettingsFile } from "../storage/settings-file.ts";
import { readWindowBounds, writeWindowBounds } from "../storage/window-file.ts";
import { WindowKeys } from "../storage/window-keys.ts";
import type { FromWorker, ToWorker, WorkerStart } from "../threads.ts";
import { MainWindow } from "../window/main-window.ts";
import { OPEN_HUB, QUIT } from "../window/native-menu.ts";
import { Admission } from "./channel/admission.ts";
import { Inbox } from "./channel/inbox.ts";
import { LoopbackServer, type UiSocket } from "./channel/loopback.ts";

import { UiClients } from "./commands/ui-client.ts";
import { EngineThread } from "./engine-thread.ts";
import { CurrentSession } from "./recording/current-session.ts";
import { PathGrouping } from "./recording/path-grouping.ts";

/** The interval at which buffered events are written. A kill then loses less than 1 s (docs/security.md R6). */
const WRITE_INTERVAL = 250;
/** The interval if nothing happens, since each write wakes an idle machine. */
const QUIET_INTERVAL = 1_000;

/**
 * After folding this many bytes, the engine acknowledges at once. They are a small part of the 64 MiB that may wait
 * before bodies are dropped (outbox.ts).
 */
const MOST_UNACKNOWLEDGED = 2 * 1024 * 1024;

const ENDED = "Weir has exited.";
const KEPT = "Recordings are kept. Start Weir again to continue.";

/**
 * The niceness of this thread. On a processor that both threads share, this thread gets about a quarter of the time,
 * more than recording needs. The data thread gets the rest.
 */
const NICENESS = 5;

yieldToTraffic();
collectWhenIdle();

const start = workerData as WorkerStart;
const tell = (message: FromWorker) => parentPort?.postMessage(message);

const pages = new UiClients(stir);
const settings = SettingsFile.open(start.dataDir);
const { handoff } = start;
const store = SessionStore.open(start.dataDir, settings.settings.sessionBodyCap, handoff !== null);
const grouping = new PathGrouping(() => settings.settings, start.dataDir);
const currentSession = new CurrentSession(store, grouping, settings.settings.rowCap, handoff?.of === "process");
const engine = new EngineThread({
  start,
  store,
  currentSession,
  grouping,
  settings,
  clock: CLOCK,
  tell,
  showMain: () => native?.show(),
  broadcast: (message) => pages.broadcast(message),
});
for (const [index, text] of [...settings.notices, ...store.notices].entries())
  engine.state.notices.set(`start-${index}`, text);

if (handoff !== null)
  engine.state.notices.set("engine", "Weir's engine failed and was started again. Captured data was kept.");

const onPage = (socket: UiSocket) => pages.open(socket, engine);
let hubOrigin = handoff?.hubOrigin ?? null;
let folded = 0;
/** Bytes folded since the last acknowledgement. */
let unacknowledged = 0;
/** The latest batch that was reported as written. */
let acknowledged = 0;
/** Whether anything happened since the last write. */
let isStirred = false;
/** Whether the next write comes after `QUIET_INTERVAL`. */
let isQuiet = false;
let writing = setTimeout(write, WRITE_INTERVAL);
async function write(): Promise<void> {
  isQuiet = !isStirred;
  isStirred = false;
  writing = setTimeout(write, isQuiet ? QUIET_INTERVAL : WRITE_INTERVAL);
  await engine.tick();
  acknowledge();
}

/** Called when the data thread or a window has sent something. */
function stir(): void {
  isStirred = true;
  if (!isQuiet) return;
  isQuiet = false;
  clearTimeout(writing);
  writing = setTimeout(write, WRITE_INTERVAL);
}

/** Acknowledges batches to the data thread. Called rarely, because each message wakes that thread. */
function acknowledge(): void {
  const { written } = currentSession;
  if (unacknowledged === 0 && written === acknowledged) return;
  unacknowledged = 0;
  acknowledged = written;
  tell({ type: "progress", folded, written });
}

const loopback = new LoopbackServer({
  resources: start.resources,
  admission: new Admission({
    ticket: start.ticket,
    keys: new WindowKeys(start.dataDir, (problem) => engine.state.notices.set("window-keys", problem)),
    version: start.version,
    now: () => CLOCK.now(),
  }),
  hostName: start.uiHostName,
  theme: () => settings.settings.theme,
  origins: () => (hubOrigin === null ? [] : [hubOrigin]),
  onPage,
});
const { neutralino } = start;
const native =
  neutralino === null
    ? null
    : new MainWindow(neutralino, {
        onPage: (page) => {
          tell({ type: "window-shown" });
          onPage(page);
        },
        onGone: () => tell({ type: "window-gone" }),
        onPageLost: () => tell({ type: "page-lost" }),
        bounds: readWindowBounds(start.dataDir),
        onBounds: (bounds) => writeWindowBounds(start.dataDir, bounds),
        onMenu: (item) => {
          if (item === OPEN_HUB) tell({ type: "open-hub", target: null });
          else if (item === QUIT) void native?.quit();
          else pages.broadcast({ type: "menu", item });
        },
      });

const inbox = new Inbox<ToWorker>((message) => {
  stir();
  pages.stir();
  switch (message.type) {
    case "batch": {
      const events = eventsOf(message.batch);
      pages.count(events.length);
      engine.addEvents(events, message.number);
      folded = message.number;
      unacknowledged += 1 + message.batch.bytes.length;
      if (unacknowledged > MOST_UNACKNOWLEDGED) acknowledge();
      return;
    }
    case "show":
      return native?.show();
    case "hub-origin":
      hubOrigin = message.origin;
      return;
    case "show-hub":
      return pages.broadcast({ type: "show-hub", target: message.target });
    case "shutdown":
      return void shutDown(message.reason);
  }
  if (native !== null && message.type === "proxy") native.proxy = message.state;
  if (native !== null && message.type === "pause") native.recording = message.pause === null;
  engine.takeMessage(message);
});
parentPort?.on("message", (message: ToWorker) => inbox.add(message));

const wantedPort = handoff?.uiPort ?? start.uiPort;
const uiPort = await loopback.start(wantedPort);
if (wantedPort !== 0 && uiPort !== wantedPort)
  engine.state.notices.set(
    "ui-port",
    `Port ${wantedPort} is taken, so this window is at port ${uiPort}. Pages left open from an earlier start do not reconnect to it.`,
  );

tell({
  type: "ready",
  uiPort,
  settings: settings.settings,
  written: currentSession.written,
  lastId: currentSession.lastId,
});

async function shutDown(reason: string | null): Promise<void> {
  pages.stop();
  clearTimeout(writing);
  currentSession.complete(CLOCK.now());
  await engine.finish();
  const problem = currentSession.finish(CLOCK.now());
  const unsaved = problem === null ? null : `Some captured data is not stored. ${problem}`;
  const notified = !pages.isEmpty;
  pages.broadcast({ type: "shutdown", reason: shutdownReason(reason, unsaved), startable: false });
  // A window that has nothing to say closes with Weir, as Weir ends with its window.
  if (reason === null && unsaved === null) await native?.quit();
  native?.close();
  await loopback.stop();
  tell({ type: "ended", notified, unsaved });
}

function shutdownReason(reason: string | null, unsaved: string | null): string {
  if (unsaved !== null) return `${reason ?? ENDED} ${unsaved}`;
  return reason ?? `${ENDED} ${KEPT}`;
}

/**
 * Lowers the priority of this thread. On Linux only: elsewhere, threads have no priority of their own (setpriority(2),
 * "C library/kernel differences").
 */
function yieldToTraffic(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may forbid this. Then all threads have the same priority, and Weir is a little slower.
  }
}
