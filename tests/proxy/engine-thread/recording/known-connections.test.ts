import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { KnownConnections } from "../../../../extensions/proxy/engine-thread/recording/known-connections.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";

const opened = (id: number): CaptureEvent => {
  return { type: "connection-opened", id, at: instant(id), address: `10.0.0.1:${id}`, tls: null };
};
const used = (connection: number): readonly CaptureEvent[] => eventsOf(exchange({ id: connection, connection }));

describe("connections that outlast a session", (test) => {
  test("given exchanges on older connections, tells the facts of each once a session", () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 1, max: 6 }))), (sessions) => {
        const known = new KnownConnections();
        known.openedEarlier([1, 2, 3].map(opened));
        for (const connections of sessions) {
          known.forgetTold();
          const told = connections.flatMap((connection) => known.openedEarlier(used(connection)));
          assert.equal(
            told.map(({ id }) => id),
            [...new Set(connections)].filter((id) => id <= 3),
          );
        }
      }),
    ));

  test("given a connection that the session has seen opened, tells nothing again", () => {
    const known = new KnownConnections();
    known.openedEarlier([opened(1)]);
    assert.equal(known.openedEarlier(used(1)), []);
  });
});
