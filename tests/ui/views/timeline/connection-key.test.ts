import * as assert from "uvu/assert";
import { connectionKeyOf, isOnConnection } from "../../../../src/ui/views/timeline/connection-key.ts";
import { describe } from "../../../support/describe.ts";
import { timelineRecord } from "./record.ts";

describe("connection grouping in Timeline", (test) => {
  test("given rows of several clients, joins those on the same connection to the server", () => {
    const connection = connectionKeyOf(
      timelineRecord({ connection: 3, stream: 1, clientConnection: 1, clientStream: 9 }),
    );
    assert.equal(connection, { side: "connection", number: 3, line: "connection 3 · stream 1" });
    if (connection === null) throw new Error("no connection");
    assert.ok(isOnConnection(connection, timelineRecord({ connection: 3, clientConnection: 2 })));
    assert.not.ok(isOnConnection(connection, timelineRecord({ connection: 4, clientConnection: 3 })));
    assert.not.ok(isOnConnection(connection, timelineRecord({ connection: null })));
  });

  test("given multiplexing on the client's side only, joins rows by the client's connection", () => {
    const connection = connectionKeyOf(
      timelineRecord({ connection: 3, stream: null, clientConnection: 1, clientStream: 9 }),
    );
    assert.equal(connection, {
      side: "clientConnection",
      number: 1,
      line: "client’s connection 1 · stream 9",
    });
  });

  test("given a row without a connection, joins it with no other row", () => {
    assert.is(connectionKeyOf(timelineRecord({ connection: null, clientStream: null })), null);
  });
});
