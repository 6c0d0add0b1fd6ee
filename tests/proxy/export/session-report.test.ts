import { rmSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../../../extensions/proxy/export/session-report.ts";
import { keptFiguresOf } from "../../../extensions/proxy/export/stored-figures.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { toolsOf } from "../../../scripts/mcp/tools.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { simulatedExperiment } from "../../support/simulated-experiments.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** Records a session of 40 requests to one endpoint with latencies around `usual` ms; returns its id. */
function record(store: SessionStore, number: number, usual: number): string {
  const at = number * 1_000_000;
  const id = store.startSession(instant(at));
  const session = new Session();
  for (let index = 0; index < 40; index += 1) {
    const start = at + index * 5_000;
    const made = exchange({
      id: index + 1,
      target: `/things?page=${index}`,
      start,
      end: start + usual + (index % 7) * (usual / 40),
    });
    const events = eventsOf(made);
    session.apply(events);
    store.append(events);
  }
  store.endSession(instant(at + 900_000), keptFiguresOf(session));
  return id;
}

async function kindsIn(folder: string, session: string): Promise<readonly string[]> {
  const source = unwrap(await openSource({ dataDir: folder, session }));
  try {
    return ((await reportOf(source, true))?.findings ?? []).map(({ kind }) => kind);
  } finally {
    source.close();
  }
}

describe("session report", (test) => {
  test("given earlier sessions, reports a regression only for the session that became slower", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      for (const number of [1, 2, 3, 4]) record(store, number, 100);
      const usual = record(store, 5, 100);
      const slower = record(store, 6, 180);
      assert.not.ok((await kindsIn(folder, usual)).includes("regression"));
      assert.ok((await kindsIn(folder, slower)).includes("regression"));
    }));

  test("given a session that is deleted meanwhile, gives none", () =>
    withFolder(async (folder) => {
      const id = record(SessionStore.open(folder, 1024 ** 3), 1, 100);
      const source = unwrap(await openSource({ dataDir: folder, session: id }));
      rmSync(join(folder, "sessions", id), { recursive: true });
      assert.is(await reportOf(source, true), null);
      source.close();
    }));

  test("given fewer than three sessions before it, compares with none", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      for (const number of [1, 2]) record(store, number, 100);
      const slower = record(store, 3, 180);
      assert.not.ok((await kindsIn(folder, slower)).includes("regression"));
    }));

  test("given a session with experiments, states their results, also to an agent, which cannot start any", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      store.startSession(instant(0));
      const made = exchange({ id: 1, target: "/prices", start: 0, end: 50 });
      const later = { endpoint: "GET https://api.test/names", follows: 1, asked: 1 };
      const [first, second] = [1, 2].map((seed) => simulatedExperiment(seed, seed === 2 ? [later] : []).ended);
      for (const experiment of [first, second])
        if (experiment !== undefined)
          store.append([...eventsOf(made), { type: "experiment-ended", at: instant(60), experiment }]);
      store.flush();
      const source = unwrap(await openSource({ dataDir: folder, session: "newest" }));
      const report = await reportOf(source, true);
      source.close();
      // The latest one of a target counts.
      assert.equal(
        report?.experiments?.map(({ endpoint, later: after }) => [endpoint.path, after.map(({ verdict }) => verdict)]),
        [["/prices", ["follows"]]],
      );
      const tools = toolsOf({ files: [], dataDir: folder });
      const [, json] = (await tools.find(({ name }) => name === "findings")?.call({})) ?? [];
      assert.equal(JSON.parse(json ?? "").experiments, JSON.parse(JSON.stringify(report?.experiments)));
      assert.not.ok(tools.some(({ name }) => name.includes("experiment")));
    }));
});
