import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import type { Archive } from "../../../../src/engine/session/queries/context.ts";
import {
  clientSharingOf,
  exchangeDetailOf,
  serverSharingOf,
} from "../../../../src/engine/session/queries/exchange-detail.ts";
import { eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { EMPTY_ARCHIVE, recorded } from "../../../support/recorded.ts";

describe("exchange detail", (test) => {
  test("given an exchange, joins its stored heads and bodies, connection and endpoint", () => {
    const made = [10, 10, 10, 10, 90].map((end, index) =>
      exchange({
        id: index + 1,
        end,
        connection: 3,
        clientConnection: 2,
        requestBodySize: 7,
        encodedBodySize: 20,
        instants: { requestEnd: 4 },
      }),
    );
    const session = recorded(made.slice(0, 4));
    const clientTls = { version: "TLSv1.2", cipher: "X", alpn: null, resumed: false };
    session.apply([
      { type: "client-secured", connection: 2, at: instant(0), tls: clientTls },
      { type: "connection-opened", id: 3, at: instant(0), address: "192.0.2.7:443", tls: null },
      ...made.slice(4).flatMap(eventsOf),
    ]);
    const archive: Archive = {
      ...EMPTY_ARCHIVE,
      headsOf: () => ({ target: "/", request: "POST / HTTP/1.1\r\nContent-Type: a/b; c=d\r\n\r\n", response: null }),
      bodyOf: (_, side) => ({ kept: side === "request" ? 7 : 15 }),
      messageCount: () => 2,
      prepareMessages: () => true,
      messagesOf: () => [],
    };
    const detail = exchangeDetailOf(
      session,
      archive,
      exchange({ id: 5 }).id,
      new InsightEvaluator(session, DEFAULT_SETTINGS),
    );
    assert.equal(detail?.requestBody, { size: 7, kept: 7, contentType: "a/b; c=d", contentEncoding: null });
    assert.equal(detail?.responseBody, { size: 20, kept: 15, contentType: null, contentEncoding: null });
    assert.equal(detail?.clientTls, clientTls);
    assert.equal(detail?.server, { address: "192.0.2.7:443", tls: null });
    assert.equal([detail?.latency, detail?.upload, detail?.phases.weir, detail?.messages], [90, 4, 0, 2]);
    assert.is(detail?.slow?.cause?.phase, "ttfb");
    assert.is(detail?.stats?.requests, 5);
  });

  test("given missing files, the detail has empty heads; given an evicted row, there is no detail", () => {
    const session = recorded([exchange({ id: 1 }), exchange({ id: 2, connection: null, reused: null })], 1);
    const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
    assert.is(exchangeDetailOf(session, EMPTY_ARCHIVE, exchange({ id: 1 }).id, evaluator), null);
    const detail = exchangeDetailOf(session, EMPTY_ARCHIVE, exchange({ id: 2 }).id, evaluator);
    assert.equal([detail?.requestHead, detail?.responseHead, detail?.server], ["", null, null]);
  });
});

const ALONE = { others: 0, more: false, openedBy: null };

describe("shared connection of an exchange", (test) => {
  test("given a server connection, counts other exchanges on it at the same time and names its opener", () => {
    const session = recorded([
      exchange({ id: 1, start: 0, end: 10, connection: 3, stream: 1, reused: false, target: "/x" }),
      exchange({ id: 2, start: 8, end: 30, connection: 3, stream: 3 }),
      exchange({ id: 3, start: 9, end: 30, connection: 4, stream: 1 }),
      exchange({ id: 4, start: 20, end: 25, connection: 3, stream: 5 }),
      exchange({ id: 5, start: 31, end: 40, connection: 3, stream: 7 }),
      { ...exchange({ id: 6, start: 31, end: 40 }), connection: null, reused: null },
    ]);
    const openedBy = { method: "GET", target: "/x" };
    assert.equal(serverSharingOf(session, 0), { ...ALONE, others: 1 });
    // One ended before the other started.
    assert.equal(serverSharingOf(session, 1), { others: 1, more: false, openedBy });
    assert.equal(serverSharingOf(session, 2), ALONE);
    assert.equal(serverSharingOf(session, 4), { others: 0, more: false, openedBy });
  });

  test("given an exchange without a connection, shares nothing", () => {
    const bare = { ...exchange({ id: 1 }), connection: null, reused: null };
    const session = recorded([bare]);
    assert.equal([serverSharingOf(session, 0), clientSharingOf(session, 0)], [null, null]);
  });

  test("given a client connection, counts exchanges in flight too, to any server", () => {
    const session = recorded([
      exchange({ id: 1, start: 0, end: null, clientConnection: 2, clientStream: 1 }),
      exchange({ id: 2, start: 5, end: 9, connection: 8, clientConnection: 2, clientStream: 3 }),
      exchange({ id: 3, start: 6, end: 9, connection: 9, clientConnection: 1 }),
    ]);
    assert.equal(clientSharingOf(session, 1), { ...ALONE, others: 1 });
    assert.equal(clientSharingOf(session, 0), { ...ALONE, others: 1 });
    assert.equal(clientSharingOf(session, 2), ALONE);
  });

  test("given any order of arrival, the number of sharers equals its plain definition", () => {
    const sketch = fc.record({ start: fc.nat(60), length: fc.nat(20), connection: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 30 }), fc.boolean(), (sketches, inOrder) => {
        const sorted = inOrder ? sketches.toSorted((a, b) => a.start - b.start) : sketches;
        const made = sorted.map(({ start, length, connection }, index) =>
          exchange({ id: index + 1, start, end: start + length, connection, stream: 2 * index + 1 }),
        );
        const session = recorded(made);
        for (const [row, one] of made.entries()) {
          const others = made.filter(
            (each) => each !== one && each.connection === one.connection && overlap(each, one),
          );
          // At each start; the number cannot be larger anywhere else.
          const counts = [one, ...others].map(({ instants }) => {
            const at = Math.max(instants.startTime, one.instants.startTime);
            return others.filter((each) => each.instants.startTime <= at && (each.endTime ?? 0) > at).length;
          });
          assert.equal(serverSharingOf(session, row), { ...ALONE, others: Math.max(...counts) });
        }
      }),
    );
  });

  test(
    "given a long session, looks at only a part and says so",
    () => {
      const made = Array.from({ length: 12_000 }, (_, index) =>
        exchange({ id: index + 1, start: index, end: index + 1.5, connection: 1, stream: 2 * index + 1, reused: true }),
      );
      assert.equal(serverSharingOf(recorded(made), 11_500), { others: 1, more: true, openedBy: null });
      const opened = made.map((one, row) => (row === 11_000 ? { ...one, reused: false, target: "/first" } : one));
      assert.equal(serverSharingOf(recorded(opened), 11_500), {
        others: 1,
        more: false,
        openedBy: { method: "GET", target: "/first" },
      });
    },
    { isLong: true },
  );
});

function overlap(a: Exchange, b: Exchange): boolean {
  return a.instants.startTime < (b.endTime ?? 0) && b.instants.startTime < (a.endTime ?? 0);
}
