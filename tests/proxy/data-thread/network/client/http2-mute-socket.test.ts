import { once } from "node:events";
import { Socket } from "node:net";
import * as assert from "uvu/assert";
import type { ClientNetwork } from "../../../../../extensions/proxy/data-thread/network/client/client-network.ts";
import { routeTo } from "../../../../../extensions/proxy/data-thread/network/client/destination.ts";
import { Http2ClientConnection } from "../../../../../extensions/proxy/data-thread/network/client/http2-connection.ts";
import { Refusals } from "../../../../../extensions/proxy/data-thread/network/client/refusals.ts";
import { SilentCloses } from "../../../../../extensions/proxy/data-thread/network/client/silent-closes.ts";
import {
  NETWORK_LIMITS,
  type NetworkOptions,
} from "../../../../../extensions/proxy/data-thread/network/network-options.ts";
import { originOf } from "../../../../../extensions/proxy/data-thread/network/origin.ts";
import { ExperimentHolds } from "../../../../../extensions/proxy/data-thread/network/relay/experiment-holds.ts";
import type { Closable } from "../../../../../extensions/proxy/data-thread/network/sockets/closable.ts";
import { ConnectionPool } from "../../../../../extensions/proxy/data-thread/network/upstream/connection-pool.ts";
import { CLOCK } from "../../../../../extensions/proxy/process/clock.ts";
import { DEFAULT_SETTINGS } from "../../../../../src/engine/model/settings.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { CapturedTraffic } from "../../../../support/captured-traffic.ts";
import { describe } from "../../../../support/describe.ts";
import { frame, GREETING } from "../../../../support/http2-frames.ts";
import { testResolver } from "../../../../support/test-proxy.ts";

/** A socket whose write callbacks never come, like Node's TLS after a reset that met TLS's own output. */
class MuteSocket extends Socket {
  override _read(): void {}
  override _write(): void {}
  override _writev(): void {}
}

function networkWith(lives: Set<Closable>): ClientNetwork {
  const nobody = (): never => {
    throw new Error("nobody is to be served");
  };
  const options: NetworkOptions = {
    sink: new CapturedTraffic(),
    leaves: { contextFor: nobody },
    clock: CLOCK,
    resolver: testResolver,
    upstreamCa: () => [],
    settings: () => ({ ...DEFAULT_SETTINGS, probeHost: "probe.weir.test", privateTargetsFromLan: false }),
    ownPorts: () => [],
    certificate: nobody,
  };
  return {
    ...options,
    limits: NETWORK_LIMITS,
    log: null,
    experiment: new ExperimentHolds(CLOCK),
    upstream: new ConnectionPool(options, NETWORK_LIMITS),
    refusals: new Refusals(),
    silentCloses: new SilentCloses(),
    lines: { named: nobody },
    openConnections: lives,
    refusalOf: () => null,
    isOwnAddress: () => false,
    nextClientConnection: () => 1,
    serve: nobody,
    serveHttp2: nobody,
    serveSocks: nobody,
  };
}

describe("HTTP/2 socket without a write callback", (test) => {
  test("given a client whose connection Node has closed, closes the socket after the linger time", async () => {
    const lives = new Set<Closable>();
    const socket = new MuteSocket();
    const origin = originOf("https", { host: "a.test", port: 443 });
    const connection = new Http2ClientConnection(socket, routeTo(origin), networkWith(lives));
    connection.start();
    const closed = once(socket, "close");
    socket.push(Buffer.concat([GREETING, frame("data", 0, 0, "a body of no stream")]));
    // Node has read the frames and waits for its own last frames to be sent.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.not.ok(socket.destroyed);
    const { linger } = NETWORK_LIMITS;
    connection.expire((CLOCK.now() + linger) as Instant);
    await closed;
  });
});
