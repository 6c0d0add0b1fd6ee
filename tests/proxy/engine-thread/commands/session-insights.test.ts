import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  findingsMarkdown,
  SessionInsights,
} from "../../../../extensions/proxy/engine-thread/commands/session-insights.ts";
import type { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import type { FoundFindings } from "../../../../src/engine/session/evaluation/found-findings.ts";
import type { ChainsFound } from "../../../../src/engine/session/evaluation/insights.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { inProcessAnalysis } from "../../../support/in-process-analysis.ts";
import { IS_QUICK, rounds } from "../../../support/rounds.ts";
import { type Said, withStored } from "../../../support/stored.ts";

/** Turns of a program: a request of 50 ms, then one of 50 ms. `before`: how many turns came before. */
function turnsOf(count: number, before: number) {
  return Array.from({ length: count }, (_, index) => {
    const [turn, start] = [before + index, (before + index) * 5_000];
    return [
      { sketch: { id: 2 * turn + 1, start, end: start + 50, target: "/list" } },
      { sketch: { id: 2 * turn + 2, start: start + 60, end: start + 110, target: "/item" } },
    ];
  }).flat();
}

describe("session insights", (test) => {
  test("given no query for insights, does not search", () =>
    withStored(PAIR, async ({ session, reader }) => {
      const { insights } = insightsOf(session, reader);
      assert.is(insights.version, 0);
    }));

  test("given questions that are asked once, answers them, and refuses with a sentence what cannot be answered", () =>
    withStored(
      Array.from({ length: 12 }, (_, index) => ({
        sketch: { id: index + 1, start: index * 1_000, end: index * 1_000 + 50, target: "/a" },
      })),
      async ({ session, reader }) => {
        const { insights } = insightsOf(session, reader);
        const { one, other } = await insights.comparison({ exchange: 1 as ExchangeId, other: 2 as ExchangeId });
        assert.equal([one.id, other.id], [1, 2]);
        const { chosen, others } = await insights.difference({
          ids: Float64Array.of(1, 2, 3),
          by: { isByTime: false, isByLatency: false },
        });
        assert.equal([chosen, others], [3, 9]);
        const refused = insights.comparison({ exchange: 1 as ExchangeId, other: 99 as ExchangeId });
        const problem = await refused.then(
          () => "",
          ({ message }: Error) => message,
        );
        assert.match(problem, /Choose another one/);
      },
    ));

  test("given a token in a decoded body and in a header, proves the link between the two exchanges", () =>
    withStored(
      [
        {
          sketch: {
            id: 1,
            end: 50,
            target: "/login",
            method: "POST",
            contentEncoding: "gzip",
            contentType: "application/json",
          },
          responseHeaders: ["Content-Type: application/json", "Content-Encoding: gzip"],
          responseBody: gzipSync('{"token":"s3cr3t-4f9a"}'),
        },
        { sketch: { id: 2, start: 60, end: 90 }, requestHeaders: ["Authorization: Bearer s3cr3t-4f9a"] },
        { sketch: { id: 3, start: 100, end: 120, target: "/other" } },
      ],
      async ({ session, reader }) => {
        const [walk] = (await chainsOf(session, reader)).walks;
        assert.equal(
          walk?.longest.links.map(({ from, to, kind, evidence: { source, value } }) => [from, to, kind, source, value]),
          [
            [1, 2, "proven", "body", "s3cr3t-4f9a"],
            [2, 3, "sequential", "order", "1 of 1"],
          ],
        );
      },
    ));

  test("given later exchanges, finds their chain too; given another chain gap, searches anew", () =>
    withStored(PAIR, async ({ session, reader, capture }) => {
      let now = 195;
      const { insights, setGap } = insightsOf(session, reader, () => now as Instant);
      await changed(insights, () => insights.chains());
      assert.is(insights.chains().walks[0]?.longest.steps.length, 2);
      capture(eventsOf(exchange({ id: 3, start: 100, end: 130 })));
      now = 1_000;
      await changed(insights, () => insights.chains());
      assert.is(insights.chains().walks[0]?.longest.steps.length, 3);
      setGap(0);
      await changed(insights, () => insights.chains());
      assert.equal([insights.chains().walks.length, insights.chains().chainGap], [0, 0]);
    }));

  test("given a chain that has just ended, finds it later without another event or query", () =>
    withStored(PAIR, async ({ session, reader }) => {
      let now = 90;
      const { insights } = insightsOf(session, reader, () => now as Instant);
      await changed(insights, () => insights.chains());
      now = 1_000;
      await changed(insights, () => {});
      assert.is(insights.chains().walks[0]?.longest.steps.length, 2);
    }));

  test("given a change, tells what walks gain, and tells it again for what is captured later", () =>
    withStored(turnsOf(3, 0), async ({ session, reader, capture }) => {
      let now = 14_000;
      const { insights } = insightsOf(session, reader, () => now as Instant);
      const change = { exchanges: [1 as ExchangeId], endpoint: null, to: 10 };
      assert.is(insights.gains(change), null);
      await changed(insights, () => insights.gains(change));
      // The second request of each turn follows the first one, without a proven link.
      const each = { byLinks: 0, atMost: 40 };
      assert.equal(insights.gains(change)?.step, { unit: "walk", duration: 110, took: 50, gain: each });
      assert.equal(insights.gains(change)?.walks?.units, 3);
      for (const { sketch } of turnsOf(1, 3)) capture(eventsOf(exchange(sketch)));
      now = 50_000;
      while (insights.gains(change)?.walks?.units !== 4) await changed(insights, () => insights.gains(change));
      assert.equal(insights.gains(change)?.walks?.sum, { byLinks: 0, atMost: 160 });
      assert.is(insights.gains({ ...change, to: 20 }), null);
    }));

  test("given marks, compares A with B, and again for what is captured later; given none, does not search", () =>
    withStored(turnsOf(3, 0), async ({ session, reader, capture }) => {
      let now = 14_000;
      const { insights } = insightsOf(session, reader, () => now as Instant);
      assert.equal(insights.marked(), []);
      capture([{ type: "change-marked", at: instant(0), mark: "A" }]);
      assert.is(insights.marked(), null);
      await changed(insights, () => insights.marked());
      assert.equal(insights.marked()?.[0]?.counts, { A: 3, B: 0 });
      capture([{ type: "change-marked", at: instant(14_000), mark: "B" }]);
      for (const { sketch } of turnsOf(4, 3)) capture(eventsOf(exchange(sketch)));
      now = 50_000;
      while (insights.marked()?.[0]?.counts.B !== 4) await changed(insights, () => insights.marked());
      assert.equal(insights.marked()?.[0]?.counts, { A: 3, B: 4 });
    }));

  test("given equal bodies of requests and responses, finds the duplicate request", () =>
    withStored(
      ["a=1", "a=2", "a=1"].map((requestBody, index) => ({
        sketch: { id: index + 1, start: index * 100, end: index * 100 + 50, method: "POST" },
        requestBody,
        responseBody: "done",
      })),
      async ({ session, reader }) => {
        const { insights } = insightsOf(session, reader);
        await changed(insights, () => insights.repeats());
        assert.equal(
          insights.repeats().repeats.map(({ kind, exchanges, bytes }) => [kind, exchanges, bytes]),
          [["duplicate-requests", [3], 4]],
        );
      },
    ));

  test("given an exchange in flight, tells where the time of those went that ended meanwhile", () =>
    withStored(PAIR, async ({ session, reader, capture }) => {
      const { insights } = insightsOf(session, reader, () => 4_000 as Instant);
      capture(eventsOf(exchange({ id: 3, start: 100, end: 6_000 })).slice(0, 1));
      capture(eventsOf(exchange({ id: 4, start: 200, end: 250 })));
      while (insights.where()?.exchanges !== 3) await new Promise(setImmediate);
    }));

  test("given two requests that overlap, finds their group", () =>
    withStored(
      [{ sketch: { id: 1, end: 50 } }, { sketch: { id: 2, start: 20, end: 90 } }],
      async ({ session, reader }) => {
        const { insights } = insightsOf(session, reader);
        await changed(insights, () => insights.groups());
        assert.is(insights.groups().groupOf(2 as ExchangeId), 1);
      },
    ));

  test("given slow requests that share a response header, names that header as their cause", () =>
    withStored(
      Array.from({ length: 60 }, (_, index) => {
        const isMiss = index % 5 === 0;
        const end = index * 1_000 + (isMiss ? 300 : 20) + (index % 7);
        return {
          sketch: { id: index + 1, start: index * 1_000, end },
          responseHeaders: [`X-Cache: ${isMiss ? "MISS" : "HIT"}`],
        };
      }),
      async ({ session, reader }) => {
        const { insights } = insightsOf(session, reader);
        await changed(insights, () => insights.slowCauses());
        const [cause] = insights.slowCauses().causesOf(1);
        assert.equal(cause?.attribute, { name: "response-header:x-cache", value: "MISS" });
        assert.equal([cause?.members.length, cause?.compared], [12, 60]);
        assert.equal([insights.slowCauses().causeIndexOf(0), insights.slowCauses().causeIndexOf(1)], [0, "none"]);
      },
    ));

  test("given a session that was searched completely, publishes no partial results while its new exchanges are read", () =>
    withStored(
      Array.from({ length: 60 }, (_, index) => ({
        sketch: { id: index + 1, start: index * 1_000, end: index * 1_000 + 20 },
      })),
      async ({ session, reader }) => {
        let now = 5_000;
        const { insights } = insightsOf(session, reader, () => now as Instant, slowClock());
        const seen = new Set<number>();
        const isRead = (row: number) => insights.slowCauses().causeIndexOf(row) !== "unknown";
        const untilRead = async (row: number) => {
          while (!isRead(row)) {
            seen.add(insights.slowCauses().progress);
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        await untilRead(0);
        assert.not.ok(isRead(59));
        seen.clear();
        now = 1_000_000;
        await untilRead(59);
        assert.equal([...seen], [1]);
      },
    ));
});

/** A clock that advances by 300 ms each time that it is read. */
function slowClock(): () => number {
  let time = 0;
  return () => {
    time += 300;
    return time;
  };
}

const FOREVER = Number.POSITIVE_INFINITY as Instant;

const PAIR = [{ sketch: { id: 1, end: 50 } }, { sketch: { id: 2, start: 60, end: 90, target: "/b" } }];

/** `now`: the clock of the analysis. */
function insightsOf(session: Session, reader: SessionReader, until: () => Instant = () => FOREVER, now?: () => number) {
  let gap = 300;
  const insights = new SessionInsights({
    session,
    reader: () => reader,
    chainGap: () => gap,
    until,
    captured: () => session.revision,
    baseline: () => new Baseline([]),
    wasCutOff: false,
    onTrouble: () => {},
    spawn: (start) => inProcessAnalysis(start, now),
  });
  return {
    insights,
    setGap: (value: number) => {
      gap = value;
    },
  };
}

async function chainsOf(session: Session, reader: SessionReader): Promise<ChainsFound> {
  const { insights } = insightsOf(session, reader);
  await changed(insights, () => insights.chains());
  return insights.chains();
}

/** Sends the request, and waits until there are new insights. */
async function changed(insights: SessionInsights, ask: () => unknown): Promise<void> {
  const { version } = insights;
  ask();
  while (insights.version === version) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("search for session insights", (test) => {
  test("given a session without a query, does not search", () =>
    withStored(REPEATED, ({ session, reader }) => {
      assert.is(searchIn(session, reader).version, 0);
    }));

  test("given requests that were sent again, names the cause, its exchanges and their endpoint", () =>
    withStored(REPEATED, async ({ session, reader }) => {
      const found = await foundBy(searchIn(session, reader));
      assert.equal(kindsOf(found), ["duplicate-requests"]);
      assert.is(found.report.exchanges, REPEATED.length);
      const [record] = found.records;
      assert.equal(record?.exchanges.toSorted(), [2, 3, 4]);
      assert.equal(
        [1, 2, 9].map((id) => found.namesOf(id as ExchangeId).map(({ kind }) => kind)),
        [[], ["duplicate-requests"], []],
      );
      const endpointOf = (id: number) => session.table.endpoint.at(session.table.rowOf(id as ExchangeId) ?? -1);
      assert.equal(found.namesAt(session, endpointOf(1))[0]?.key, record?.key);
      assert.equal(found.namesAt(session, endpointOf(9)), []);
    }));

  test("given requests that all differ, finds nothing", () =>
    withStored(VARIED, async ({ session, reader }) => {
      const found = await foundBy(searchIn(session, reader));
      assert.equal([kindsOf(found), found.report.exchanges], [[], VARIED.length]);
    }));

  test("given more traffic, is searched again once it is asked again", () =>
    withStored(VARIED, async ({ session, reader, capture }) => {
      const search = searchIn(session, reader);
      assert.is((await foundBy(search)).report.exchanges, VARIED.length);
      capture(eventsOf(exchange({ id: 100, start: 90_000, end: 90_050, target: "/late" })));
      assert.is((await foundBy(search, VARIED.length)).report.exchanges, VARIED.length + 1);
    }));

  test("given traffic that is captured by and by, finds what a search finds that reads all of it at once", async () => {
    const sketch = fc.record({
      gap: fc.integer({ min: 0, max: 2_000 }),
      lasts: fc.constantFrom(20, 50, 400, 1_500),
      target: fc.constantFrom("/report", "/items?page=1", "/items?page=2", "/orders/7/lines", "/orders/8/lines"),
      status: fc.constantFrom(200, 200, 200, 302, 429, 503),
      client: fc.constantFrom("127.0.0.1", "127.0.0.2"),
    });
    const parts = fc.array(fc.array(sketch, { minLength: 1, maxLength: 25 }), { minLength: 2, maxLength: 4 });
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(parts, (drawn) =>
        withStored(REPEATED, async ({ session, reader, capture }) => {
          let start = 30_000;
          // Exchanges captured later start after all known ones.
          const search = searchIn(session, reader, () => start);
          let found = await foundBy(search);
          let id = REPEATED.length;
          for (const part of drawn) {
            for (const { gap, lasts, ...rest } of [...part, ...WALK]) {
              start += gap;
              id += 1;
              capture(eventsOf(exchange({ id, start, end: start + lasts, ...rest })));
            }
            start += 2_000;
            found = await foundBy(search, found.report.exchanges);
          }
          const fresh = await foundBy(searchIn(session, reader, () => start));
          assert.equal([found.report, found.endpoints], [fresh.report, fresh.endpoints]);
          for (let one = 1; one <= id; one += 1)
            assert.equal(found.namesOf(one as ExchangeId), fresh.namesOf(one as ExchangeId));
          for (const kind of kindsOf(fresh)) kinds.add(kind);
        }),
      ),
      { numRuns: rounds(10) },
    );
    assert.ok(kinds.has("sequential-requests") && kinds.size >= (IS_QUICK ? 2 : 3), [...kinds].join());
  });

  test("given evicted rows, reads a share of the rest and says how many it left out", () =>
    withStored(VARIED, async ({ session, reader }) => {
      session.setRowCap(12);
      const found = await foundBy(searchIn(session, reader));
      assert.equal([found.report.exchanges, found.older], [9, VARIED.length - 9]);
    }));

  test("given nothing captured, ends without findings", async () => {
    const found = await foundBy(searchIn(new Session(), null));
    assert.equal([kindsOf(found), found.report.exchanges, found.older], [[], 0, 0]);
  });

  test("given findings, copies all of them or one as Markdown", () =>
    withStored(REPEATED, async ({ session, reader }) => {
      const search = searchIn(session, reader);
      assert.throws(() => findingsMarkdown(null, null), /still looking for findings/);
      const found = await foundBy(search);
      const all = findingsMarkdown(found, null);
      assert.ok(all.startsWith(`# Findings: ${basename(reader.folder)}\n`));
      assert.match(
        all,
        "\n**Where the time went**\n\n- 83 % of 1.9 s: the server of GET /report (1.6 s in 4 requests)\n",
      );
      const one = findingsMarkdown(found, found.records[0]?.key ?? "");
      assert.ok(all.includes(one.trimEnd()));
      assert.match(one, /^## 1\. /);
      assert.throws(() => findingsMarkdown(found, "another"), /not in the list/);
    }));
});

/** Four equal requests of 400 ms with equal responses, then others. */
const REPEATED: readonly Said[] = Array.from({ length: 20 }, (_, index) => ({
  sketch: {
    id: index + 1,
    target: index < 4 ? "/report" : `/items?page=${index}`,
    start: index * 1_000,
    end: index * 1_000 + (index < 4 ? 400 : 20),
  },
  responseHeaders: ["Content-Type: application/json", "Cache-Control: no-store"],
  responseBody: index < 4 ? '{"total":1}' : `{"page":${index}}`,
}));

/** One client that sends five requests in sequence, each 10 ms after the previous response. */
const WALK = [1, 2, 3, 4, 5].map((step) => ({
  gap: step === 1 ? 5_000 : 410,
  lasts: 400,
  target: `/step/${"abcde"[step - 1]}`,
  status: 200,
  client: "127.0.0.3",
}));

const VARIED: readonly Said[] = Array.from({ length: 24 }, (_, index) => ({
  sketch: { id: index + 1, target: `/items?page=${index}`, start: index * 3_100, end: index * 3_100 + 20 },
  responseBody: `{"page":${index}}`,
}));

function searchIn(
  session: Session,
  reader: SessionReader | null,
  until = () => Number.POSITIVE_INFINITY,
): SessionInsights {
  return new SessionInsights({
    session,
    reader: () => reader,
    chainGap: () => 300,
    until: () => until() as Instant,
    captured: () => session.revision,
    baseline: () => new Baseline([]),
    wasCutOff: false,
    onTrouble: () => {},
    spawn: inProcessAnalysis,
  });
}

/** Repeats the request until the search is complete; `before`: the number of exchanges in the result already known. */
async function foundBy(search: SessionInsights, before = -1): Promise<FoundFindings> {
  for (;;) {
    const { found, progress } = search.ranked();
    if (found !== null && progress === 1 && found.report.exchanges !== before) return found;
    await new Promise(setImmediate);
  }
}

function kindsOf({ records }: FoundFindings): readonly string[] {
  return records.map(({ kind }) => kind);
}
