import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Har } from "har-format";
import * as assert from "uvu/assert";
import { type ExportForm, exportText } from "../../../extensions/proxy/export/export-text.ts";
import { EXPORT_TABLES, type ExportTable } from "../../../src/engine/messages/exchange-messages.ts";
import { LONGEST_TARGET } from "../../../src/engine/model/endpoint.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { figuresOf } from "../../../src/engine/session/lists/figures.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { problemOf } from "../../support/problem-of.ts";
import { type Said, withStored } from "../../support/stored.ts";

/** Five parallel requests that share a template, then two with a proven link. */
const CONVERSATION: readonly Said[] = [
  ...[1, 2, 3, 4, 5].map((id) => ({ sketch: { id, start: id, end: 100 + id, target: `/items/${id}`, client: "c" } })),
  ...[6, 7, 8, 9, 10].map((id) => ({
    sketch: { id, start: id * 1_000, end: id * 1_000 + 100, target: "/same" },
    responseHeaders: ["Content-Type: text/plain"],
    responseBody: "x".repeat(id === 10 ? 90_000 : 3_000),
  })),
  { sketch: { id: 11, start: 20_000, end: 20_050 }, responseHeaders: ["Set-Cookie: sid=a1b2c3d4e5f6"] },
  { sketch: { id: 12, start: 20_060, end: 20_090, target: "/b" }, requestHeaders: ["Cookie: sid=a1b2c3d4e5f6"] },
];

describe("exported text", (test) => {
  test("given any table, exports it as json, csv and md", () =>
    withStored(CONVERSATION, async (stored) => {
      for (const table of EXPORT_TABLES) {
        for (const format of ["json", "csv", "md"] as const) {
          const text = await exported(stored, { table, format });
          assert.ok(text.length > 1, `${table} as ${format}: ${text}`);
          if (format === "json") JSON.parse(text);
        }
      }
    }));

  test("given targets that memory only abbreviates, exports them whole", () => {
    const targets = [1, 2, 3].map((id) => `/items/${id}?list=${"0123456789".repeat(id * 2_000)}`);
    const long = targets.map((target, id) => ({ sketch: { id: id + 1, start: id, end: 100 + id, target } }));
    return withStored(long, async (stored) => {
      for (const format of ["har", "json", "csv", "md"] as const) {
        const text = await exported(stored, { table: null, format });
        for (const target of targets) assert.ok(text.includes(target), `${target.slice(0, 20)} as ${format}`);
      }
      for (const id of [1, 2, 3]) {
        const { target, endpoint } = stored.session.exchange(id as ExchangeId) ?? { target: "", endpoint: "" };
        assert.ok(target.length <= LONGEST_TARGET && !endpoint.includes("0123456789"));
      }
    });
  });

  test("given the payload table, exports sizes and the ids of oversized responses", () =>
    withStored(CONVERSATION, async (stored) => {
      const payload = await rows(stored, "payload");
      assert.is(payload.length, 8, "endpoints with fewer than 5 requests too");
      assert.equal(
        payload.filter(({ path }) => path === "/same"),
        [
          {
            method: "GET",
            origin: "https://api.test",
            path: "/same",
            operation: null,
            avgRequestSize: 0,
            avgResponseSize: 20_400,
            compressionRatio: null,
            oversized: [10],
          },
        ],
      );
    }));

  test("given the chains table, exports exchanges and edges with their proof, redacted by default", () =>
    withStored(CONVERSATION, async (stored) => {
      const chains = await rows(stored, "chains");
      const found = chains.find((chain) => JSON.stringify(chain["exchanges"]) === "[11,12]");
      const evidence = { source: "set-cookie", name: "sid", value: "REDACTED" };
      assert.equal(found, {
        count: 1,
        median: 90,
        duration: 90,
        exchanges: [11, 12],
        edges: [{ from: 11, to: 12, gap: 10, kind: "proven", evidence }],
      });
      assert.match(await exported(stored, { table: "chains", format: "json" }, false), /"a1b2c3d4e5f6"/);
    }));

  test("given the groups and repeats tables, exports their exchanges", () =>
    withStored(CONVERSATION, async (stored) => {
      assert.equal(await rows(stored, "groups"), [{ exchanges: [1, 2, 3, 4, 5], start: 1, end: 105 }]);
      assert.equal(await rows(stored, "repeats"), [
        {
          kind: "polling",
          template: "GET https://api.test/same",
          exchanges: [6, 7, 8, 9, 10],
          time: 300,
          bytes: 9_000,
        },
      ]);
    }));

  test("given a filter, export what has a matching exchange, by headers too, with the figures of all", () =>
    withStored(CONVERSATION, async (stored) => {
      const of = async (table: ExportTable, filter: string) =>
        (await rows(stored, table, filter)).map((row) => row["exchanges"] ?? row["path"] ?? row["id"]);
      assert.equal(await of("groups", "/items/3"), [[1, 2, 3, 4, 5]]);
      assert.equal(await of("groups", "/same"), []);
      assert.equal(await of("repeats", "resp.content-type:plain"), [[6, 7, 8, 9, 10]]);
      assert.equal(await of("chains", "req.cookie:sid="), [[11, 12]]);
      assert.equal(await of("chains", "req.cookie:other"), []);
      assert.equal(
        (await rows(stored, "links", "req.cookie:")).map(({ from, to }) => [from, to]),
        [[11, 12]],
      );
      assert.equal(
        (await rows(stored, "latency", "resp.content-type:plain size>50k")).map(({ path, requests }) => [
          path,
          requests,
        ]),
        [["/same", 5]],
      );
      const whole = { ...stored, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "0.0.0" };
      assert.match(
        problemOf(exportText(whole, { table: null, format: "json" }, "finding:errors", true)),
        /^This export does not look for findings/,
      );
    }));

  test("given earlier sessions, the trends table compares with them", () =>
    withStored(CONVERSATION, async (stored) => {
      const past = { name: "", title: "", startedAt: instant(0), figures: figuresOf(stored.session) };
      const baseline = new Baseline(["a", "b", "c"].map((id) => ({ id, ...past })));
      const text = await textOf({ ...stored, baseline }, { table: "trends", format: "json" }, true);
      assert.equal(
        (JSON.parse(text) as Row[]).map(({ metric, direction, sessions }) => [metric, direction, sessions]),
        [
          ["latency", "stable", 3],
          ["errorRate", "stable", 3],
          ["payload", "stable", 3],
        ],
      );
    }));

  test("given a request in flight, the HAR file contains its body so far", () =>
    withStored([{ sketch: { method: "POST", end: null }, requestBody: "sent so far" }], async (stored) => {
      assert.is((await harOf(stored, false)).log.entries[0]?.request.postData?.text, "sent so far");
    }));

  test("given an imported body, the HAR file marks it as cut only if it was not kept completely", () =>
    withStored(
      [4, 5].map((size) => ({
        sketch: { id: size, tags: ["imported"], encodedBodySize: 2, contentEncoding: "gzip" },
        responseBody: "kept",
      })),
      async (stored) => {
        stored.session.apply([4, 5].map((size) => ({ type: "body-decoded", id: size as ExchangeId, size })));
        const { entries } = (await harOf(stored)).log;
        assert.equal(
          entries.map(({ response }) => "_cut" in response.content),
          [false, true],
        );
      },
    ));

  test("given a body that was kept in part, the HAR file has its kept size, its coded bytes, and why it is not decoded", () => {
    const packed = gzipSync(randomBytes(1_000));
    const said = (id: number, coding: string, encodedBodySize: number, responseBody: Uint8Array): Said => ({
      sketch: { id, encodedBodySize, contentEncoding: coding },
      responseHeaders: [`Content-Encoding: ${coding}`],
      responseBody,
    });
    return withStored(
      [
        said(1, "gzip", packed.length, packed.subarray(0, 600)),
        said(2, "gzip", 20, Buffer.from("plain text")),
        said(3, "none", 20, Buffer.from("plain text")),
      ],
      async (stored) => {
        const comments = (await harOf(stored, false)).log.entries.map(({ response }) => response.content.comment ?? "");
        assert.match(
          comments[0] ?? "",
          /^Only the first 600 bytes were kept\. The body could not be decoded completely: it is cut off/,
        );
        assert.match(
          comments[1] ?? "",
          /^Only the first 10 bytes were kept\. .* it is not valid in its declared encoding/,
        );
        assert.match(comments[2] ?? "", /^Only the first 10 bytes were kept\. .* the coding "none" is not known/);
      },
    );
  });

  test("given a coded request body, a redacted HAR file holds it decoded and without secrets, or not at all", () => {
    const form = "a=1&token=canary&b=2";
    const said = (id: number, coding: string, requestBody: Uint8Array): Said => ({
      sketch: { id, method: "POST" },
      requestHeaders: ["Content-Type: application/x-www-form-urlencoded", `Content-Encoding: ${coding}`],
      requestBody,
    });
    const [gzipped, cut] = [gzipSync(form), gzipSync(form).subarray(0, 20)];
    return withStored(
      [
        said(1, "gzip", gzipped),
        said(2, "X-GZIP, identity", gzipped),
        said(3, "gzip", cut),
        said(4, "custom", Buffer.from(form)),
        said(5, "custom", gzipped),
      ],
      async (stored) => {
        const { entries } = (await harOf(stored)).log;
        const shown = entries.map(({ request: { postData } }) => [postData?.text, postData?.comment]);
        const redacted = ["a=1&token=REDACTED&b=2", undefined];
        const unknown = 'the coding "custom" is not known; these are the bytes as received';
        assert.equal(shown, [
          redacted,
          redacted,
          ["a=1&token", "The body could not be decoded completely: it is cut off within its encoding."],
          [redacted[0], `The body could not be decoded completely: ${unknown}.`],
          [
            "",
            `The body could not be decoded completely: ${unknown}. Left out: ${gzipped.length} bytes of type application/x-www-form-urlencoded. It could not be decoded.`,
          ],
        ]);
        const whole = JSON.parse(await exported(stored, { table: null, format: "har" }, false)) as Har;
        assert.is(whole.log.entries[0]?.request.postData?.text, form);
      },
    );
  });

  test("given secrets in paths, no table holds them unless it is asked to", () =>
    withStored(
      [1, 2, 3, 4, 5, 6].map((id) => ({
        sketch: { id, start: id * 1_000, end: id * 1_000 + (id === 6 ? 900 : 100), target: "/a;jsessionid=canary?b=1" },
      })),
      async (stored) => {
        for (const table of [...EXPORT_TABLES, null]) {
          for (const format of ["json", "csv", "md"] as const) {
            const form: ExportForm = table === null ? { table, format } : { table, format };
            assert.not.match(await exported(stored, form), "canary");
          }
        }
        assert.match(await exported(stored, { table: "slow", format: "csv" }), "/a;jsessionid=REDACTED");
        assert.match(await exported(stored, { table: "latency", format: "csv" }, false), "/a;jsessionid=canary");
      },
    ));

  test("given 4,001 connections, the HAR file still names the first exchange's server", async () => {
    const session = new Session();
    for (let id = 1; id <= 4_001; id += 1) {
      const address = `192.0.2.${id % 250}:443`;
      session.apply([{ type: "connection-opened", id, at: instant(id), address, tls: null }]);
      if (id === 1 || id === 4_001) session.apply(eventsOf(exchange({ id, start: id, connection: id, reused: false })));
    }
    const { entries } = (await harOf({ session, reader: null })).log;
    assert.equal([entries.length, entries[0]?.serverIPAddress], [2, "192.0.2.1"]);
  });

  test("given no table, csv and md have one row per exchange", () =>
    withStored(CONVERSATION, async (stored) => {
      const lines = (await exported(stored, { table: null, format: "csv" })).trimEnd().split("\r\n");
      assert.is(lines.length, CONVERSATION.length + 1);
      assert.match(lines[0] ?? "", /^id,url,method,status,errorType,startTime,dns,connect,tls,ttfb,transfer,latency/);
      assert.is(
        (await exported(stored, { table: null, format: "md" })).trimEnd().split("\n").length,
        CONVERSATION.length + 2,
      );
    }));
});

type Row = Readonly<Record<string, unknown>>;
type Stored = Pick<Parameters<typeof exportText>[0], "reader"> & { readonly session: Session };

async function rows(stored: Stored, table: ExportTable, filter = ""): Promise<readonly Row[]> {
  return JSON.parse(await exported(stored, { table, format: "json" }, true, filter)) as readonly Row[];
}

async function harOf(stored: Stored, redact = true): Promise<Har> {
  return JSON.parse(await exported(stored, { table: null, format: "har" }, redact));
}

function exported(stored: Stored, form: ExportForm, redact = true, filter = ""): Promise<string> {
  return textOf({ ...stored, baseline: new Baseline([]) }, form, redact, filter);
}

async function textOf(
  stored: Stored & { readonly baseline: Baseline },
  form: ExportForm,
  redact: boolean,
  filter = "",
): Promise<string> {
  const pieces = unwrap(exportText({ ...stored, settings: DEFAULT_SETTINGS, version: "0.0.0" }, form, filter, redact));
  let text = "";
  for await (const piece of pieces) text += piece.text;
  return text;
}
