import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../../../extensions/proxy/export/session-report.ts";
import { HarEntries } from "../../../src/engine/interchange/har-entries.ts";
import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const HOSTS = ["www", "cdn", "fonts", "stats"];
const START = Date.UTC(2026, 2, 3);

interface Loads {
  readonly runs: number;
  /** From the start of a run to the next, in ms. */
  readonly rhythm: number;
  /** The connect phase in ms, TLS included. */
  readonly connect: number;
}

const loads = fc.record({
  runs: fc.integer({ min: 5, max: 9 }),
  rhythm: fc.integer({ min: 2_500, max: 60_000 }),
  connect: fc.integer({ min: 60, max: 90 }),
});

/** The same page loaded in each run, each time on new connections whose names come again. */
function fileOf({ runs, rhythm, connect }: Loads, titleOf: (run: number) => string): string {
  const numbers = Array.from({ length: runs }, (_, index) => index + 1);
  const at = (run: number, host: number) => new Date(START + run * rhythm + host * 20).toISOString();
  const pages = numbers.map((run) => ({ id: `page_${run}`, title: titleOf(run), startedDateTime: at(run, 0) }));
  const entries = numbers.flatMap((run) =>
    HOSTS.map((host, index) => ({
      startedDateTime: at(run, index),
      time: connect + 50,
      request: { method: "GET", url: `https://${host}.example.test/`, httpVersion: "http/1.1", headers: [] },
      response: { status: 200, httpVersion: "http/1.1", headers: [], content: { size: 9, mimeType: "image/png" } },
      timings: { blocked: -1, dns: -1, connect, ssl: connect / 2, send: 0, wait: 40, receive: 10 },
      pageref: `page_${run}`,
      connection: String(index + 1),
      serverIPAddress: "192.0.2.1",
    })),
  );
  return JSON.stringify({ log: { version: "1.2", pages, entries } });
}

async function reported(file: string) {
  let found: { report: SourceReport | null; kinds: readonly string[] } = { report: null, kinds: [] };
  await withFolder(async (folder) => {
    const path = join(folder, "runs.har");
    writeFileSync(path, file);
    const source = unwrap(await openSource({ file: path }));
    try {
      const report = await reportOf(source, false);
      found = { report, kinds: report?.findings.map(({ kind }) => kind) ?? [] };
    } finally {
      source.close();
    }
  });
  return found;
}

function exchangesIn(file: string) {
  const entries = new HarEntries();
  return [...entries.push(file), ...entries.rest()].flatMap((one) => one ?? []);
}

/** The number of connections to servers. */
function connectionsIn(file: string): number {
  const events = exchangesIn(file).flatMap((one) => one.events);
  return new Set(events.map((event) => (event.type === "exchange-ended" ? event.connection : null))).size - 1;
}

describe("several runs in a HAR file", (test) => {
  const ACROSS_RUNS = ["new-connections", "polling", "duplicate-requests"];

  test("given a run for each page, each is a client with connections of its own, and nothing repeats", () =>
    fc.assert(
      fc.asyncProperty(loads, async (drawn) => {
        const file = fileOf(drawn, (run) => `Run ${run}, First View for /`);
        const { report, kinds } = await reported(file);
        assert.is(report?.clients, drawn.runs);
        assert.is(connectionsIn(file), drawn.runs * HOSTS.length);
        assert.equal(
          kinds.filter((kind) => ACROSS_RUNS.includes(kind)),
          [],
        );
        assert.ok(report?.where.limits.includes(`The file holds ${drawn.runs} runs, each with a client of its own.`));
      }),
      { numRuns: rounds(10) },
    ));

  test("given the same pages without a word of runs, each in a browser of its own, takes them for runs too", () =>
    fc.assert(
      fc.asyncProperty(loads, fc.boolean(), async (drawn, isAfter) => {
        const { log } = JSON.parse(fileOf(drawn, () => "https://www.example.test/"));
        const { pages, entries, ...rest } = log;
        const file = JSON.stringify({ log: isAfter ? { ...rest, entries, pages } : { ...rest, pages, entries } });
        const { report } = await reported(file);
        assert.is(report?.clients, drawn.runs);
        assert.is(connectionsIn(file), drawn.runs * HOSTS.length);
      }),
      { numRuns: rounds(10) },
    ));

  for (const [what, later] of [
    ["a connection that was open before", { timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: 40 } }],
    ["an answer from the cache", { _fromCache: "disk" }],
    ["a question whether something changed", { request: { headers: [{ name: "If-None-Match", value: "1" }] } }],
  ] as const) {
    test(`given ${what} in a later page, takes all pages for those of one browser, which repeats itself`, () =>
      fc.assert(
        fc.asyncProperty(loads, async (drawn) => {
          const { log } = JSON.parse(fileOf(drawn, () => "https://www.example.test/"));
          const { request, ...more } = { request: {}, ...later };
          const entries = log.entries.map((one: { request: object }, index: number) =>
            index === HOSTS.length ? { ...one, ...more, request: { ...one.request, ...request } } : one,
          );
          const file = JSON.stringify({ log: { ...log, entries } });
          const { report } = await reported(file);
          assert.is(report?.clients, 1);
        }),
        { numRuns: rounds(5) },
      ));
  }

  test("given a single run, names no client after it", async () => {
    const one = { runs: 1, rhythm: 5_000, connect: 60 };
    for (const title of ["Run 1, First View for /", "https://www.example.test/ run 1", "Shop"]) {
      const started = exchangesIn(fileOf(one, () => title)).flatMap(({ events }) => events);
      for (const event of started)
        if (event.type === "request-started") assert.is(event.clientAddress, "unknown", title);
    }
  });
});
