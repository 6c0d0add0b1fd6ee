import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { eventsOf } from "./channel/batch-reader.ts";
import { LoopbackServer, type PageSocket } from "./channel/loopback.ts";
import { Progress } from "./channel/progress.ts";
import { CLOCK } from "./clock.ts";
import { EngineDesk } from "./engine-desk.ts";
import { HeapGrowth } from "./heap-growth.ts";
import { OpenPages } from "./open-pages.ts";
import { Recordings } from "./recordings.ts";
import { SessionStore } from "./storage/sessions.ts";
import { SettingsFile } from "./storage/settings-file.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./threads.ts";
import { OPEN_HUB } from "./window/main-menu.ts";
import { MainWindow } from "./window/main-window.ts";

/** Our choice: what was captured lies on disk after a quarter second, so a kill loses less than a second (security.md R6). */
const WRITE_INTERVAL = 250;

/** What pages are told where the user ended it. */
const ENDED = "Weir has ended.";
const KEPT = "What was captured is kept: start Weir again to go on.";

/** Our choice: where both want one processor, traffic goes before insight; the quarter that is left is more than recording takes. */
const NICENESS = 5;

yieldToTraffic();

const start = workerData as WorkerStart;
const tell = (message: FromWorker) => parentPort?.postMessage(message);

const pages = new OpenPages();
const settings = SettingsFile.open(start.dataDir);
const { legacy } = start;
const store = SessionStore.open(start.dataDir, settings.settings.sessionBodyCap, legacy !== null);
const recordings = new Recordings(store, settings.settings.groupSimilarPaths, settings.settings.rowCap);
const desk = new EngineDesk({
  start,
  store,
  recordings,
  settings,
  clock: CLOCK,
  tell,
  showMain: () => native?.show(),
  broadcast: (message) => pages.broadcast(message),
});
for (const [index, text] of [...settings.notices, ...store.notices].entries())
  desk.notices.tell(`start-${index}`, text);

if (legacy !== null)
  desk.notices.tell("engine", "A part of Weir failed and was started again. Nothing captured was lost.");

const onPage = (socket: PageSocket) => pages.open(socket, desk);
let hubOrigin = legacy?.hubOrigin ?? null;
const progress = new Progress(start.progress);
const heap = new HeapGrowth();
const writing = setInterval(write, WRITE_INTERVAL);
async function write(): Promise<void> {
  heap.adapt();
  await desk.tick();
  progress.written = recordings.written;
}

const loopback = new LoopbackServer({
  resources: start.resources,
  ticket: start.ticket,
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
        onMenu: (item) =>
          item === OPEN_HUB ? tell({ type: "open-hub", target: null }) : pages.broadcast({ type: "menu", item }),
      });

parentPort?.on("message", (message: ToWorker) => {
  pages.stir();
  switch (message.type) {
    case "batch": {
      const events = eventsOf(message.batch);
      pages.count(events.length);
      desk.take(events, message.number);
      progress.folded = message.number;
      return;
    }
    case "client":
      return desk.takeClient(message.client);
    case "proxy":
      desk.proxy = message.state;
      if (native !== null) native.proxy = message.state;
      return;
    case "show":
      return native?.show();
    case "hub-origin":
      hubOrigin = message.origin;
      return;
    case "show-hub":
      return pages.broadcast({ type: "show-hub", target: message.target });
    case "hub-problem":
      return desk.notices.tell("hub-window", message.problem);
    case "root":
      return desk.takeRoot(message.root);
    case "shutdown":
      return void shutDown(message.reason);
  }
});

tell({
  type: "ready",
  uiPort: await loopback.start(legacy?.uiPort ?? 0),
  settings: settings.settings,
  written: recordings.written,
});

async function shutDown(reason: string | null): Promise<void> {
  pages.stop();
  clearInterval(writing);
  desk.end();
  const problem = recordings.end(CLOCK.now());
  const unsaved = problem === null ? null : `Not all that was captured is kept. ${problem}`;
  const told = !pages.isEmpty;
  pages.broadcast({ type: "farewell", reason: farewell(reason, unsaved) });
  native?.close();
  await loopback.stop();
  tell({ type: "ended", told, unsaved });
}

function farewell(reason: string | null, unsaved: string | null): string {
  if (unsaved !== null) return `${reason ?? ENDED} ${unsaved}`;
  return reason ?? `${ENDED} ${KEPT}`;
}

/** Only Linux's threads have a niceness of their own (setpriority(2), "C library/kernel differences"); elsewhere it would be the process's. */
function yieldToTraffic(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(NICENESS);
  } catch {
    // A sandbox may forbid it: then all threads stay equal, which loses nothing but a little speed.
  }
}
