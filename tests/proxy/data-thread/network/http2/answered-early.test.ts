import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { answered } from "../../../../support/http2-by-hand.ts";
import {
  END_HEADERS,
  END_STREAM,
  fields,
  frame,
  frameThat,
  GREETING,
  PREFACE,
  TYPES,
} from "../../../../support/http2-frames.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rawServer } from "../../../../support/raw-server.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const STREAMS = Array.from({ length: 20 }, (_, at) => 2 * at + 1);
const POST = fields([":method", "POST"], [":scheme", "https"], [":authority", "a.test"], [":path", "/"]);
/**
 * Event-loop turns between the client's disconnect and the responses: in one of them resets wait for an earlier write.
 */
const TURNS = 8;

describe("HTTP/2 uploads whose client disconnects", (test) => {
  for (let turns = 0; turns < TURNS; turns += 1)
    test(`given responses ${turns} turns after the client disconnects, resets the server's streams and does not crash`, () =>
      withProxy({}, async (proxy) => {
        const server = await rawServer(() => {}, { ...servedBy(proxy.servers), ALPNProtocols: ["h2"] });
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
        client.send(Buffer.concat([GREETING, ...STREAMS.map((id) => frame("headers", END_HEADERS, id, POST))]));
        const peer = await server.peer(0);
        await peer.until(PREFACE.toString("latin1"));
        peer.send(frame("settings", 0, 0));
        for (const _ of STREAMS) await frameThat(peer, ({ type }) => type === TYPES.headers);
        client.close();
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        peer.send(
          Buffer.concat(
            STREAMS.map((id) => Buffer.concat([answered(id, END_HEADERS), frame("data", END_STREAM, id, "no")])),
          ),
        );
        for (const _ of STREAMS) {
          const reset = await frameThat(peer, ({ type }) => type === TYPES.reset);
          assert.is(reset?.payload.readUInt32BE(0), 8);
        }
        await server.stop();
      }));
});
