import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { LIMITS } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { RequestReader } from "../../../../../extensions/proxy/data-thread/network/http1/request-reader.ts";
import { isForeign, sniffProtocol } from "../../../../../extensions/proxy/data-thread/network/tls/sniffed-protocol.ts";
import { describe } from "../../../../support/describe.ts";

describe("protocol sniffing of first bytes", (test) => {
  for (const [bytes, expected] of [
    ["", "unsure"],
    ["\x16", "unsure"],
    ["\x16\x03\x01\x02\x00\x01", "tls"],
    ["\x16\x03\x01\x02\x00\x02", "other"],
    ["\x16\x02", "other"],
    ["GET / HTTP/1.1\r\n", "http"],
    ["PROPFIND /a%20b HTTP/1.0\n", "http"],
    ["GE", "unsure"],
    ["GET /long", "unsure"],
    ["PRI * HTTP/2.0\r\n", "unsure"],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04", "http2"],
    ["PRI * HTTP/2.0\r\n\r\nSN\r\n", "http"],
    ["GET /caf\xc3\xa9 HTTP/1.1\r\n", "http"],
    ["GET /caf\xc3", "unsure"],
    ["GET /two words HTTP/1.1\r\n", "http"],
    ["GET / HTTP/3.0\r\n", "http"],
    ["SET a b\r\n", "other"],
    ["SSH-2.0-OpenSSH_9.9\r\n", "other"],
    ["\x00", "other"],
    ["GET /\x01", "other"],
  ] as const) {
    test(`given ${JSON.stringify(bytes)}, finds ${expected}`, () => {
      assert.is(sniffProtocol(Buffer.from(bytes, "latin1")), expected);
    });
  }

  test("given the beginning of a request line, is unsure as long as the request parser waits for its end", () => {
    const { headSize } = LIMITS;
    const lengths = fc.oneof(fc.constant(headSize), fc.constant(headSize + 1), fc.nat(2 * headSize));
    fc.assert(
      fc.property(lengths, (length) => {
        const bytes = Buffer.from("GET ".padEnd(length, "x"));
        const reader = new RequestReader(LIMITS);
        reader.feed(bytes);
        assert.is(sniffProtocol(bytes), reader.next() === null ? "unsure" : "other");
      }),
    );
  });
});

describe("protocol sniffing inside TLS", (test) => {
  for (const [bytes, expected] of [
    ["\x10\x0c\0\x04MQTT", true],
    ["<?xml version='1.0'?><stream:stream to='a'>", true],
    ['{"id":1}', true],
    ["G", false],
    ["GET /caf\xc3", false],
    ["\r", false],
    ["\r\n", false],
    ["GET /\x01 HTTP/1.1\r\n", false],
    ["<a> HTTP/1.1", false],
    ["a LOGIN b c\r\n", false],
  ] as const) {
    test(`given ${JSON.stringify(bytes)}, ${expected ? "excludes HTTP" : "cannot exclude HTTP"}`, () => {
      assert.is(isForeign(Buffer.from(bytes, "latin1")), expected);
    });
  }
});
