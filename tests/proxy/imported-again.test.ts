import type { Entry, Har } from "har-format";
import * as assert from "uvu/assert";
import { exportText } from "../../extensions/proxy/export-text.ts";
import { Searches } from "../../extensions/proxy/search.ts";
import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import { Baseline } from "../../src/engine/session/history.ts";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";
import { running } from "./running-desk.ts";

const LONG = `${"hay ".repeat(248)}a needle`;

const GZIP = { name: "Content-Encoding", value: "gzip" };

const ENTRIES = [
  entry("192.0.2.1", { bodySize: 0, content: { size: 14, text: "a needle, kept" } }),
  entry("192.0.2.2", { bodySize: 300, headers: [GZIP], content: { size: 1_000, compression: 700, text: LONG } }),
  entry("192.0.2.3", { bodySize: 4, content: { size: 4, text: "text" } }),
];

/** As Firefox writes it, with a port for the connection. */
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

describe("a HAR file that was imported", (test) => {
  test("is searched and exported as it came: cached and compressed bodies whole, each exchange with its server", () =>
    withFolder(async (folder) => {
      const app = running(folder);
      await app.importFile(JSON.stringify({ log: { version: "1.2", entries: ENTRIES } }), "opened");
      const { opened } = app.shown;
      if (opened === null) throw new Error("nothing was opened");

      const found: number[] = [];
      await new Promise<void>((resolve) => {
        new Searches().start(opened, "needle", (message) => {
          if (message.type !== "search-hits") return;
          found.push(...message.hits.map(({ exchange }) => exchange));
          if (message.done) resolve();
        });
      });
      assert.equal(found, [2, 1]);

      const source = { ...opened, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "1.2.3" };
      const pieces = exportText(source, { format: "har", table: null }, "", false);
      if (typeof pieces === "string") throw new Error(pieces);
      let text = "";
      for await (const piece of pieces) text += piece.text;
      const { log }: Har = JSON.parse(text);
      assert.equal(log.entries.map(told), [
        ["192.0.2.1", 0, 14, "a needle, kept", false],
        ["192.0.2.2", 300, 1_000, LONG, false],
        ["192.0.2.3", 4, 4, "text", false],
      ]);
      app.end();
    }));
});

function told({ serverIPAddress, response: { bodySize, content } }: Entry): readonly unknown[] {
  return [serverIPAddress, bodySize, content.size, content.text, "_cut" in content];
}
