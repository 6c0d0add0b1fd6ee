import fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type ClientHello,
  ClientHelloReader,
} from "../../../../../extensions/proxy/data-thread/network/tls/client-hello.ts";
import { clientHello } from "../../../../support/client-hello.ts";
import { describe } from "../../../../support/describe.ts";

function clientHelloOf(bytes: Buffer): ClientHello | "incomplete" | null {
  return new ClientHelloReader().read(bytes);
}

/** The same handshake message in records of this size. */
function inRecordsOf(size: number, hello: Buffer): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    records.push(Buffer.from([0x16, 0x03, 0x01, piece.length >> 8, piece.length & 0xff]), piece);
  }
  return Buffer.concat(records);
}

describe("TLS ClientHello", (test) => {
  test("given a ClientHello, reads the server name and the protocols that the client offers", async () => {
    assert.equal(clientHelloOf(await clientHello({ servername: "a.test", ALPNProtocols: ["h2", "http/1.1"] })), {
      serverName: "a.test",
      protocols: ["h2", "http/1.1"],
    });
    assert.equal(clientHelloOf(await clientHello({ ALPNProtocols: ["mqtt"] })), {
      serverName: null,
      protocols: ["mqtt"],
    });
  });

  test("given any part of a ClientHello, is incomplete; given records of any size, reads the same", async () => {
    const hello = await clientHello({ servername: "a.test", ALPNProtocols: ["imap"] });
    const whole = clientHelloOf(hello);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 0, max: 5_000 }), (size, cut) => {
        const bytes = inRecordsOf(size, hello);
        assert.equal(clientHelloOf(bytes), whole);
        assert.is(clientHelloOf(bytes.subarray(0, cut % bytes.length)), "incomplete");
      }),
    );
  });

  test("given a hello with any bytes changed, never throws, and reads no name that is not there", async () => {
    const hello = await clientHello({ servername: "a.test" });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(hello.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const bytes = Buffer.from(hello);
        for (const [at, byte] of changes) bytes[at] = byte;
        const read = clientHelloOf(bytes);
        if (read === null || read === "incomplete" || read.serverName === null) return;
        assert.ok(bytes.includes(Buffer.from(read.serverName, "latin1")));
      }),
    );
  });

  test("given more than 64 KB without an end, finds no ClientHello", () => {
    const bytes = inRecordsOf(
      16_000,
      Buffer.concat([Buffer.alloc(5), Buffer.from([1, 0xff, 0xff, 0xff]), Buffer.alloc(70_000)]),
    );
    assert.is(clientHelloOf(bytes), null);
    assert.is(clientHelloOf(bytes.subarray(0, 60_000)), "incomplete");
  });

  test("given pieces of any size, is the same as whole", async () => {
    const hello = inRecordsOf(100, await clientHello({ servername: "a.test", ALPNProtocols: ["h2"] }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), (size) => {
        const reader = new ClientHelloReader();
        const reads = new Set<unknown>();
        for (let at = size; at < hello.length; at += size) reads.add(reader.read(hello.subarray(0, at)));
        assert.equal(reader.read(hello), clientHelloOf(hello));
        assert.ok(reads.size === 0 || (reads.size === 1 && reads.has("incomplete")));
      }),
    );
  });

  test("given more than 4,096 records without an end, finds no ClientHello", () => {
    const records = inRecordsOf(1, Buffer.concat([Buffer.alloc(5), Buffer.from([1, 0xff]), Buffer.alloc(6_000)]));
    assert.is(clientHelloOf(records.subarray(0, 4_096 * 6)), "incomplete");
    assert.is(clientHelloOf(records.subarray(0, 4_097 * 6)), null);
  });
});
