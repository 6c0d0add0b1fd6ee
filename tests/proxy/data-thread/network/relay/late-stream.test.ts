import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { lateStreamOf } from "../../../../../extensions/proxy/data-thread/network/relay/late-stream.ts";
import { get } from "../../../../support/absolute-form.ts";
import { instant } from "../../../../support/capture.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("responses that turn out to be streams", (test) => {
  test("given gRPC messages in any pieces, two and more are a stream, and trailers are no message", () => {
    const message = fc.record({ flags: fc.constantFrom(0, 1), length: fc.nat(300) });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 4 }),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 })),
        (messages, hasTrailers, lengths) => {
          const parts = messages.map(({ flags, length }) => framed(flags, length));
          const bytes = Buffer.concat([...parts, ...(hasTrailers ? [framed(0x80, 20)] : [])]);
          const stream = lateStreamOf(headOf("application/grpc+proto"), "/shop.Cart/Watch");
          let at = 0;
          let found = false;
          for (const length of [...lengths, bytes.length]) {
            const piece = bytes.subarray(at, at + length);
            found = stream?.feed([piece], instant(0)) === true;
            at = Math.min(bytes.length, at + length);
          }
          assert.is(found, messages.length > 1);
        },
      ),
    );
  });

  test("given gRPC messages in base64, padded as a whole or each by itself, two and more are a stream", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(300), { maxLength: 4 }),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 })),
        (sizes, isPaddedEach, lengths) => {
          const parts = sizes.map((size) => framed(0, size));
          const groups = isPaddedEach ? [...parts, framed(0x80, 20)] : [Buffer.concat([...parts, framed(0x80, 20)])];
          const text = Buffer.from(groups.map((group) => group.toString("base64")).join("\r\n"));
          const stream = lateStreamOf(headOf("application/grpc-web-text+proto"), "/shop.Cart/Watch");
          let at = 0;
          let found = false;
          for (const length of [...lengths, text.length]) {
            found = stream?.feed([text.subarray(at, at + length)], instant(0)) === true;
            at = Math.min(text.length, at + length);
          }
          assert.is(found, sizes.length > 1);
        },
      ),
    );
  });

  test("given records or a watch, a pause of more than a second between two pieces makes a stream", () => {
    fc.assert(
      fc.property(kind, fc.array(fc.nat(2_000), { minLength: 1, maxLength: 10 }), ([type, target], gaps) => {
        const stream = lateStreamOf(headOf(type), target);
        let at = 5_000;
        const found = gaps.map((gap) => {
          at += gap;
          return stream?.feed([Buffer.from("{}\n")], instant(at)) === true;
        });
        // The time before the first piece is the time to the first byte.
        assert.equal(
          found,
          gaps.map((gap, index) => index > 0 && gap > 1_000),
        );
      }),
    );
  });

  test("a piece without payload ends no pause, and other responses are no streams however they pause", () => {
    const stream = lateStreamOf(headOf("application/x-ndjson"), "/");
    assert.equal(
      [0, 900, 1_800].map((at) => stream?.feed(at === 900 ? [Buffer.alloc(0)] : [Buffer.from("{}")], instant(at))),
      [false, false, true],
    );
    for (const [type, target] of [
      ["application/json", "/list?watch=false"],
      ["application/json", "/list?watcher=1"],
      ["application/json", "/list?watch=0"],
      ["application/json", "/watch/list"],
      ["application/json;stream=watcher", "/"],
      ["text/plain", "/"],
    ] as const)
      assert.is(lateStreamOf(headOf(type), target), null, `${type} ${target}`);
  });

  test("a paused response is tagged at its end, and one without a pause is not", async () => {
    for (const pause of [1_001, 999]) {
      const clock = new HeldClock();
      await withProxy({ clock }, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send("HTTP/1.1 200 OK\r\nContent-Type: Application/X-NDJSON\r\nTransfer-Encoding: chunked\r\n\r\n");
        });
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port));
        await client.head();
        const peer = await server.peer(0);
        peer.send("3\r\n{}\n\r\n");
        await client.until("{}\n\r\n");
        clock.pass(pause);
        peer.send("3\r\n[]\n\r\n0\r\n\r\n");
        await client.until("0\r\n\r\n");
        assert.equal((await proxy.traffic.row(0)).ended.tags, pause > 1_000 ? ["stream"] : []);
        client.close();
      });
    }
  });
});

const kind = fc.constantFrom(
  ["application/x-ndjson", "/"] as const,
  ["application/json-seq; charset=utf-8", "/"] as const,
  ["text/x-ndjson", "/"] as const,
  ["application/json-lines", "/"] as const,
  ["application/json; stream=watch", "/"] as const,
  ["application/json", "/api/v1/watch/pods"] as const,
  ["application/json", "/api/v1/pods?limit=5&watch"] as const,
  ["application/json", "/api/v1/pods?limit=5&watch=true"] as const,
  ["application/json", "/api/v1/pods?watch=1&limit=5"] as const,
);

function headOf(type: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n`;
}

/** A length-prefixed message of this many zeros. */
function framed(flags: number, length: number): Buffer {
  const bytes = Buffer.alloc(5 + length);
  bytes[0] = flags;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}
