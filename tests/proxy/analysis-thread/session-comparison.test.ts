import * as assert from "uvu/assert";
import { sessionChangesOf } from "../../../extensions/proxy/analysis-thread/session-comparison.ts";
import { keptFiguresOf } from "../../../extensions/proxy/export/stored-figures.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** Records twenty requests, of which so many fail; returns the session's id. */
function record(store: SessionStore, at: number, failed: number): string {
  const id = store.startSession(instant(at));
  const session = new Session();
  for (let index = 0; index < 20; index += 1) {
    const start = at + index * 5_000;
    const events = eventsOf(exchange({ id: index + 1, start, end: start + 50, status: index < failed ? 500 : 200 }));
    session.apply(events);
    store.append(events);
  }
  store.endSession(instant(at + 900_000), keptFiguresOf(session));
  return id;
}

describe("changes between two stored sessions", (test) => {
  test("given a finding of the later session alone, lists it as new, and the other way round as gone", () =>
    withFolder(async (dataDir) => {
      const store = SessionStore.open(dataDir, 1024 ** 3);
      const [left, right] = [record(store, 0, 0), record(store, 1_000_000, 12)];
      const listsOf = async (pair: { left: string; right: string }) =>
        unwrap(await sessionChangesOf({ dataDir, ...pair })).map(({ title, items }) => `${title} ${items.join(" ")}`);
      assert.match((await listsOf({ left, right })).join("\n"), /^New findings: 1 .*Errors, GET https:\/\/api\.test/);
      assert.match((await listsOf({ left: right, right: left })).join("\n"), /^Findings that are gone: 1 .*Errors/m);
      const unknown = await sessionChangesOf({ dataDir, left, right: "current" });
      assert.match(unknown.ok ? "" : unknown.problem, "Nothing is being recorded");
    }));
});
