import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as assert from "uvu/assert";
import { StreamClient } from "../../../../../extensions/proxy/data-thread/network/client/http2-stream.ts";
import { MOST_FIELDS_READ } from "../../../../../extensions/proxy/data-thread/network/http2/limits.ts";
import { TOO_MANY_FIELDS } from "../../../../../extensions/proxy/data-thread/network/sockets/error-type.ts";
import { describe } from "../../../../support/describe.ts";
import { reset } from "../../../../support/http2-by-hand.ts";
import {
  END_HEADERS,
  END_STREAM,
  fields,
  frame,
  frameThat,
  GREETING,
  TYPES,
} from "../../../../support/http2-frames.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** The most collections after which an unreachable object must be gone. */
const COLLECTIONS = 20;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const [PROTOCOL_ERROR, CANCEL] = [1, 8];

const LEFT = "The client closed the connection before the whole response had arrived.";
const BROKEN = "The client broke the rules of HTTP/2, so Weir closed its connection.";
const RESET = "The request's stream was reset with PROTOCOL_ERROR, as HTTP/2 requires for a malformed request.";

/** The head of the request on stream 1. */
function begun(flags: number, ...more: readonly (readonly [string, string])[]): Buffer {
  const start = [
    [":method", "POST"],
    [":scheme", "https"],
    [":authority", "a.test"],
    [":path", "/"],
  ] as const;
  return frame("headers", END_HEADERS | flags, 1, fields(...start, ...more));
}

/** The request's head, what follows it once the server has the head, and the row's failure. */
const CASES: readonly (readonly [title: string, head: Buffer, then: Buffer, errorType: string, detail: string])[] = [
  [
    "a body shorter than its declared length",
    begun(0, ["content-length", "9"]),
    frame("data", END_STREAM, 1, "hello"),
    "request-malformed",
    `${RESET} Only 5 of the 9 bytes of its Content-Length had arrived.`,
  ],
  [
    "a pseudo-header in trailers",
    begun(0),
    frame("headers", END_HEADERS | END_STREAM, 1, fields([":path", "/x"])),
    "request-malformed",
    RESET,
  ],
  [
    "more trailers than Node reads",
    begun(0),
    frame("headers", END_HEADERS | END_STREAM, 1, fields(...new Array(MOST_FIELDS_READ + 1).fill(["x", "v"]))),
    "request-malformed",
    TOO_MANY_FIELDS.detail,
  ],
  [
    "a body longer than its declared length, which ends the connection",
    begun(0, ["content-length", "3"]),
    frame("data", END_STREAM, 1, "hello"),
    "request-malformed",
    BROKEN,
  ],
  [
    "a whole request, on a connection that ends over another frame",
    begun(END_STREAM),
    frame("ping", 0, 0, "1234567"),
    "client-aborted",
    BROKEN,
  ],
  ["a request that the client cancels", begun(0, ["content-length", "9"]), reset(1, CANCEL), "client-aborted", LEFT],
  ["a whole request that the client resets", begun(END_STREAM), reset(1, PROTOCOL_ERROR), "client-aborted", LEFT],
];

describe("HTTP/2 client streams that close early", (test) => {
  for (const [title, head, then, errorType, detail] of CASES)
    test(`given ${title}, records why the exchange failed`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.tlsServer(() => {});
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
        client.send(Buffer.concat([GREETING, head]));
        await (await server.peer(0)).head();
        client.send(then);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.equal(outcome, { kind: "failed", errorType, detail, status: null });
        client.close();
      }));

  test("given a request without its end that the client resets within the response, records client-aborted", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart");
      });
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
      client.send(Buffer.concat([GREETING, begun(0, ["content-length", "9"])]));
      await frameThat(client, ({ type }) => type === TYPES.data);
      client.send(reset(1, PROTOCOL_ERROR));
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.equal(outcome, { kind: "failed", errorType: "client-aborted", detail: LEFT, status: 200 });
      client.close();
    }));
});

describe("memory of an HTTP/2 client stream", (test) => {
  test("given a request that waits for its response, does not keep the fields as Node read them", () =>
    withProxy({}, async (proxy) => {
      const { start } = StreamClient.prototype;
      const read: WeakRef<object>[] = [];
      StreamClient.prototype.start = function (raw, ended) {
        read.push(new WeakRef(raw));
        start.call(this, raw, ended);
      };
      try {
        const server = await proxy.tlsServer(() => {});
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
        client.send(Buffer.concat([GREETING, begun(END_STREAM)]));
        await (await server.peer(0)).head();
        for (let round = 0; round < COLLECTIONS && read[0]?.deref() !== undefined; round += 1) {
          await turn();
          collect();
          await turn();
        }
        assert.is(read.length, 1);
        assert.is(read[0]?.deref(), undefined);
        client.close();
      } finally {
        StreamClient.prototype.start = start;
      }
    }));
});
