import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent, ConnectionOpened } from "../../../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { ServerConnections } from "../../../../src/engine/session/table/server-connections.ts";
import { anyExchanges, eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { BY_ID, EVERYTHING, filter, judgeOf } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";

const opened = (id: number): ConnectionOpened => ({
  type: "connection-opened",
  id,
  at: instant(0),
  address: "192.0.2.1:443",
  tls: null,
});

describe("server connections", (test) => {
  test("given more than 4,000 connections, keeps the facts of the latest", () => {
    const session = new Session();
    session.apply(Array.from({ length: 4_001 }, (_, id) => opened(id)));
    assert.is(session.connections.factsOf(0), null);
    assert.is(session.connections.factsOf(4_000)?.address, "192.0.2.1:443");
  });

  test("given more than 100,000 connections, keeps the addresses of the latest", () => {
    const connections = new ServerConnections();
    for (let id = 0; id <= 100_000; id += 1) connections.open(opened(id), 7);
    assert.equal(
      [0, 1, 100_000, 100_001].map((id) => connections.addressOf(id)),
      [0, 7, 7, 0],
    );
  });

  test("given connections, keeps the exchange that opened each of the latest 4,000", () => {
    const connections = new ServerConnections();
    for (let id = 0; id <= 4_000; id += 1) connections.openedFor(id, (id + 10) as ExchangeId);
    assert.equal(
      [0, 1, 4_000, 4_001].map((id) => connections.openerOf(id)),
      [null, 11, 4_010, null],
    );
  });
});

const named = (connection: number, program: string): CaptureEvent => ({ type: "client-named", connection, program });

const NAMES: ReadonlyMap<number | null, string> = new Map([
  [1, "curl"],
  [2, "node"],
]);

describe("client programs of connections", (test) => {
  test("given a program that becomes known at any time, all rows of its connection have it", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.array(fc.nat()), (exchanges, places) => {
        const events = exchanges.flatMap(eventsOf);
        for (const [connection, program] of NAMES) {
          const position = (places[connection as number] ?? 0) % (events.length + 1);
          events.splice(position, 0, named(connection as number, program));
        }
        const session = new Session();
        for (const event of events) session.apply([event]);
        for (const { id, clientConnection } of exchanges)
          assert.is(session.exchange(id)?.program, NAMES.get(clientConnection) ?? null);
      }),
    );
  });

  test("given a program that becomes known late, updates lists, and a repetition changes nothing", () => {
    const session = recorded([1, 2, 1].map((clientConnection, index) => exchange({ id: index + 1, clientConnection })));
    const list = new TrafficList(session, filter("client:curl"));
    const found = (): readonly unknown[] =>
      list.read(BY_ID, EVERYTHING, judgeOf(session)).records.map(({ id, program }) => [id, program]);
    assert.equal(found(), []);
    const { revision } = session;
    session.apply([named(1, "curl")]);
    assert.ok(session.revision > revision);
    assert.equal(found(), [
      [1, "curl"],
      [3, "curl"],
    ]);
    const { length: end } = session.changes;
    session.apply([named(1, "curl"), named(7, "nobody here")]);
    assert.is(session.changes.length, end);
  });

  test("given evicted rows, a program that becomes known does not change them", () => {
    const made = [1, 2, 3].map((id) => exchange({ id, clientConnection: 5 }));
    const session = recorded(made, 2);
    const { length: end } = session.changes;
    session.apply([named(5, "curl")]);
    assert.equal(session.changes.since(end), [1, 2]);
    assert.equal(
      made.map(({ id }) => session.exchange(id)?.program),
      [undefined, "curl", "curl"],
    );
  });

  test("given a row without a client connection, names no program, and keeps a given program", () => {
    const session = recorded([exchange({ id: 1, clientConnection: null })]);
    session.apply([named(0, "curl"), named(1, "curl")]);
    session.add(exchange({ id: 2, program: "node" }));
    assert.equal(
      [1, 2].map((id) => session.exchange(exchange({ id }).id)?.program),
      [null, "node"],
    );
  });
});
