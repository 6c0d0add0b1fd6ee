import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { KnownConnections } from "../../../../extensions/proxy/engine-thread/recording/known-connections.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange as sketchedExchange } from "../../../support/exchange.ts";

const opened = (id: number): CaptureEvent => {
  return { type: "connection-opened", id, at: instant(id), address: `10.0.0.1:${id}`, tls: null };
};
const secured = (connection: number): CaptureEvent => {
  const tls = { version: "TLSv1.3", cipher: `cipher ${connection}`, alpn: null, resumed: false };
  return { type: "client-secured", connection, at: instant(connection), tls };
};
const used = (connection: number, clientConnection: number | null = null): readonly CaptureEvent[] =>
  eventsOf(sketchedExchange({ id: connection, connection, clientConnection }));

const connection = fc.integer({ min: 1, max: 6 });

describe("connections that outlive a session", (test) => {
  test("given exchanges on older connections, emits the facts of each once a session", () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.tuple(connection, connection))), (sessions) => {
        const known = new KnownConnections();
        known.openedEarlier([1, 2, 3].flatMap((id) => [opened(id), secured(id)]));
        for (const exchanges of sessions) {
          known.forgetSeen();
          const told = exchanges.flatMap(([server, client]) => known.openedEarlier(used(server, client)));
          const early = (ids: readonly number[]) => [...new Set(ids)].filter((id) => id <= 3);
          assert.equal(
            told.filter(({ type }) => type === "connection-opened"),
            early(exchanges.map(([server]) => server)).map(opened),
          );
          assert.equal(
            told.filter(({ type }) => type === "client-secured"),
            early(exchanges.map(([, client]) => client)).map(secured),
          );
        }
      }),
    ));

  test("given a connection that opened within the session, does not repeat its facts", () => {
    const known = new KnownConnections();
    known.openedEarlier([opened(1), secured(2)]);
    assert.equal(known.openedEarlier(used(1, 2)), []);
  });
});
