import * as assert from "uvu/assert";
import type { ConnectionOpened } from "../../../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { ServerConnections } from "../../../../src/engine/session/table/server-connections.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";

const opened = (id: number): ConnectionOpened => ({
  type: "connection-opened",
  id,
  at: instant(0),
  address: "192.0.2.1:443",
  tls: null,
});

describe("server connections", (test) => {
  test("of very many the latest are known", () => {
    const session = new Session();
    session.apply(Array.from({ length: 4_001 }, (_, id) => opened(id)));
    assert.is(session.connections.factsOf(0), null);
    assert.is(session.connections.factsOf(4_000)?.address, "192.0.2.1:443");
  });

  test("addresses are known of many more, and of one that never stood there is none", () => {
    const connections = new ServerConnections();
    for (let id = 0; id <= 100_000; id += 1) connections.open(opened(id), 7);
    assert.equal(
      [0, 1, 100_000, 100_001].map((id) => connections.addressOf(id)),
      [0, 7, 7, 0],
    );
  });

  test("each was opened for one exchange, which is known of the latest", () => {
    const connections = new ServerConnections();
    for (let id = 0; id <= 4_000; id += 1) connections.openedFor(id, (id + 10) as ExchangeId);
    assert.equal(
      [0, 1, 4_000, 4_001].map((id) => connections.openerOf(id)),
      [null, 11, 4_010, null],
    );
  });
});
