import { EventEmitter, once } from "node:events";
import type { Transform } from "node:stream";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  CodedEvents,
  lateStreamOf,
} from "../../../../../extensions/proxy/data-thread/network/relay/streamed-events.ts";
import { MessageMemory } from "../../../../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import type { Decoder } from "../../../../../extensions/proxy/decoding/decoder-run.ts";
import { get } from "../../../../support/absolute-form.ts";
import { instant } from "../../../../support/capture.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { IS_QUICK } from "../../../../support/rounds.ts";
import { inShortSlices } from "../../../../support/short-slices.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const EVENTS = Array.from({ length: 5 }, (_, index) => `id: ${index}\ndata: {"tick":"${"tock ".repeat(index)}"}`);
const STREAM = EVENTS.map((event) => `${event}\n\n`).join("");

const WHOLE: Readonly<Record<string, (text: string) => Buffer>> = {
  identity: (text) => Buffer.from(text),
  Identity: (text) => Buffer.from(text),
  gzip: (text) => gzipSync(text),
  "x-GZIP": (text) => gzipSync(text),
  deflate: (text) => deflateSync(text),
  br: (text) => brotliCompressSync(text),
  zstd: (text) => zstdCompressSync(text),
};

const FLUSHED: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
  deflate: () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
};

function headOf(type: string, coding: string | null): string {
  const line = coding === null ? "" : `Content-Encoding: ${coding}\r\n`;
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${line}Transfer-Encoding: chunked\r\n\r\n`;
}

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

describe("recorded stream events", (test) => {
  test("given any coding and any letter case of the media type, every event is recorded before the end", () =>
    withProxy({}, async (proxy) => {
      const types = [
        "text/event-stream",
        "Text/Event-Stream",
        "TEXT/EVENT-STREAM;charset=utf-8",
        "text/event-stream ; a=b",
      ];
      const cases = [null, ...Object.keys(WHOLE)].map((coding, at) => ({
        coding,
        type: types[at % types.length] ?? "",
      }));
      let number = 0;
      const server = await proxy.server(async (peer) => {
        const { coding, type } = cases[number] ?? { coding: null, type: "" };
        number += 1;
        await peer.head();
        peer.send(headOf(type, coding));
        peer.send(chunkOf((WHOLE[coding ?? "identity"] ?? Buffer.from)(STREAM)));
        peer.send("0\r\n\r\n");
        peer.close();
      });
      for (const [at, { coding, type }] of cases.entries()) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port));
        await client.until("0\r\n\r\n");
        const { messages, ended } = await proxy.traffic.row(at);
        assert.equal(
          messages.map(({ bytes, kind }) => [kind, Buffer.from(bytes).toString()]),
          EVENTS.map((event) => ["event", event]),
          `${coding} ${type}`,
        );
        assert.equal(ended.tags, ["event-stream"]);
        client.close();
      }
    }));

  test("given any coding, every event is recorded though each byte is a chunk of its own", () =>
    withProxy({}, async (proxy) => {
      const codings = Object.entries(WHOLE);
      let number = 0;
      const server = await proxy.server(async (peer) => {
        const [coding, encoded] = codings[number] ?? ["identity", Buffer.from];
        number += 1;
        await peer.head();
        const chunks = [...encoded(STREAM)].map((byte) => chunkOf(Buffer.from([byte])));
        peer.send(Buffer.concat([Buffer.from(headOf("text/event-stream", coding)), ...chunks]));
        peer.send("0\r\n\r\n");
        peer.close();
      });
      for (const [at, [coding]] of codings.entries()) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port));
        await client.until("0\r\n\r\n");
        const { messages } = await proxy.traffic.row(at);
        assert.equal(
          messages.map(({ bytes }) => Buffer.from(bytes).toString()),
          EVENTS,
          coding,
        );
        client.close();
      }
    }));

  test("given lines of JSON, each is recorded as it comes where the path is a language model's, and nowhere else", () =>
    withProxy({}, async (proxy) => {
      const paths = ["/api/chat", "/api/generate?a=1", "/api/events", "/export"];
      const lines = ['{"model":"m","done":false}', '{"model":"m","done":true}'];
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(headOf("application/x-ndjson", null));
        peer.send(chunkOf(Buffer.from(`${lines.join("\n")}\n`)));
        peer.send("0\r\n\r\n");
        peer.close();
      });
      for (const [at, path] of paths.entries()) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port, path));
        await client.until("0\r\n\r\n");
        const { messages, ended } = await proxy.traffic.row(at);
        const recorded = messages.map(({ bytes, kind }) => [kind, Buffer.from(bytes).toString()]);
        assert.equal(recorded, at < 2 ? lines.map((line) => ["event", line]) : [], path);
        assert.equal(ended.tags, at < 2 ? ["stream"] : [], path);
        client.close();
      }
    }));

  test("given Gemini's list, each object is recorded as it comes, coded or not; a refusal is no stream", () =>
    withProxy({}, async (proxy) => {
      const elements = ['{\n "candidates": [{"index": 0}]\n}', '{"text":"]}\\"{"}', "{}"];
      const text = `[${elements.join("\n,\r\n")}\n]`;
      const path = "/v1beta/models/m:streamGenerateContent?key=a";
      const cases = [
        ...[...Object.keys(WHOLE)].map((coding) => ({ coding, path, status: 200 })),
        { coding: "identity", path, status: 429 },
        { coding: "identity", path: path.replace("streamG", "g"), status: 200 },
      ];
      let number = 0;
      const server = await proxy.server(async (peer) => {
        const { coding, status } = cases[number] ?? { coding: "identity", status: 200 };
        number += 1;
        await peer.head();
        peer.send(headOf("application/json; charset=UTF-8", coding).replace("200", String(status)));
        for (const byte of WHOLE[coding]?.(text) ?? []) peer.send(chunkOf(Buffer.from([byte])));
        peer.send("0\r\n\r\n");
        peer.close();
      });
      for (const [at, { coding, path: asked, status }] of cases.entries()) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port, asked));
        await client.until("0\r\n\r\n");
        const { messages, ended } = await proxy.traffic.row(at);
        const isStream = asked === path && status === 200;
        assert.equal(
          messages.map(({ bytes }) => Buffer.from(bytes).toString()),
          isStream ? elements : [],
          `${coding} ${status}`,
        );
        assert.equal(ended.tags, isStream ? ["stream"] : []);
        client.close();
      }
    }));

  test("given another media type, nothing is recorded as an event", () =>
    withProxy({}, async (proxy) => {
      const types = ["text/event-streams", "text/plain; x=text/event-stream", "application/x-text/event-stream"];
      let number = 0;
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(headOf(types[number] ?? "", null));
        number += 1;
        peer.send(chunkOf(Buffer.from(STREAM)));
        peer.send("0\r\n\r\n");
        peer.close();
      });
      for (const at of types.keys()) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port));
        await client.until("0\r\n\r\n");
        const { messages, ended } = await proxy.traffic.row(at);
        assert.equal([messages.length, ended.tags], [0, []]);
        client.close();
      }
    }));

  for (const [coding, encoder] of Object.entries(FLUSHED))
    test(`given ${coding}, records each event when it arrives, while the stream goes on`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(headOf("text/event-stream", coding));
        });
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port));
        await client.head();
        const peer = await server.peer(0);
        const encoding = encoder();
        encoding.on("data", (part: Buffer) => peer.send(chunkOf(part)));
        for (const [at, event] of EVENTS.entries()) {
          encoding.write(`${event}\n\n`);
          const told = await proxy.traffic.event(
            "message-captured",
            ({ bytes }) => Buffer.from(bytes).toString() === event,
          );
          assert.is(told.kind, "event", String(at));
        }
        assert.equal(proxy.traffic.rows, []);
        encoding.end();
        await once(encoding, "end");
        peer.send("0\r\n\r\n");
        assert.is((await proxy.traffic.row(0)).messages.length, EVENTS.length);
        client.close();
      }));

  test("given a stream that ends or is cut before its coding does, or is not coded, what could be read is recorded and it ends", () =>
    withProxy({}, async (proxy) => {
      const packed = gzipSync(STREAM);
      const bodies = [
        packed.subarray(0, packed.length - 4),
        Buffer.from(STREAM),
        gzipSync(Buffer.alloc((IS_QUICK ? 10 : 50) * 1_000_000, "data\n\n")),
      ];
      let number = 0;
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(headOf("text/event-stream", "gzip"));
        peer.send(chunkOf(bodies[number] ?? packed));
        number += 1;
        peer.send("0\r\n\r\n");
        peer.close();
      });
      const counts: number[] = [];
      for (const at of bodies.keys()) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port));
        await client.until("0\r\n\r\n");
        const { messages, responseBody } = await proxy.traffic.row(at);
        counts.push(messages.length);
        assert.ok(responseBody.equals(bodies[at] ?? packed));
        client.close();
      }
      const [cut, plain, bomb = 0] = counts;
      assert.equal([cut, plain], [EVENTS.length, 0]);
      assert.ok(bomb <= (bodies[2]?.length ?? 0), `${bomb} events`);
    }));
});

/** A decoder that never finishes what it was given. */
class StuckDecoder extends EventEmitter {
  writes = 0;
  isDestroyed = false;

  write(): boolean {
    this.writes += 1;
    return true;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

describe("decoding of stream events", (test) => {
  test("given 32 streams that are decoded, decodes a further one only once one of them has ended", () => {
    const decoders: StuckDecoder[] = [];
    const begin = () => {
      const coding = () => {
        const decoder = new StuckDecoder();
        decoders.push(decoder);
        return decoder as unknown as Decoder;
      };
      new CodedEvents(coding, new MessageMemory(), () => {}).feed(Buffer.from("ab"));
    };
    for (let count = 0; count < 40; count += 1) begin();
    assert.is(decoders.length, 32);
    decoders[0]?.emit("close");
    for (let count = 0; count < 40; count += 1) begin();
    assert.is(decoders.length, 33);
    for (const decoder of decoders.slice(1)) decoder.emit("close");
  });

  test("given a decoder that falls behind, holds at most 1 MiB with the overhead of each piece, then gives up", () => {
    const decoder = new StuckDecoder();
    const events = new CodedEvents(
      () => decoder as unknown as Decoder,
      new MessageMemory(),
      () => {},
    );
    events.feed(Buffer.from("ab"));
    for (let count = 0; count < 20_000; count += 1) events.feed(Buffer.from("a"));
    assert.ok(decoder.writes <= 1 + (1024 * 1024) / 257, `${decoder.writes} pieces wait`);
    assert.ok(decoder.isDestroyed);
    decoder.emit("close");
  });

  test("given many events in one decoded part, the decoder is paused until all are split in slices", async () => {
    class PausableDecoder extends StuckDecoder {
      pauses = 0;
      isPaused = false;

      pause(): void {
        this.pauses += 1;
        this.isPaused = true;
      }

      resume(): void {
        this.isPaused = false;
      }
    }
    const decoder = new PausableDecoder();
    let emitted = 0;
    let whenAll = () => {};
    const all = new Promise<void>((resolve) => {
      whenAll = resolve;
    });
    const events = new CodedEvents(
      () => decoder as unknown as Decoder,
      new MessageMemory(),
      () => {
        emitted += 1;
        if (emitted === 2_000) whenAll();
      },
    );
    await inShortSlices(async () => {
      events.feed(Buffer.alloc(14_000));
      decoder.emit("data", Buffer.from("data:\n\n".repeat(2_000)));
      assert.ok(emitted <= 512 && decoder.isPaused, `${emitted} events in the first slice`);
      await all;
    });
    assert.ok(decoder.pauses >= 14_000 / 1_024, `${decoder.pauses} pauses`);
    assert.not.ok(decoder.isPaused);
    decoder.emit("close");
  });
});

describe("responses detected as streams", (test) => {
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
          const stream = lateStreamOf(streamHeadOf("application/grpc+proto"), "/shop.Cart/Watch");
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
          const stream = lateStreamOf(streamHeadOf("application/grpc-web-text+proto"), "/shop.Cart/Watch");
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
        const stream = lateStreamOf(streamHeadOf(type), target);
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

  test("given empty pieces and other media types, does not take a pause for that of a stream", () => {
    const stream = lateStreamOf(streamHeadOf("application/x-ndjson"), "/");
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
      assert.is(lateStreamOf(streamHeadOf(type), target), null, `${type} ${target}`);
  });

  test("given a paused response, tags it as a stream if the pause exceeded 1 s", async () => {
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

function streamHeadOf(type: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n`;
}

/** A length-prefixed message of this many zeros. */
function framed(flags: number, length: number): Buffer {
  const bytes = Buffer.alloc(5 + length);
  bytes[0] = flags;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}
