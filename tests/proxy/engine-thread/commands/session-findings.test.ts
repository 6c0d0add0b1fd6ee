import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { SessionFindings } from "../../../../extensions/proxy/engine-thread/commands/session-findings.ts";
import type { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import type { ChainsFound } from "../../../../src/engine/session/evaluation/findings.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { inProcessAnalysis } from "../../../support/in-process-analysis.ts";
import { withStored } from "../../../support/stored.ts";

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

describe("findings of a session", (test) => {
  test("nothing is looked for until somebody asks", () =>
    withStored(PAIR, async ({ session, reader }) => {
      const { findings } = findingsOf(session, reader);
      assert.is(findings.version, 0);
    }));

  test("given questions that are asked once, answers them, and refuses with a sentence what cannot be answered", () =>
    withStored(
      Array.from({ length: 12 }, (_, index) => ({
        sketch: { id: index + 1, start: index * 1_000, end: index * 1_000 + 50, target: "/a" },
      })),
      async ({ session, reader }) => {
        const { findings } = findingsOf(session, reader);
        const { one, other } = await findings.comparison({ exchange: 1 as ExchangeId, other: 2 as ExchangeId });
        assert.equal([one.id, other.id], [1, 2]);
        const { chosen, others } = await findings.difference({ ids: Float64Array.of(1, 2, 3), isByTime: false });
        assert.equal([chosen, others], [3, 9]);
        const refused = findings.comparison({ exchange: 1 as ExchangeId, other: 99 as ExchangeId });
        const problem = await refused.then(
          () => "",
          ({ message }: Error) => message,
        );
        assert.match(problem, /Choose another one/);
      },
    ));

  test("links are proven by bodies, decoded, and by heads", () =>
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

  test("what is captured later is found too, and another chain gap begins anew", () =>
    withStored(PAIR, async ({ session, reader, capture }) => {
      let now = 195;
      const { findings, setGap } = findingsOf(session, reader, () => now as Instant);
      await changed(findings, () => findings.chains());
      assert.is(findings.chains().walks[0]?.longest.steps.length, 2);
      capture(eventsOf(exchange({ id: 3, start: 100, end: 130 })));
      now = 1_000;
      await changed(findings, () => findings.chains());
      assert.is(findings.chains().walks[0]?.longest.steps.length, 3);
      setGap(0);
      await changed(findings, () => findings.chains());
      assert.equal([findings.chains().walks.length, findings.chains().chainGap], [0, 0]);
    }));

  test("what ended a moment ago is found although nothing happens any more, and nobody asks again", () =>
    withStored(PAIR, async ({ session, reader }) => {
      let now = 90;
      const { findings } = findingsOf(session, reader, () => now as Instant);
      await changed(findings, () => findings.chains());
      now = 1_000;
      await changed(findings, () => {});
      assert.is(findings.chains().walks[0]?.longest.steps.length, 2);
    }));

  test("given a change, tells what walks gain, and tells it again for what is captured later", () =>
    withStored(turnsOf(3, 0), async ({ session, reader, capture }) => {
      let now = 14_000;
      const { findings } = findingsOf(session, reader, () => now as Instant);
      const change = { exchange: 1 as ExchangeId, endpoint: null, to: 10 };
      assert.is(findings.gains(change), null);
      await changed(findings, () => findings.gains(change));
      // The second request of each turn follows the first one, without a proven link.
      const each = { byLinks: 0, atMost: 40 };
      assert.equal(findings.gains(change)?.step, { unit: "walk", duration: 110, took: 50, gain: each });
      assert.equal(findings.gains(change)?.walks?.units, 3);
      for (const { sketch } of turnsOf(1, 3)) capture(eventsOf(exchange(sketch)));
      now = 50_000;
      while (findings.gains(change)?.walks?.units !== 4) await changed(findings, () => findings.gains(change));
      assert.equal(findings.gains(change)?.walks?.sum, { byLinks: 0, atMost: 160 });
      assert.is(findings.gains({ ...change, to: 20 }), null);
    }));

  test("given marks, compares A with B, and again for what is captured later; given none, does not search", () =>
    withStored(turnsOf(3, 0), async ({ session, reader, capture }) => {
      let now = 14_000;
      const { findings } = findingsOf(session, reader, () => now as Instant);
      assert.equal(findings.marked(), []);
      capture([{ type: "change-marked", at: instant(0), mark: "A" }]);
      assert.is(findings.marked(), null);
      await changed(findings, () => findings.marked());
      assert.equal(findings.marked()?.[0]?.counts, { A: 3, B: 0 });
      capture([{ type: "change-marked", at: instant(14_000), mark: "B" }]);
      for (const { sketch } of turnsOf(4, 3)) capture(eventsOf(exchange(sketch)));
      now = 50_000;
      while (findings.marked()?.[0]?.counts.B !== 4) await changed(findings, () => findings.marked());
      assert.equal(findings.marked()?.[0]?.counts, { A: 3, B: 4 });
    }));

  test("repeats are told by the bodies of requests and responses", () =>
    withStored(
      ["a=1", "a=2", "a=1"].map((requestBody, index) => ({
        sketch: { id: index + 1, start: index * 100, end: index * 100 + 50, method: "POST" },
        requestBody,
        responseBody: "done",
      })),
      async ({ session, reader }) => {
        const { findings } = findingsOf(session, reader);
        await changed(findings, () => findings.repeats());
        assert.equal(
          findings.repeats().repeats.map(({ kind, exchanges, bytes }) => [kind, exchanges, bytes]),
          [["duplicate-requests", [3], 4]],
        );
      },
    ));

  test("given an exchange in flight, tells where the time of those went that ended meanwhile", () =>
    withStored(PAIR, async ({ session, reader, capture }) => {
      const { findings } = findingsOf(session, reader, () => 4_000 as Instant);
      capture(eventsOf(exchange({ id: 3, start: 100, end: 6_000 })).slice(0, 1));
      capture(eventsOf(exchange({ id: 4, start: 200, end: 250 })));
      while (findings.where()?.exchanges !== 3) await new Promise(setImmediate);
    }));

  test("given two requests that overlap, finds their group", () =>
    withStored(
      [{ sketch: { id: 1, end: 50 } }, { sketch: { id: 2, start: 20, end: 90 } }],
      async ({ session, reader }) => {
        const { findings } = findingsOf(session, reader);
        await changed(findings, () => findings.groups());
        assert.is(findings.groups().groupOf(2 as ExchangeId), 1);
      },
    ));

  test("slow requests are compared by their heads", () =>
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
        const { findings } = findingsOf(session, reader);
        await changed(findings, () => findings.slowCauses());
        const [cause] = findings.slowCauses().causesOf(1);
        assert.equal(cause?.attribute, { name: "response-header:x-cache", value: "MISS" });
        assert.equal([cause?.members.length, cause?.compared], [12, 60]);
        assert.equal([findings.slowCauses().placeOf(0), findings.slowCauses().placeOf(1)], [0, "none"]);
      },
    ));

  test("given a session that was searched completely, publishes no partial results while its new exchanges are read", () =>
    withStored(
      Array.from({ length: 60 }, (_, index) => ({
        sketch: { id: index + 1, start: index * 1_000, end: index * 1_000 + 20 },
      })),
      async ({ session, reader }) => {
        let now = 5_000;
        const { findings } = findingsOf(session, reader, () => now as Instant, slowClock());
        const seen = new Set<number>();
        const isRead = (row: number) => findings.slowCauses().placeOf(row) !== "unknown";
        const untilRead = async (row: number) => {
          while (!isRead(row)) {
            seen.add(findings.slowCauses().progress);
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
function findingsOf(session: Session, reader: SessionReader, until: () => Instant = () => FOREVER, now?: () => number) {
  let gap = 300;
  const findings = new SessionFindings({
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
    findings,
    setGap: (value: number) => {
      gap = value;
    },
  };
}

async function chainsOf(session: Session, reader: SessionReader): Promise<ChainsFound> {
  const { findings } = findingsOf(session, reader);
  await changed(findings, () => findings.chains());
  return findings.chains();
}

/** Sends the request, and waits until there are new findings. */
async function changed(findings: SessionFindings, ask: () => unknown): Promise<void> {
  const { version } = findings;
  ask();
  while (findings.version === version) await new Promise((resolve) => setTimeout(resolve, 5));
}
