import { basename } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { findingsMarkdown } from "../../../../extensions/proxy/engine-thread/commands/copied-findings.ts";
import { SessionFindings } from "../../../../extensions/proxy/engine-thread/commands/session-findings.ts";
import type { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import type { FoundFindings } from "../../../../src/engine/session/evaluation/found-findings.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { inProcessAnalysis } from "../../../support/in-process-analysis.ts";
import { IS_QUICK, rounds } from "../../../support/rounds.ts";
import { type Said, withStored } from "../../../support/stored.ts";

describe("the search for findings", (test) => {
  test("given a session that nobody asks about, looks for nothing", () =>
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

  test("copies all findings or one as Markdown", () =>
    withStored(REPEATED, async ({ session, reader }) => {
      const search = searchIn(session, reader);
      assert.throws(() => findingsMarkdown(null, session, null), /still looking for findings/);
      const found = await foundBy(search);
      const all = findingsMarkdown(found, session, null);
      assert.ok(all.startsWith(`# Findings: ${basename(reader.folder)}\n`));
      assert.match(
        all,
        "\n**Where the time went**\n\n- 83 % of 1.9 s: the server of GET /report (4 requests, 1.6 s)\n",
      );
      const one = findingsMarkdown(found, session, found.records[0]?.key ?? "");
      assert.ok(all.includes(one.trimEnd()));
      assert.match(one, /^## 1\. /);
      assert.throws(() => findingsMarkdown(found, session, "another"), /not in the list/);
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
): SessionFindings {
  return new SessionFindings({
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
async function foundBy(search: SessionFindings, before = -1): Promise<FoundFindings> {
  for (;;) {
    const { found, progress } = search.ranked();
    if (found !== null && progress === 1 && found.report.exchanges !== before) return found;
    await new Promise(setImmediate);
  }
}

function kindsOf({ records }: FoundFindings): readonly string[] {
  return records.map(({ kind }) => kind);
}
