import * as fc from "fast-check";
import type { Entry, Har } from "har-format";
import * as assert from "uvu/assert";
import { Searches } from "../../extensions/proxy/analysis-thread/search.ts";
import { exportText } from "../../extensions/proxy/export/export-text.ts";
import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import type { Exchange, Tag } from "../../src/engine/model/exchange.ts";
import { unwrap } from "../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import type { ExportSource } from "../../src/engine/report/export-source.ts";
import { figuresOf } from "../../src/engine/session/lists/figures.ts";
import { Baseline } from "../../src/engine/session/lists/history.ts";
import { anyExchanges, eventsOf } from "../support/capture.ts";
import { describe } from "../support/describe.ts";
import { rounds } from "../support/rounds.ts";
import { withFolder } from "../support/temporary-folder.ts";
import { running } from "./running-commands.ts";

const LONG = `${"hay ".repeat(248)}a needle`;

const GZIP = { name: "Content-Encoding", value: "gzip" };

const ENTRIES = [
  entry("192.0.2.1", { bodySize: 0, content: { size: 14, text: "a needle, kept" } }),
  entry("192.0.2.2", { bodySize: 300, headers: [GZIP], content: { size: 1_000, compression: 700, text: LONG } }),
  entry("192.0.2.3", { bodySize: 4, content: { size: 4, text: "text" } }),
];

/** As Firefox writes it, with a port as the connection. */
function entry(serverIPAddress: string, response: object): object {
  return {
    startedDateTime: "2026-03-01T10:00:00.000Z",
    time: 120,
    connection: "443",
    serverIPAddress,
    request: { method: "GET", url: "https://kept.test/", httpVersion: "HTTP/1.1", headers: [] },
    response: { status: 200, httpVersion: "HTTP/1.1", headers: [], ...response },
    timings: { send: 0, wait: 100, receive: 20 },
  };
}

describe("imported and exported again HAR file", (test) => {
  test("given cached and compressed bodies, searches and exports them complete, each with its server", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      await app.importFile(JSON.stringify({ log: { version: "1.2", entries: ENTRIES } }), "opened");
      const { opened } = app.shown;
      if (opened === null) throw new Error("nothing was opened");

      const found: number[] = [];
      await new Promise<void>((resolve) => {
        new Searches().start(1, opened, "needle", (message) => {
          if (message.type !== "search-hits") return;
          found.push(...message.hits.map(({ exchange }) => exchange));
          if (message.done) resolve();
        });
      });
      assert.equal(found, [2, 1]);

      const { log }: Har = JSON.parse(await harOf(opened));
      assert.equal(log.entries.map(told), [
        ["192.0.2.1", 0, 14, "a needle, kept", false],
        ["192.0.2.2", 300, 1_000, LONG, false],
        ["192.0.2.3", 4, 4, "text", false],
      ]);
      app.end();
    }));

  test("given an exported session, its import has the same figures and exchanges in flight", () =>
    fc.assert(
      fc.asyncProperty(anyExchanges(30), (exchanges) =>
        withFolder(async (folder) => {
          // A HAR file contains only requests to servers.
          const told = exchanges.filter(
            ({ tags, target }) => !tags.some((tag) => NOT_IN_HAR.includes(tag)) && target !== "*",
          );
          fc.pre(told.length > 0);
          const app = running(folder);
          const events = told.flatMap((one) => (one.id % 3 === 0 ? standing(one) : eventsOf(one)));
          app.currentSession.addEvents(events);
          const { session } = app.currentSession;
          await app.importFile(await harOf({ session, reader: app.currentSession.reader() }), "opened");
          const { opened } = app.shown;
          if (opened === null) throw new Error("nothing was opened");
          assert.equal(rounded(figuresOf(opened.session)), rounded(figuresOf(session)));
          assert.is(opened.session.inFlight, session.inFlight);
          app.end();
        }),
      ),
      { numRuns: rounds(25) },
    ));
});

/** A WebSocket that is still open: it counts already, unless it was refused. */
function standing(made: Exchange): readonly CaptureEvent[] {
  return eventsOf({ ...made, tags: ["websocket"] }).filter(({ type }) => type !== "exchange-ended");
}

const NOT_IN_HAR: readonly Tag[] = ["malformed", "tunnel", "imported"];

async function harOf(recorded: Pick<ExportSource, "session" | "reader">): Promise<string> {
  const source = { ...recorded, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "1.2.3" };
  const pieces = unwrap(exportText(source, { format: "har", table: null }, "", false));
  let text = "";
  for await (const piece of pieces) text += piece.text;
  return text;
}

/** Durations have fractions, so their sum may differ in the last bit. */
function rounded(figures: object): unknown {
  return JSON.parse(JSON.stringify(figures), (_, value) =>
    typeof value === "number" ? Number(value.toFixed(3)) : value,
  );
}

function told({ serverIPAddress, response: { bodySize, content } }: Entry): readonly unknown[] {
  return [serverIPAddress, bodySize, content.size, content.text, "_cut" in content];
}
