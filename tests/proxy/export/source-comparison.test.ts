import * as assert from "uvu/assert";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import {
  type ComparisonSide,
  comparisonSideOf,
  sourceComparisonOf,
} from "../../../extensions/proxy/export/source-comparison.ts";
import { keptFiguresOf } from "../../../extensions/proxy/export/stored-figures.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { NO_ALIASES } from "../../../src/engine/model/host-alias.ts";
import { type Result, unwrap } from "../../../src/engine/model/result.ts";
import { compareRows } from "../../../src/engine/session/lists/compare-list.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { lognormal, seeded } from "../../support/seeded.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const SECRET = "/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";

/** Records 40 requests to each path, with latencies around its median in ms, or that fail; returns the session's id. */
function record(store: SessionStore, at: number, medians: Readonly<Record<string, number>>, failing = ""): string {
  const id = store.startSession(instant(at));
  const session = new Session();
  const random = seeded(at);
  for (const [position, [target, median]] of Object.entries(medians).entries())
    for (let index = 0; index < 40; index += 1) {
      const start = at + (position * 40 + index) * 5_000;
      const ids = { id: position * 40 + index + 1, target, start, status: target === failing ? 500 : 200 };
      const events = eventsOf(exchange({ ...ids, end: start + lognormal(random, median, 0.2) }));
      session.apply(events);
      store.append(events);
    }
  store.endSession(instant(at + 900_000), keptFiguresOf(session));
  return id;
}

async function sideOf(dataDir: string, session: string): Promise<ComparisonSide> {
  const source = unwrap(await openSource({ dataDir, session }));
  const side = await comparisonSideOf(source, NO_ALIASES);
  source.close();
  if (side === null) throw new Error("the session was deleted");
  return side;
}

describe("comparison of two sources", (test) => {
  test("given a finding whose endpoint is requested no more, it is not gone", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      const sessions = [
        [{ "/a": 50, "/b": 5 }, "/a"],
        [{ "/a": 50, "/b": 5 }, ""],
        [{ "/b": 5 }, ""],
      ] as const;
      const ids = sessions.map(([medians, failing], index) => record(store, index * 1_000_000, medians, failing));
      const [before, mended, without] = await Promise.all(ids.map((id) => sideOf(folder, id)));
      const goneIn = (now: ComparisonSide | undefined) =>
        before && now && sourceComparisonOf(before, now, false, NO_ALIASES).findings.gone.map(({ kind }) => kind);
      assert.equal([goneIn(mended), goneIn(without)], [["retries"], []]);
    }));

  test("given two sessions, has the records of the window's Compare, without secrets in paths", () =>
    withFolder(async (folder) => {
      const store = SessionStore.open(folder, 1024 ** 3);
      const ids = [
        { "/same": 50, [SECRET]: 60 },
        { "/same": 50, [SECRET]: 120, "/new": 5 },
      ].map((medians, index) => record(store, index * 1_000_000, medians));
      const [before, now] = [await sideOf(folder, ids[0] ?? ""), await sideOf(folder, ids[1] ?? "")];
      const pair = { left: before.figures, right: now.figures };
      const all = { from: 0, count: 100 };
      const rows: Result<{ readonly records: readonly { readonly verdict: string; readonly path: string }[] }> =
        compareRows(pair, now.settings, [], { column: "verdict", descending: true }, all);
      const shown = sourceComparisonOf(before, now, false, NO_ALIASES);
      assert.equal(
        shown.endpoints.map(({ path, verdict }) => [path, verdict]),
        unwrap(rows).records.map(({ path, verdict }) => [path, verdict]),
      );
      assert.equal([shown.counts.slower, shown.endpoints[0]?.path], [1, SECRET]);
      assert.equal([shown.before.source, shown.now.requests], [ids[0], 120]);
      assert.match(JSON.stringify(shown), SECRET);
      assert.equal(shown.rare, []);
      const few = { ...now, requests: new Map([...now.requests, [`GET https://api.test${SECRET}x` as Endpoint, 4]]) };
      assert.equal(
        sourceComparisonOf(before, few, false, NO_ALIASES).rare.map(({ before: earlier, now: later }) => [
          earlier,
          later,
        ]),
        [[0, 4]],
      );
      const loads = (median: number) =>
        [-1, 0, 1, 0, 1, 0, -1, 0, 1, 2].map((off) => {
          return { page: `GET https://api.test${SECRET}` as Endpoint, duration: median + off, requests: 3, bytes: 9 };
        });
      const loaded = [
        { ...before, loads: loads(400) },
        { ...now, loads: [...loads(900), ...loads(900)] },
      ] as const;
      assert.equal(
        sourceComparisonOf(...loaded, false, NO_ALIASES).loads.map(({ page: _, ...rest }) => rest),
        [{ verdict: "slower", note: null, before: { loads: 10, p50: 400 }, now: { loads: 20, p50: 900 } }],
      );
      assert.not.match(JSON.stringify(sourceComparisonOf(...loaded, true, NO_ALIASES)), SECRET);
      assert.not.match(JSON.stringify(sourceComparisonOf(before, few, true, NO_ALIASES)), SECRET);
      const redacted = sourceComparisonOf(before, now, true, NO_ALIASES);
      assert.not.match(JSON.stringify(redacted), SECRET);
      assert.is(redacted.counts.slower, 1);
    }));
});
