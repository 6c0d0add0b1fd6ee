import { once } from "node:events";
import * as assert from "uvu/assert";
import { CLOCK } from "../../../../../extensions/proxy/process/clock.ts";
import { describe } from "../../../../support/describe.ts";
import { answered, http2ByHand } from "../../../../support/http2-by-hand.ts";
import { END_HEADERS, END_STREAM, fields, frame, GREETING } from "../../../../support/http2-frames.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { inEndlessSlices } from "../../../../support/short-slices.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const MANY = 50;
const WHOLE = END_STREAM | END_HEADERS;

function requestFrame(index: number, authority: string): Buffer {
  const head = fields([":method", "GET"], [":scheme", "https"], [":authority", authority], [":path", `/${index}`]);
  return frame("headers", WHOLE, 2 * index + 1, head);
}

describe("arrival times of HTTP/2 streams", (test) => {
  test("given many requests in one read, stamps them with one arrival time and sends none before all are parsed", () =>
    inEndlessSlices(() =>
      withProxy({}, async (proxy) => {
        const asked: number[] = [];
        // Responds to all of them with one write.
        const server = await http2ByHand(proxy, (stream) => {
          asked.push(stream);
          if (asked.length === 1) return answered(stream, WHOLE);
          return Buffer.concat(asked.length > MANY ? asked.slice(1).map((one) => answered(one, WHOLE)) : []);
        });
        const authority = `a.test:${server.port}`;
        const warm = await http2Client(proxy, `https://${authority}`);
        await ask(warm, { ":path": "/warm" });
        let lastLookedAt = 0;
        const { traffic } = proxy;
        const emit = traffic.emit.bind(traffic);
        traffic.emit = (event) => {
          if (event.type === "request-started") lastLookedAt = CLOCK.now();
          emit(event);
        };
        const { socket } = await RawPeer.secure(proxy.port, authority, proxy.clientCa, ["h2"]);
        socket.write(
          Buffer.concat([GREETING, ...Array.from({ length: MANY }, (_, at) => requestFrame(at, authority))]),
        );
        await proxy.traffic.row(MANY);
        const rows = proxy.traffic.rows.slice(1).map(({ ended }) => ended.instants);
        assert.is(rows.length, MANY);
        for (const name of ["startTime", "headReceived", "responseStart"] as const)
          assert.is(new Set(rows.map((instants) => instants[name])).size, 1, `${name} is one for all`);
        for (const { requestStart, requestEnd } of rows) {
          assert.ok((requestStart ?? 0) >= lastLookedAt, "nothing was sent before");
          assert.ok((requestEnd ?? 0) >= (requestStart ?? 0));
        }
        warm.destroy();
        socket.destroy();
        await once(socket, "close");
        await server.stop();
      }),
    ));
});
