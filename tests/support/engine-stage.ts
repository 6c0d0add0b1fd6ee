import { newRoot } from "../../extensions/proxy/certificates/root.ts";
import { pemOf } from "../../extensions/proxy/certificates/x509.ts";
import type { UiClientContext } from "../../extensions/proxy/engine-thread/commands/ui-client.ts";
import { EngineThread } from "../../extensions/proxy/engine-thread/engine-thread.ts";
import { CurrentSession } from "../../extensions/proxy/engine-thread/recording/current-session.ts";
import { PathGrouping } from "../../extensions/proxy/engine-thread/recording/path-grouping.ts";
import type { Clock } from "../../extensions/proxy/process/clock.ts";
import { SessionStore } from "../../extensions/proxy/storage/sessions.ts";
import { SettingsFile } from "../../extensions/proxy/storage/settings-file.ts";
import type { FromWorker, WorkerStart } from "../../extensions/proxy/threads.ts";
import type { FromEngine } from "../../src/engine/messages/messages.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { eventsOf, instant } from "./capture.ts";
import { exchange } from "./exchange.ts";
import { withFolder } from "./temporary-folder.ts";

const ROOT = newRoot("test", new Date());

export interface EngineStage {
  readonly client: UiClientContext;
  readonly engine: EngineThread;
  readonly clock: Clock;
  /** Records ended exchanges to targets that begin with `name`. */
  readonly capture: (name: string, count: number) => void;
  /** Makes the data thread cut only when the returned function is called. */
  readonly holdCut: () => () => void;
  readonly said: readonly FromEngine[];
}

/** Calls `body` with an engine thread whose analysis threads are real. */
export function withEngine(body: (stage: EngineStage) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    let time = 1_000_000;
    const clock: Clock = { now: () => time as Instant };
    const settings = SettingsFile.open(folder);
    const store = SessionStore.open(folder, settings.settings.sessionBodyCap);
    const grouping = new PathGrouping(() => settings.settings, folder);
    const currentSession = new CurrentSession(store, grouping);
    const start: WorkerStart = {
      version: "1",
      dataDir: folder,
      resources: folder,
      ticket: "",
      uiPort: 0,
      uiHostName: null,
      host: "browser",
      certificatePem: pemOf(ROOT.certificate.raw),
      notices: [],
      neutralino: null,
      handoff: null,
      certificate: {
        subject: "",
        issuer: "",
        names: "",
        validFrom: "",
        validTo: "",
        fingerprint: "",
        endsAt: instant(time * 2),
        renewable: true,
        pem: "",
        bundle: "",
        der: "",
      },
    };
    const quiet = { showMain: () => {}, broadcast: () => {} };
    let cut = () => engine.takeMessage({ type: "cut", at: clock.now() });
    const tell = ({ type }: FromWorker) => {
      if (type === "cut") cut();
    };
    const engine = new EngineThread({ start, store, currentSession, grouping, settings, clock, tell, ...quiet });
    const holdCut = () => {
      const held = cut;
      cut = () => {};
      return held;
    };
    const said: FromEngine[] = [];
    let id = 0;
    const capture = (name: string, count: number) => {
      for (let left = count; left > 0; left -= 1) {
        id += 1;
        const target = `/${name}/${id % 7}`;
        engine.addEvents(eventsOf(exchange({ id, target, start: time, end: time + 40 })), id);
        time += 50;
      }
      time += 10_000;
    };
    const client = engine.attach((message) => said.push(message));
    // The thread alone does not keep the process.
    const keeping = setInterval(() => {}, 1_000);
    try {
      await body({ client, engine, clock, capture, holdCut, said });
    } finally {
      client.close();
      await engine.finish();
      store.endSession(instant(time), null);
      clearInterval(keeping);
    }
  });
}
