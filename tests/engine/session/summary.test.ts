import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Summary } from "../../../src/engine/messages/status-messages.ts";
import { UNCOUNTED_TAGS } from "../../../src/engine/model/exchange.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { Judge } from "../../../src/engine/session/judge.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { SlowCounter } from "../../../src/engine/session/slow-list.ts";
import { summaryOf } from "../../../src/engine/session/summary.ts";
import { timedLatencyOf } from "../../../src/engine/stats/endpoint-tally.ts";
import { anyExchanges, instant, plainPercentile } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";

function summaryAt(session: Session, now: number): Summary {
  return summaryOf(session, new SlowCounter(session), new Judge(session, DEFAULT_SETTINGS), instant(now));
}

describe("summary", (test) => {
  test("nothing captured is nothing claimed", () => {
    const { sessionStart, errorRate, p95, overheadP95, ratePerMinute, slices, hosts } = summaryAt(recorded([]), 5);
    assert.equal([sessionStart, errorRate, p95, overheadP95, ratePerMinute], [null, null, null, null, 0]);
    assert.equal([slices, hosts], [[], []]);
  });

  test("figures and slices are those of the plain definitions", () => {
    fc.assert(
      fc.property(anyExchanges(120), (exchanges) => {
        const summary = summaryAt(recorded(exchanges), 1e6);
        const counted = exchanges.filter(
          ({ outcome, tags }) => outcome !== null && !tags.some((tag) => UNCOUNTED_TAGS.includes(tag)),
        );
        const samples = counted.filter(({ outcome }) => outcome?.kind === "responded");
        const p95 = (some: typeof samples): number | null =>
          plainPercentile(
            some.flatMap((one) => timedLatencyOf(one) ?? []),
            0.95,
          );
        assert.is(summary.p95, p95(samples));
        assert.is(
          summary.bytes,
          counted.reduce((sum, one) => sum + one.requestBodySize + one.encodedBodySize, 0),
        );
        assert.is(summary.exchanges, exchanges.length);
        assert.ok(summary.slices.length <= 60);
        for (const { at, ...slice } of summary.slices) {
          const within = ({ endTime }: { endTime: number | null }): boolean =>
            endTime !== null && endTime >= at && endTime < at + summary.sliceLength;
          assert.is(slice.requests, counted.filter(within).length);
          assert.is(slice.p95, p95(samples.filter(within)));
        }
      }),
    );
  });

  test("the rate is of requests that began in the last minute, or since the session began", () => {
    const session = recorded(
      Array.from({ length: 90 }, (_, index) => exchange({ id: index + 1, start: 1_000 * index })),
    );
    assert.is(summaryAt(session, 89_000).ratePerMinute, 61);
    assert.is(summaryAt(session, 300_000).ratePerMinute, 0);
    const young = recorded([exchange({ id: 1, start: 0 }), exchange({ id: 2, start: 100, tags: ["probe"] })]);
    assert.is(summaryAt(young, 200).ratePerMinute, 60);
    assert.is(summaryAt(young, 30_000).ratePerMinute, 2);
  });

  test("of a session that has ended the rate is that of its last minute, whenever it is asked for", () => {
    const session = recorded([exchange({ id: 1, start: 0 }), exchange({ id: 2, start: 29_000 })]);
    session.end(instant(30_000));
    const { ratePerMinute, sessionEnd } = summaryAt(session, 1e9);
    assert.equal([ratePerMinute, sessionEnd], [4, 30_000]);
  });

  test("however the exchanges of a file are ordered, the session starts with the earliest and its slices hold them all", () => {
    for (const apart of [1_000, 10_000]) {
      const exchanges = Array.from({ length: 50 }, (_, index) => exchange({ id: index + 1, start: apart * index }));
      const { sessionStart, slices } = summaryAt(recorded(exchanges), 0);
      const reversed = summaryAt(recorded(exchanges.toReversed()), 0);
      assert.is(reversed.sessionStart, sessionStart);
      assert.is(
        reversed.slices.reduce((sum, { requests }) => sum + requests, 0),
        50,
      );
      if (apart === 1_000) assert.equal(reversed.slices, slices);
      else assert.ok(reversed.slices.length > 20 && reversed.slices.length <= 60);
    }
  });

  test("hosts are counted whatever the scheme, the most used first", () => {
    const origins = ["https://a.test", "http://b.test", "http://a.test", "https://a.test", "https://c.test:8443"];
    const session = recorded(origins.map((origin, index) => exchange({ id: index + 1, origin })));
    const { hosts, hostCount } = summaryAt(session, 0);
    assert.equal(hosts, [
      { host: "a.test", exchanges: 3 },
      { host: "b.test", exchanges: 1 },
      { host: "c.test:8443", exchanges: 1 },
    ]);
    assert.is(hostCount, 3);
  });
});
