import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { NumberedQuestion, Part, Reply } from "../../../extensions/proxy/analysis-thread/analysis-messages.ts";
import { SessionAnalysis } from "../../../extensions/proxy/analysis-thread/session-analysis.ts";
import { baselineLatenciesOf } from "../../../extensions/proxy/export/baseline-latencies.ts";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { FindingSearch } from "../../../src/engine/insights/findings/index.ts";
import { repeatsOf } from "../../../src/engine/insights/findings/repeats.ts";
import { LinkedTraffic } from "../../../src/engine/insights/linked-traffic.ts";
import { pathGraphOf } from "../../../src/engine/insights/links/critical-paths.ts";
import { walksOf } from "../../../src/engine/insights/links/walks.ts";
import type { Tag } from "../../../src/engine/model/exchange.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { linkedFactsOf } from "../../../src/engine/report/linked-facts.ts";
import { chainRecordsOf } from "../../../src/engine/session/evaluation/chain-records.ts";
import { gainRecordsOf } from "../../../src/engine/session/evaluation/gain-records.ts";
import { groupRecordsOf } from "../../../src/engine/session/evaluation/grouping.ts";
import { markedRecordsOf } from "../../../src/engine/session/evaluation/marked-records.ts";
import { slowCauseRecordsOf } from "../../../src/engine/session/evaluation/slow-cause-search.ts";
import { whereFoundOf } from "../../../src/engine/session/evaluation/where-record.ts";
import { figuresOf } from "../../../src/engine/session/lists/figures.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { IS_QUICK, rounds } from "../../support/rounds.ts";
import { simulatedExperiment } from "../../support/simulated-experiments.ts";
import { withStored } from "../../support/stored.ts";

const PARTS: readonly Part[] = ["where", "groups", "chains", "gains", "marked", "repeats", "slowCauses", "ranked"];

/** The change that each question about gains asks for. */
const CHANGED = { exchanges: [3 as ExchangeId], endpoint: null, to: 5 };
const GAP = 300;
const UNIT_TAGS: readonly Tag[] = ["unit", "held"];
const FOREVER = Number.POSITIVE_INFINITY as Instant;

/** An analysis of the log, and the questions that it gets. `now`: its clock. */
function analysisOf(reader: SessionReader, now: () => number = () => 0) {
  const replies: Reply[] = [];
  let arrived: NumberedQuestion[] = [];
  let number = 0;
  let isFirst = true;
  const ask = (part: Part, more: Partial<NumberedQuestion> = {}) => {
    number += 1;
    arrived.push({
      number,
      part,
      chainGap: GAP,
      until: FOREVER,
      exchanges: 0,
      rowCap: 1_000,
      baseline: [],
      wantsPartial: true,
      ...(isFirst ? { grouping: null } : {}),
      ...(part === "gains" ? { changed: CHANGED } : {}),
      ...more,
    });
    isFirst = false;
  };
  const hooks = { onTake: () => {} };
  const analysis = new SessionAnalysis({
    start: { folder: reader.folder, wasCutOff: false, endedAt: null },
    take: () => {
      hooks.onTake();
      const taken = arrived;
      arrived = [];
      return taken;
    },
    tell: (reply) => replies.push(structuredClone(reply)),
    now,
  });
  return { ask, hooks, replies, run: () => analysis.run() };
}

/** The results about a recorded session, from all of it at once. */
async function resultsOf(session: Session, reader: SessionReader) {
  const found = await linkedFactsOf(session, reader, GAP);
  const { facts, links, refuted } = found;
  const known = new LinkedTraffic(facts, found, () => null);
  const { traffic, paths, units } = known;
  const options = { source: "", baseline: new Map(), paths, units };
  const covered = new FindingSearch(facts, [...links, ...refuted], options).findAll();
  return {
    where: whereFoundOf(known),
    groups: groupRecordsOf(session),
    chains: chainRecordsOf(walksOf(facts, found), pathGraphOf(facts, found), GAP),
    gains: gainRecordsOf(traffic, units, CHANGED),
    marked: markedRecordsOf(units.units, session.changeMarks),
    repeats: repeatsOf(traffic),
    slowCauses: slowCauseRecordsOf(session, traffic),
    ranked: { ...covered.report, source: "" },
    covers: covered.covers.map((ids) => [...ids].sort((one, other) => one - other)),
  };
}

describe("session analysis", (test) => {
  test("given traffic that is written by and by, answers what one reading of the whole session finds", async () => {
    const sketch = fc.record({
      gap: fc.integer({ min: 0, max: 900 }),
      lasts: fc.constantFrom(20, 50, 400, 1_500),
      target: fc.constantFrom("/report", "/items?page=1", "/items?page=2", "/orders/7/lines", "/orders/8/lines"),
      status: fc.constantFrom(200, 200, 200, 302, 429, 503),
      client: fc.constantFrom("127.0.0.1", "127.0.0.2"),
    });
    const parts = fc.array(fc.array(sketch, { minLength: 1, maxLength: 25 }), { minLength: 2, maxLength: 3 });
    let [findings, groups, walks] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(parts, fc.shuffledSubarray([...PARTS]), (drawn, early) =>
        withStored([{ sketch: { id: 1, end: 20 } }], async ({ session, reader, capture }) => {
          const { ask, run, replies } = analysisOf(reader);
          let [id, start] = [1, 100];
          for (const part of drawn) {
            for (const { gap, lasts, ...rest } of part) {
              start += gap;
              id += 1;
              capture(eventsOf(exchange({ id, start, end: start + lasts, ...rest })));
            }
            start += 2_000;
            // Exchanges that are written later start after all known ones.
            for (const one of early) ask(one, { until: start as Instant });
            await run();
          }
          replies.length = 0;
          const fresh = analysisOf(reader);
          for (const one of PARTS) {
            ask(one);
            fresh.ask(one);
          }
          await run();
          await fresh.run();
          const expected = await resultsOf(session, reader);
          // A result that is the same as the last one is not sent again.
          const sameAsBefore = early.includes("ranked") ? ["ranked"] : [];
          for (const reply of [...replies, ...fresh.replies]) {
            assert.ok(reply.isFinal && reply.isSettled && reply.progress === 1);
            if (reply.part === "comparison" || reply.part === "difference") throw new Error("nobody asked");
            if (reply.part !== "ranked") assert.equal(reply.records, expected[reply.part], reply.part);
            else if (reply.records !== null) {
              assert.equal({ ...reply.records.report, source: "" }, expected.ranked);
              assert.equal(
                reply.records.covers.map((ids) => [...ids]),
                expected.covers,
              );
            } else assert.equal(sameAsBefore, ["ranked"]);
          }
          assert.is(replies.length + fresh.replies.length, 2 * PARTS.length);
          findings += expected.ranked.findings.length;
          groups += expected.groups.groups.length;
          walks += expected.chains.walks.length;
        }),
      ),
      { numRuns: rounds(15) },
    );
    assert.ok(IS_QUICK || (findings > 0 && groups > 0 && walks > 0), `${findings} ${groups} ${walks}`);
  });

  test("given a search for causes that lasts, answers meanwhile where the time of new exchanges went", () =>
    withStored([{ sketch: { id: 1, end: 50 } }], async ({ reader, capture }) => {
      let time = 0;
      const { ask, run, hooks, replies } = analysisOf(reader, () => (time += 300));
      ask("where");
      await run();
      ask("ranked");
      let looks = 0;
      hooks.onTake = () => {
        looks += 1;
        if (looks !== 4) return;
        capture(eventsOf(exchange({ id: 2, start: 100, end: 140 })));
        ask("where");
      };
      await run();
      assert.equal(
        replies.map((reply) => [reply.part, reply.part === "where" ? reply.records.exchanges : null]),
        [
          ["where", 1],
          ["where", 2],
          ["ranked", null],
        ],
      );
    }));

  test("given a first reading that lasts, answers in its first half with what is read, if that is wanted", () =>
    withStored(
      Array.from({ length: 40 }, (_, index) => ({
        sketch: { id: index + 1, start: index * 100, end: index * 100 + 20 },
      })),
      async ({ reader }) => {
        for (const wantsPartial of [true, false]) {
          let time = 0;
          const { ask, run, replies } = analysisOf(reader, () => (time += 300));
          ask("chains", { wantsPartial });
          ask("groups");
          await run();
          assert.is(replies.shift()?.part, "groups");
          const shares = replies.map(({ progress }) => progress);
          assert.is(shares.length > 1, wantsPartial);
          assert.ok(shares.slice(0, -1).every((share) => share <= 0.5));
          assert.equal(
            shares,
            shares.toSorted((one, other) => one - other),
          );
          assert.equal(
            replies.map(({ isFinal }) => isFinal),
            shares.map((share) => share === 1),
          );
        }
      },
    ));

  test("given exchanges that the log lacks, counts them as not examined", () =>
    withStored([{ sketch: { id: 1, end: 50 } }], async ({ reader }) => {
      const { ask, run, replies } = analysisOf(reader);
      ask("ranked", { exchanges: 4 });
      await run();
      assert.is(replies[0]?.leftOut, 3);
    }));

  test("given another grouping of paths, names the endpoints by it", () =>
    withStored(
      [1, 2, 3].map((id) => ({ sketch: { id, target: `/tags/${"abc"[id - 1]}`, start: id * 100, end: id * 100 + 9 } })),
      async ({ reader }) => {
        const { ask, run, replies } = analysisOf(reader);
        const rule = { host: null, segments: ["tags", "*"], apart: false };
        ask("chains", { grouping: { rules: [], folds: [] } });
        await run();
        ask("chains", { grouping: { rules: [rule], folds: [] } });
        await run();
        const endpoints = replies.map(
          (reply) =>
            reply.part === "chains" && reply.records.walks[0]?.longest.steps.map(({ endpoint }) => endpoint.path),
        );
        assert.equal(endpoints, [
          ["/tags/a", "/tags/b", "/tags/c"],
          ["/tags/{id}", "/tags/{id}", "/tags/{id}"],
        ]);
      },
    ));

  test("given an experiment that ends, answers by its links, what-if too, though no traffic is new", () =>
    withStored(
      [0, 1, 2].flatMap((walk) => {
        const at = 10_000 * walk;
        return [
          { sketch: { id: 2 * walk + 1, target: "/prices", start: at, end: at + 40 } },
          { sketch: { id: 2 * walk + 2, target: "/names", start: at + 45, end: at + 60 } },
        ];
      }),
      async ({ reader, capture }) => {
        const { ask, run, replies } = analysisOf(reader);
        const link = async (byLinks: number) => {
          ask("chains");
          ask("gains");
          ask("ranked");
          await run();
          const [chains, gains, ranked] = replies.splice(0);
          assert.ok(ranked?.part === "ranked" && ranked.records !== null);
          assert.equal(gains?.part === "gains" && gains.records.walks?.median, { byLinks, atMost: 35 });
          return chains?.part === "chains" ? chains.records.links : "";
        };
        assert.match(await link(0), /"basis":"order"/);
        const later = { endpoint: "GET https://api.test/names", follows: 1, asked: 1 };
        const { ended } = simulatedExperiment(3, [later]);
        capture([{ type: "experiment-ended", at: 100 as Instant, experiment: ended }]);
        const links = await link(35);
        assert.match(links, /"kind":"proven","basis":"experiment"/);
        assert.not.match(links, /"basis":"order"/);
      },
    ));

  test("given requests in units of experiments, answers as if they had not been sent", async () => {
    const sketch = fc.record({
      gap: fc.integer({ min: 0, max: 900 }),
      lasts: fc.constantFrom(20, 60, 400, 1_500),
      target: fc.constantFrom("/report", "/items?page=1", "/items?page=2", "/orders/7", "/orders/8"),
      status: fc.constantFrom(200, 200, 302, 404, 429, 503),
      isHeld: fc.boolean(),
    });
    let [walks, findings] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(sketch, { minLength: 20, maxLength: 50 }), async (drawn) => {
        let start = 0;
        const made = drawn.map(({ gap, lasts, isHeld, ...rest }, index) => {
          start += gap;
          const tags = isHeld ? UNIT_TAGS.slice(0, 1 + (index % 2)) : [];
          // Held ones get the highest ids, so that the others have the same rows in both sessions.
          const id = index + 1 + (isHeld ? drawn.length : 0);
          return exchange({ ...rest, id, start, end: start + lasts, tags });
        });
        made.sort((one, other) => one.id - other.id);
        const first = { sketch: { id: 100, start: 90_000, end: 90_010 } };
        const answers = async (exchanges: typeof made) => {
          let found: unknown;
          await withStored([first], async ({ session, reader, capture }) => {
            for (const one of exchanges) capture(eventsOf({ ...one, id: (one.id + 100) as ExchangeId }));
            const { ask, run, replies } = analysisOf(reader);
            for (const part of PARTS) ask(part);
            await run();
            for (const reply of replies) {
              if (reply.part === "chains") walks += reply.records.walks.length;
              if (reply.part === "ranked") findings += reply.records?.report.findings.length ?? 0;
            }
            const records = replies.map((reply) =>
              reply.part === "ranked" ? { ...reply.records?.report, source: "" } : reply.records,
            );
            const latencies = session.tallies
              .counted()
              .map((tally) => ({ endpoint: tally.endpoint, requests: tally.requests, count: tally.latencies.count }));
            const baseline = await baselineLatenciesOf(() => SessionReader.open(reader.folder), ["a"]);
            found = [records, latencies, [...baseline], { ...figuresOf(session), start: 0, exchanges: 0 }];
          });
          return found;
        };
        const counted = made.filter(({ tags }) => tags.length === 0);
        assert.equal(await answers(made), await answers(counted));
      }),
      { numRuns: rounds(10) },
    );
    assert.ok(IS_QUICK || (walks > 0 && findings > 0), `${walks} ${findings}`);
  });
});
