import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type AnalysedSource,
  AnalysisWork,
  fileNameOf,
} from "../../../../extensions/proxy/engine-thread/commands/analysis-work.ts";
import { SessionInsights } from "../../../../extensions/proxy/engine-thread/commands/session-insights.ts";
import type { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import type { FromEngine } from "../../../../src/engine/messages/messages.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { type Said, type Stored, withStored } from "../../../support/stored.ts";

type Piece = Extract<FromEngine, { readonly type: "export-piece" }>;

const HAR = { format: "har", table: null, filter: "", redact: false } as const;

/** Each entry is longer than a piece, and all are more pieces than a UI client is sent before it acknowledges one. */
const LONG: readonly Said[] = Array.from({ length: 12 }, (_, index) => ({
  sketch: { id: index + 1, start: index * 10, end: index * 10 + 5 },
  responseHeaders: ["Content-Type: text/plain"],
  responseBody: "needle ".repeat(40_000),
}));

describe("exports and searches through the analysis thread", (test) => {
  test("given an export and a search, reads heads and bodies on no other thread", () =>
    withWork(LONG, async ({ source, work }) => {
      const { text, problem } = await wholeOf(work, source, HAR);
      assert.is(JSON.parse(text).log.entries.length, LONG.length);
      assert.is(problem, null);
      const found = new Set<number>();
      await new Promise<void>((resolve) => {
        void work.search(source, "needle", (message) => {
          if (message.type !== "search-hits") return;
          for (const { exchange } of message.hits) found.add(exchange);
          if (message.done) resolve();
        });
      });
      assert.is(found.size, LONG.length);
    }));

  test("given the report, makes one page about the whole session, named after it", () =>
    withWork(LONG, async ({ source, work }) => {
      const { text, problem } = await wholeOf(work, source, { ...HAR, format: "html", filter: "status:404" });
      assert.is(problem, null);
      assert.match(text, /^<!doctype html>/i);
      assert.match(text, new RegExp(`\\b${LONG.length}\\b[^<]* requests`));
    }));

  test("given comments that change between two exports, exports them as they are", () =>
    withWork(LONG.slice(0, 2), async ({ source, work, comment }) => {
      const comments = async () => {
        const { text } = await wholeOf(work, source, { ...HAR, format: "json" });
        return (JSON.parse(text) as { readonly comment?: string }[]).map((one) => one.comment ?? "");
      };
      comment(1 as ExchangeId, "slow");
      assert.equal(await comments(), ["slow", ""]);
      comment(1 as ExchangeId, "");
      comment(2 as ExchangeId, "fast");
      assert.equal(await comments(), ["", "fast"]);
    }));

  test("given a session that ends while work runs or begins, ends each export and each search with a sentence", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), fc.boolean(), (kinds, isBegun) =>
        withWork(LONG, async ({ source, work }) => {
          const ends: FromEngine[] = [];
          const send = (message: FromEngine) => {
            if ("done" in message && message.done) ends.push(message);
          };
          const begun = kinds.map((isSearch) =>
            isSearch ? work.search(source, "no such text", send) : work.export(source, HAR, send),
          );
          const outcomes = Promise.allSettled(begun);
          if (isBegun) await outcomes;
          await source.insights.endAnalysis();
          const refusals = (await outcomes).filter(({ status }) => status === "rejected");
          if (isBegun) assert.is(refusals.length, 0);
          while (refusals.length + ends.length < kinds.length) await setImmediate();
          for (const end of ends) {
            if (end.type === "export-piece")
              assert.match(end.problem ?? "", /^This session was closed before its export was complete\./);
            if (end.type === "search-hits") assert.match(end.problem ?? "", /^This session was closed/);
          }
        }),
      ),
      { numRuns: rounds(4) },
    ));

  test("given a UI client that disconnects, ends its work and no other client's", () =>
    withWork(LONG, async ({ source, work }) => {
      const gone: FromEngine[] = [];
      const leave = (message: FromEngine) => {
        gone.push(message);
        work.cancelFor(leave);
      };
      await work.export(source, HAR, leave);
      const { text } = await wholeOf(work, source, HAR);
      assert.is(JSON.parse(text).log.entries.length, LONG.length);
      assert.is(gone.length, 1);
    }));

  test("given a session, names the file after its label or table, and its start", () => {
    const startedAt = new Date(2026, 2, 1, 14, 2, 11).getTime() as Instant;
    const named = (name: string, table: "latency" | null = null, title = "") =>
      fileNameOf({ name, title, startedAt }, { format: "json", table });
    assert.is(named(""), "weir-session-2026-03-01-140211");
    assert.is(named("", null, "shop.test, Chrome"), "weir-shop-test-chrome-2026-03-01-140211");
    assert.is(named("Before the cache!", null, "shop.test"), "weir-before-the-cache-2026-03-01-140211");
    assert.is(named("Before the cache!", "latency"), "weir-latency-before-the-cache-2026-03-01-140211");
    assert.is(named("", "latency"), "weir-latency-2026-03-01-140211");
    assert.is(fileNameOf(null, { format: "har", table: null }), "weir-session", "nothing was captured");
    assert.is(
      fileNameOf({ name: "", title: "", startedAt }, { format: "html", table: null }),
      "weir-report-2026-03-01-140211",
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => assert.match(named(name), /^weir-[\p{L}\p{N}-]+$/u)),
    );
  });
});

interface Stage {
  readonly source: AnalysedSource;
  readonly work: AnalysisWork;
  readonly comment: Stored["comment"];
}

/** Calls `body` with a stored session whose analysis thread is real, and whose reader on this thread cannot read. */
function withWork(conversation: readonly Said[], body: (stage: Stage) => Promise<void>): Promise<void> {
  return withStored(conversation, async ({ session, reader, comment }) => {
    const { folder } = reader;
    const unread = { folder } as unknown as SessionReader;
    const baseline = new Baseline([]);
    const insights = new SessionInsights({
      session,
      reader: () => unread,
      wasCutOff: false,
      chainGap: () => 300,
      captured: () => 0,
      until: () => Number.POSITIVE_INFINITY as Instant,
      baseline: () => baseline,
      onTrouble: () => {},
    });
    const source = { session, reader: unread, baseline, settings: DEFAULT_SETTINGS, version: "1.2.3", insights };
    // The thread alone does not keep the process.
    const keeping = setInterval(() => {}, 1_000);
    try {
      await body({ source, work: new AnalysisWork(), comment });
    } finally {
      await insights.endAnalysis();
      clearInterval(keeping);
    }
  });
}

/** The text of an export whose UI client acknowledges each piece. */
async function wholeOf(
  work: AnalysisWork,
  source: AnalysedSource,
  wanted: Parameters<AnalysisWork["export"]>[1],
): Promise<{ readonly text: string; readonly problem: string | null }> {
  const pieces: Piece[] = [];
  await new Promise<void>((resolve, reject) => {
    const send = (message: FromEngine) => {
      if (message.type !== "export-piece") return;
      pieces.push(message);
      if (message.done) resolve();
      else work.acknowledge(message.exportNumber);
    };
    work.export(source, wanted, send).catch(reject);
  });
  return { text: pieces.map(({ text }) => text).join(""), problem: pieces.at(-1)?.problem ?? null };
}
