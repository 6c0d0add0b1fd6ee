import { Buffer } from "node:buffer";
import * as assert from "uvu/assert";
import { LIMITS, type Limits } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { RequestReader } from "../../../../../extensions/proxy/data-thread/network/http1/request-reader.ts";
import { describe } from "../../../../support/describe.ts";
import { BAD_REQUESTS } from "./corpus.ts";
import { cutAt, forwardedOf, requestsAhead, requestsIn } from "./transcript.ts";
import { GOOD_REQUESTS } from "./valid.ts";

describe("invalid requests in the request reader", (test) => {
  for (const { title, bytes, status } of BAD_REQUESTS) {
    test(`given ${title}, refuses it with ${status}`, () => {
      const { messages, problem } = requestsIn([Buffer.from(bytes, "latin1")]);
      assert.is(problem?.status, status, JSON.stringify(problem));
      assert.ok(
        messages.every(({ ending }) => ending === null),
        "no message of it ends",
      );
    });
  }
});

describe("valid requests in the request reader", (test) => {
  for (const { title, bytes, headers, body, ending, ...seen } of GOOD_REQUESTS) {
    test(`given ${title}, reads the whole request`, () => {
      const { messages, problem } = requestsIn([Buffer.from(bytes, "latin1")]);
      assert.is(problem, null);
      assert.is(messages.length, 1);
      const [message] = messages;
      if (message === undefined) return;
      const { head } = message;
      const { method, target, version, host, framing, keepAlive, expectContinue, upgrade } = head;
      assert.equal({ method, target, version, host, framing, keepAlive, expectContinue, upgrade }, seen);
      assert.equal(
        head.headers.map(({ name, value }) => [name, value]),
        headers,
      );
      assert.is(message.data, body);
      assert.is(message.ending, ending);
      assert.is(head.text + message.wire + message.ending, bytes.replace(/^(?:\r\n)+/, ""), "every byte is told, once");
    });
  }
});

describe("chunk sizes in the request reader", (test) => {
  for (const zeros of [1, 3, 1_000]) {
    test(`given ${zeros} zeros before a chunk size, forwards the chunks without the zeros`, () => {
      const padded = (size: string): string => "0".repeat(zeros) + size;
      const head = "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n";
      const body = `${padded("5")}\r\nhello\r\n${padded("A;a=0")}\r\n0123456789\r\n${padded("0")}\r\nB: c\r\n\r\n`;
      for (const places of [[], [70, 1_075, 2_100], Array.from(head + body, (_, at) => at)]) {
        const told = requestsIn(cutAt(head + body, places));
        assert.is(told.problem, null);
        assert.is(told.messages[0]?.data, "hello0123456789");
        assert.is(forwardedOf(told), `${head}5\r\nhello\r\nA;a=0\r\n0123456789\r\n0\r\nB: c\r\n\r\n`);
      }
    });
  }
});

describe("consecutive requests in the request reader", (test) => {
  const GET = "GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n";

  test("given pipelined requests, reads each by itself with its own body", () => {
    const post = "POST /b HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nGET";
    const chunks = "PUT /c HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n";
    const { messages, problem } = requestsIn([Buffer.from(GET + post + chunks + GET)]);
    assert.is(problem, null);
    assert.equal(
      messages.map(({ head, data }) => `${head.method} ${head.target} ${data}`),
      ["GET /a ", "POST /b GET", "PUT /c x", "GET /a "],
    );
  });

  test("given bytes that arrive while a request waits to be read, keeps their order after a piece that was used up", () => {
    const post = "POST /b HTTP/1.1\r\nHost: a.test\r\nContent-Length: 6\r\n\r\n";
    const pieces = [GET, GET, `${post}one`, "two"].map((piece) => Buffer.from(piece));
    // The second request ends with its piece, and is the last one read before the final piece arrives.
    const turns = [true, true, true, false, false, false, false, true];
    const { messages, problem } = requestsAhead(pieces, turns);
    assert.is(problem, null);
    assert.is(messages.at(-1)?.data, "onetwo");
  });

  test("given a bad request between good ones, reads those before it and nothing after it", () => {
    const reader = new RequestReader(LIMITS);
    reader.feed(Buffer.from(`${GET}GET /b HTTP/1.1\nHost: a.test\r\n\r\n${GET}`));
    assert.equal([reader.next()?.kind, reader.next()?.kind, reader.next()?.kind], ["head", "end", "refused"]);
    reader.feed(Buffer.from(GET));
    assert.is(reader.next(), null);
  });

  test("given three empty lines before each request, reads every request", () => {
    const { messages, problem } = requestsIn([Buffer.from(`\r\n\r\n\r\n${GET}`.repeat(3))]);
    assert.is(problem, null);
    assert.is(messages.length, 3);
  });

  test("given a bad request line on a used connection, refuses it before the head ends", () => {
    const reader = new RequestReader(LIMITS);
    for (const bytes of [GET.slice(0, 20), GET.slice(20)]) {
      reader.feed(Buffer.from(bytes));
      while (reader.next() !== null);
    }
    reader.feed(Buffer.from("GET /\r\n"));
    assert.is(reader.next()?.kind, "refused");
  });

  test("given limits for bytes and lines, applies both exactly", () => {
    const refuses = (limits: Limits): boolean => {
      const reader = new RequestReader(limits);
      reader.feed(Buffer.from(GET));
      return reader.next()?.kind === "refused";
    };
    assert.is(refuses({ headSize: GET.length, lines: 1 }), false);
    assert.is(refuses({ headSize: GET.length - 1, lines: 1 }), true);
    assert.is(refuses({ headSize: GET.length, lines: 0 }), true);
  });

  test("given an idle connection, counts a request as started at its first byte, not at empty lines", () => {
    const reader = new RequestReader(LIMITS);
    assert.is(reader.started, false);
    reader.feed(Buffer.from("\r\n\r"));
    assert.is(reader.started, false);
    assert.is(reader.next(), null);
    assert.is(reader.started, false);
    reader.feed(Buffer.from("\nG"));
    assert.is(reader.started, true, "before it is pulled");
    assert.is(reader.next(), null);
    assert.is(reader.started, true, "and after");
    reader.feed(Buffer.from(GET.slice(1)));
    assert.is(reader.next()?.kind, "head");
    assert.is(reader.started, false);
  });

  test("given bytes behind CONNECT, returns them unchanged from rest, once", () => {
    const reader = new RequestReader(LIMITS);
    const tunnelled = Buffer.from([0x16, 0x03, 0x01, 0x0d, 0x0a, 0xff]);
    reader.feed(Buffer.concat([Buffer.from("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n"), tunnelled]));
    assert.equal([reader.next()?.kind, reader.next()?.kind], ["head", "end"]);
    reader.feed(Buffer.from("more"));
    assert.equal(reader.rest(), Buffer.concat([tunnelled, Buffer.from("more")]));
    assert.is(reader.rest().length, 0);
    assert.is(reader.next(), null);
  });

  test("given the beginning of a head, returns it from rest", () => {
    const reader = new RequestReader(LIMITS);
    reader.feed(Buffer.from("GE"));
    assert.is(reader.next(), null);
    reader.feed(Buffer.from("T"));
    assert.is(reader.rest().toString(), "GET");
    assert.is(reader.started, false);
  });

  test("given a body, emits views of the bytes that were fed, without a copy", () => {
    const fed = Buffer.from("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    const reader = new RequestReader(LIMITS);
    reader.feed(fed);
    reader.next();
    const body = reader.next();
    fed.write("HELLO", fed.indexOf("hello"));
    assert.is(body?.kind === "body" ? body.data.toString() : "", "HELLO");
    assert.is(body?.kind === "body" ? body.wire.toString() : "", "5\r\nHELLO\r\n");
  });

  test(
    "given a head of 40 KB in single bytes, reads it in time linear in its length",
    () => {
      /** User time in µs for reading the same number of bytes in heads of this length. */
      const elapsed = (length: number): number => {
        const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${"c".repeat(length)}\r\n\r\n`);
        const start = process.cpuUsage();
        let heads = 0;
        for (let read = 0; read < 40_000; read += length) {
          const reader = new RequestReader(LIMITS);
          for (let at = 0; at < bytes.length; at += 1) {
            reader.feed(bytes.subarray(at, at + 1));
            if (reader.next()?.kind === "head") heads += 1;
          }
        }
        assert.is(heads, 40_000 / length);
        return process.cpuUsage(start).user;
      };
      // Other work of the process (V8's helper threads) only adds time.
      const least = (length: number): number => Math.min(...Array.from({ length: 4 }, () => elapsed(length)));
      const ratio = least(40_000) / least(4_000);
      assert.ok(ratio < 4, `the same bytes took ${ratio.toFixed(1)} times as long; rescanning takes ten times`);
    },
    { isLong: true },
  );
});
