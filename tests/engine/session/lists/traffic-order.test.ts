import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { TrafficColumn } from "../../../../src/engine/messages/traffic-messages.ts";
import { type Exchange, failedAfterOf, statusOf, timedLatencyOf } from "../../../../src/engine/model/exchange.ts";
import { phasesOf, waitOf } from "../../../../src/engine/model/phases.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { matchingExchanges } from "../../../../src/engine/session/lists/matching-exchanges.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { EVERYTHING, judgeOf } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

describe("traffic list order", (test) => {
  test("given any column and direction, sorts plainly, with missing values last and ties by start", () => {
    const keys: Readonly<Record<TrafficColumn, (one: Exchange) => number | string | null>> = {
      id: ({ id }) => id,
      startTime: ({ instants }) => instants.startTime,
      method: ({ method }) => method,
      status: ({ outcome }) => statusOf(outcome),
      path: ({ target }) => `/${target.split("?")[0]}`.replace("//", "/"),
      host: ({ origin }) => origin.split("://")[1] ?? "",
      type: ({ contentType }) => contentType,
      size: ({ encodedBodySize }) => encodedBodySize,
      latency: (one) => timedLatencyOf(one) ?? failedAfterOf(one),
      client: ({ client }) => client,
      protocol: ({ protocol }) => protocol,
      server: () => null,
      requestSize: ({ requestBodySize }) => requestBodySize,
      dns: ({ instants }) => phasesOf(instants).dns,
      connect: ({ instants }) => phasesOf(instants).connect,
      tls: ({ instants }) => phasesOf(instants).tls,
      ttfb: ({ instants, slowed }) => phasesOf(instants, null, slowed).ttfb,
      transfer: ({ instants, slowed }) => phasesOf(instants, null, slowed).transfer,
      weir: (one) => phasesOf(one.instants, waitOf(one)).weir,
    };
    const columns = fc.constantFrom(...(Object.keys(keys) as TrafficColumn[]));
    fc.assert(
      fc.property(
        anyExchanges(),
        columns,
        fc.boolean(),
        fc.nat(30),
        fc.nat(30),
        (made, column, descending, from, count) => {
          const session = recorded(made);
          const exchanges = [
            ...unwrap(
              matchingExchanges({ session, settings: DEFAULT_SETTINGS, headsOf: () => null, insights: null }, ""),
            ),
          ];
          const { from: begin = from, records } = new TrafficList(session, []).read(
            { column, descending },
            { from, count },
            judgeOf(session),
          );
          const key = keys[column];
          // Newest first is the reverse of oldest first, equal ones included.
          const byStart = column === "startTime" && descending ? exchanges.toReversed() : exchanges;
          const expected = byStart.toSorted((a, b) => compare(key(a), key(b), descending));
          assert.equal(
            records.map(({ id }) => id),
            expected.slice(begin, begin + count).map(({ id }) => id),
          );
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test("given a head that arrived late, orders by start time", () => {
    const session = recorded([1, 3, 2].map((id) => exchange({ id, start: 10 * id })));
    const list = new TrafficList(session, []);
    const { records } = list.read({ column: "startTime", descending: true }, EVERYTHING, judgeOf(session));
    assert.equal(
      records.map(({ id }) => id),
      [3, 2, 1],
    );
  });

  test("given client as the column, sorts by program if known, before addresses", () => {
    const session = new Session();
    const clients = [
      ["node", "127.0.0.1 b"],
      [null, "127.0.0.1 z"],
      ["curl", "127.0.0.1 z"],
      [null, "127.0.0.1 a"],
      ["curl", "127.0.0.1 a"],
    ] as const;
    for (const [index, [program, client]] of clients.entries())
      session.add(exchange({ id: index + 1, start: index, program, client }));
    const order = (descending: boolean) =>
      new TrafficList(session, [])
        .read({ column: "client", descending }, EVERYTHING, judgeOf(session))
        .records.map(({ id }) => id);
    assert.equal(order(false), [4, 2, 5, 3, 1]);
    assert.equal(order(true), [1, 3, 5, 2, 4]);
  });

  test("given server connections, each row names its server and sorts by it", () => {
    const session = new Session();
    for (const [connection, address] of ["192.0.2.9:443", "[2001:db8::1]:80"].entries()) {
      session.apply([{ type: "connection-opened", id: connection, at: instant(0), address, tls: null }]);
    }
    for (const [index, connection] of [0, 1, 0, 7].entries()) {
      session.apply(eventsOf(exchange({ id: index + 1, start: index, connection })));
    }
    const { records } = new TrafficList(session, []).read(
      { column: "server", descending: true },
      EVERYTHING,
      judgeOf(session),
    );
    assert.equal(
      records.map(({ id, server }) => [id, server]),
      [
        [2, "[2001:db8::1]:80"],
        [1, "192.0.2.9:443"],
        [3, "192.0.2.9:443"],
        [4, null],
      ],
    );
  });
});

function compare(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a === b) return 0;
  return a < b === descending ? 1 : -1;
}
