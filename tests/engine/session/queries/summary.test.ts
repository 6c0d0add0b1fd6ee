import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Summary } from "../../../../src/engine/messages/status-messages.ts";
import {
  type Exchange,
  isError,
  timedLatencyOf,
  UNCOUNTED_TAGS,
  UNTIMED_TAGS,
} from "../../../../src/engine/model/exchange.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { summaryOf } from "../../../../src/engine/session/queries/summary.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, instant, plainPercentile } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

function summaryAt(session: Session, now: number): Summary {
  return summaryOf(session, new InsightEvaluator(session, DEFAULT_SETTINGS), instant(now));
}

/** In `eventsOf` the response is immediate. */
function countedAt({ tags, outcome, instants, endTime }: Exchange): number | null {
  const lasts = outcome?.status === 101 || tags.some((tag) => UNTIMED_TAGS.includes(tag));
  const stood = lasts && (outcome?.status ?? 999) < 400;
  return stood ? instants.startTime : endTime;
}

describe("session summary", (test) => {
  test("given an empty session, the figures are null and the lists empty", () => {
    const { sessionStart, errorRate, p95, overheadP95, ratePerMinute, slices, hosts } = summaryAt(recorded([]), 5);
    assert.equal([sessionStart, errorRate, p95, overheadP95, ratePerMinute], [null, null, null, null, 0]);
    assert.equal([slices, hosts], [[], []]);
  });

  test("given any exchanges, figures and slices equal their plain definitions", () => {
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
        const errors = counted.filter(({ outcome }) => isError(outcome)).length;
        assert.equal([summary.counted, summary.errors], [counted.length, errors]);
        assert.is(summary.errorRate, counted.length === 0 ? null : (errors / counted.length) * 100);
        assert.is(summary.exchanges, exchanges.length);
        assert.ok(summary.slices.length <= 60);
        for (const { at, ...slice } of summary.slices) {
          const isWithin = (time: number | null): boolean =>
            time !== null && time >= at && time < at + summary.sliceLength;
          const those = counted.filter((one) => isWithin(countedAt(one)));
          assert.is(slice.requests, those.length);
          assert.is(slice.errors, those.filter(({ outcome }) => isError(outcome)).length);
          assert.is(slice.p95, p95(samples.filter(({ endTime }) => isWithin(endTime))));
        }
      }),
    );
  });

  test("given a WebSocket, counts request and failure in its opening slice and bytes in its last", () => {
    const outcome = { kind: "failed", errorType: "server-closed", detail: "It is gone.", status: 101 } as const;
    const socket = exchange({ start: 500, end: 9_000, outcome, encodedBodySize: 70, tags: ["websocket"] });
    const others = [1, 2, 3].map((id) => exchange({ id: 1 + id, start: 3_000 * id, end: 3_000 * id + 100 }));
    const { slices } = summaryAt(recorded([socket, ...others]), 9_000);
    assert.equal(
      slices.flatMap(({ requests, errors, bytes }, at) =>
        requests + bytes > 0 ? [[at, requests, errors, bytes]] : [],
      ),
      [
        [0, 1, 1, 0],
        [2, 1, 0, 0],
        [5, 1, 0, 0],
        [8, 1, 0, 70],
      ],
    );
  });

  test("given requests, the rate is that of the last minute, or since a younger session's start", () => {
    const session = recorded(
      Array.from({ length: 90 }, (_, index) => exchange({ id: index + 1, start: 1_000 * index })),
    );
    assert.is(summaryAt(session, 89_000).ratePerMinute, 61);
    assert.is(summaryAt(session, 300_000).ratePerMinute, 0);
    const young = recorded([exchange({ id: 1, start: 0 }), exchange({ id: 2, start: 100, tags: ["probe"] })]);
    assert.is(summaryAt(young, 200).ratePerMinute, 60);
    assert.is(summaryAt(young, 30_000).ratePerMinute, 2);
  });

  test("given an ended session, the rate is that of its last minute at any later time", () => {
    const session = recorded([exchange({ id: 1, start: 0 }), exchange({ id: 2, start: 29_000 })]);
    session.freeze(instant(30_000));
    const { ratePerMinute, sessionEnd } = summaryAt(session, 1e9);
    assert.equal([ratePerMinute, sessionEnd], [4, 30_000]);
  });

  test("given a file in any order, the session starts with the earliest exchange, and its slices hold all of them", () => {
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

  test("given hosts with several schemes, counts each host once, most used first", () => {
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
