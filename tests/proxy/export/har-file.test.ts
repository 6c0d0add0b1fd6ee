import { readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { HarImports } from "../../../extensions/proxy/engine-thread/recording/har-imports.ts";
import { type HarFile, openHarFile } from "../../../extensions/proxy/export/har-file.ts";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import { type Result, unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { FactReader, pathsOf } from "../../../src/engine/report/fact-reading.ts";
import { linkedFactsOf } from "../../../src/engine/report/linked-facts.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";
import { inProcessImport } from "../../support/in-process-import.ts";
import { problemOf } from "../../support/problem-of.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const entry = (url: string, more: object = {}) => ({
  startedDateTime: "2026-03-03T10:11:12.500Z",
  time: 30,
  request: { method: "GET", url, httpVersion: "HTTP/1.1", headers: [{ name: "Accept", value: "*/*" }] },
  response: {
    status: 200,
    httpVersion: "HTTP/1.1",
    headers: [],
    content: { size: 2, mimeType: "application/json", text: "{}" },
    bodySize: 2,
  },
  timings: { blocked: 5, dns: -1, connect: -1, ssl: -1, send: 1, wait: 20, receive: 4 },
  ...more,
});

const fileOf = (entries: readonly unknown[]) => JSON.stringify({ log: { version: "1.2", entries } });

/** The temporary folders of opened HAR files that remain. */
const left = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("weir-har-"));

/** Opens a file with these bytes; `folder` is where temporary folders are created. */
async function withHar(bytes: string | Buffer, body: (har: Result<HarFile>, folder: string) => unknown): Promise<void> {
  await withFolder(async (folder) => {
    const path = join(folder, "a.har");
    writeFileSync(path, bytes);
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = folder;
    const har = await openHarFile(path, new PathTemplates());
    try {
      await body(har, folder);
    } finally {
      if (har.ok) har.value.close();
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });
}

async function factsIn(har: Result<HarFile>) {
  const { session, reader } = unwrap(har);
  const rows = Array.from({ length: session.table.nextRow }, (_, row) => row);
  const reading = new FactReader(session, reader, pathsOf(session, rows));
  const facts = [];
  for (const row of rows) facts.push(await reading.read(row));
  return facts.filter((one) => one !== null);
}

/** A page of three levels: the document, its script, and what the script requests, in each form of initiators. */
function withInitiators(): string {
  const at = (start: number) => new Date(Date.UTC(2026, 2, 3) + start).toISOString();
  const script = "https://a.test/app.js";
  const callFrames = [{ url: script, lineNumber: 3 }];
  const typed = (url: string, mimeType: string, more: object) => {
    const headers = [{ name: "Content-Type", value: mimeType }];
    return entry(url, { ...more, response: { status: 200, headers, content: { size: 2, mimeType }, bodySize: 2 } });
  };
  const entries = [
    typed("https://a.test/", "text/html", { startedDateTime: at(0) }),
    typed(script, "text/javascript", {
      startedDateTime: at(100),
      _initiator: { type: "parser", url: "https://a.test/" },
    }),
    entry("https://a.test/1", { startedDateTime: at(200), _initiator: { type: "script", stack: { callFrames } } }),
    entry("https://a.test/2", { startedDateTime: at(300), _initiator: script, _initiator_type: "script" }),
    entry("https://a.test/3", {
      startedDateTime: at(400),
      _initiator: "https://other.test/none.js",
      _initiator_detail: JSON.stringify({ type: "script", stack: { callFrames } }),
    }),
    typed("https://a.test/news", "text/event-stream", {
      startedDateTime: at(500),
      _eventSourceMessages: [500, 510, 530].map((time) => ({ time: (Date.UTC(2026, 2, 3) + time) / 1_000, data: "x" })),
    }),
  ];
  const page = { id: "page_1", title: "A", startedDateTime: at(0), pageTimings: { onLoad: 350 } };
  return JSON.stringify({ log: { pages: [page], entries: entries.map((one) => ({ ...one, pageref: "page_1" })) } });
}

/** The links, the arrivals of events and the load event that a session has. */
async function conclusionsOf(session: Session, reader: SessionReader) {
  const { links, facts } = await linkedFactsOf(session, reader, 50);
  return {
    links: links.map(({ from, to, basis }) => `${from}>${to} ${basis}`),
    arrivals: facts.map(({ events }) => events),
    loadedAt: session.loadedAt(1 as ExchangeId),
  };
}

describe("opened HAR file", (test) => {
  test("given initiators in each form, gives the same links as when it is imported, stored and opened again", () =>
    withHar(withInitiators(), async (har, folder) => {
      const file = unwrap(har);
      const opened = await conclusionsOf(file.session, file.reader);
      assert.equal(
        opened.links.filter((link) => link.endsWith(" initiator")),
        ["1>2 initiator", "2>3 initiator", "2>4 initiator", "2>5 initiator"],
      );
      assert.is(opened.loadedAt, Date.UTC(2026, 2, 3) + 350);
      assert.is(opened.arrivals.at(-1)?.length, 3);

      const store = SessionStore.open(folder, 1024 ** 3);
      const imports = new HarImports(store, inProcessImport);
      const { importNumber } = imports.start("a.har", "completed", 0 as Instant, null, {});
      const { session: id } = await imports.addPiece(importNumber, Buffer.from(withInitiators()), true);
      const reader = unwrap(store.openEnded(id ?? ""));
      const session = new Session();
      for (const event of reader.events(false)) session.apply([event]);
      assert.equal(await conclusionsOf(session, reader), opened);
      reader.close();
    }));

  test("given entries that are invalid, gives each other exchange the number of its entry", () =>
    withHar(fileOf([entry("https://a.test/1"), null, { request: 1 }, entry("https://a.test/4")]), async (har) => {
      const facts = await factsIn(har);
      assert.equal(
        facts.map(({ facts: { exchange } }) => exchange.id),
        [1, 4],
      );
      assert.equal(
        unwrap(har).leftOut.map(({ entry: index }) => index),
        [2, 3],
      );
    }));

  test("given an entry, reads its heads, bodies, queueing time, server and initiators", () =>
    withHar(
      fileOf([
        entry("https://a.test/x?q=1", {
          serverIPAddress: "10.1.2.3",
          connection: "7",
          _initiator: { type: "script", stack: { callFrames: [{ url: "https://a.test/app.js" }] } },
        }),
      ]),
      async (har) => {
        const [read] = await factsIn(har);
        assert.equal(read?.facts.requestFields, [{ name: "accept", value: "*/*" }]);
        assert.equal([read?.facts.queued, read?.facts.weir, read?.facts.serverAddress], [5, null, "10.1.2.3:443"]);
        assert.equal([read?.responseText, read?.initiators], ["{}", ["https://a.test/app.js"]]);
        assert.match(read?.facts.responseBody.hash ?? "", /^\S+$/);
        assert.is(read?.facts.requestBody.hash, "");
      },
    ));

  test("given a file compressed with gzip, reads it", () =>
    withHar(gzipSync(fileOf([entry("https://a.test/1")])), async (har) => assert.is((await factsIn(har)).length, 1)));

  for (const [what, text, sentence] of [
    ["nothing", "", /file is empty\.$/],
    ["no JSON", "hello", /it is not one JSON object/],
    ["another JSON", '{"a":[]}', /it has no list of entries/],
    ["half a file", fileOf([entry("https://a.test/1")]).slice(0, 200), /it was cut off|cut off/],
    ["no entry", fileOf([]), /The file holds no exchange\.$/],
    ["no entry that is one", fileOf([{}]), /The file holds no exchange\. Entry 1: .+\.$/],
  ] as const) {
    test(`given ${what}, says so in a sentence and leaves nothing behind`, () =>
      withHar(text, (har, folder) => {
        assert.match(problemOf(har), /a\.har cannot be read: /);
        assert.match(problemOf(har), sentence);
        assert.equal(left(folder), []);
      }));
  }

  test("given a file that is not there, or a folder, says so", async () => {
    assert.match(
      problemOf(await openHarFile("/none/such.har", null)),
      /^\/none\/such\.har cannot be read: no such file or directory \(ENOENT\)\.$/,
    );
    assert.match(problemOf(await openHarFile(tmpdir(), null)), /cannot be read: .*\(EISDIR\)\.$/);
  });

  test("given an open file, keeps its bodies in a private folder until the file is closed", () =>
    withHar(fileOf([entry("https://a.test/1")]), async (har, folder) => {
      const file = unwrap(har);
      const [mine = ""] = left(folder);
      assert.is(statSync(join(folder, mine)).mode & 0o777, 0o700);
      file.close();
      assert.equal(left(folder), []);
      file.close();
    }));
});
