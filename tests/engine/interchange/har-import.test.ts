import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import type { Entry } from "har-format";
import * as assert from "uvu/assert";
import { eventsOfEntry } from "../../../src/engine/interchange/har-import.ts";
import { LONGEST_COMMENT, NO_ANNOTATION } from "../../../src/engine/model/annotation.ts";
import { ERROR_TYPES } from "../../../src/engine/model/exchange.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { latencyOf, overheadOf, phasesOf, waitOf } from "../../../src/engine/model/phases.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { importedFrom } from "../../support/imported-entry.ts";
import { rounds } from "../../support/rounds.ts";

const fixtures = new URL("../../fixtures/har/", import.meta.url);

describe("HAR import", (test) => {
  for (const name of readdirSync(fixtures).filter((name) => name.endsWith(".har")))
    test(`given ${name} from a real browser, imports every field`, () => {
      const entries: Entry[] = JSON.parse(readFileSync(new URL(name, fixtures), "utf8")).log.entries;
      for (const entry of entries) {
        const { exchange, requestHead, responseHead, responseBody } = importedFrom(entry);
        const { request, response, timings } = entry;
        assert.is(exchange.method, request.method);
        assert.is(exchange.origin + exchange.target, request.url.replace(/#.*/, ""));
        assert.equal(exchange.outcome, { kind: "responded", status: response.status });
        assert.is(exchange.instants.startTime, Date.parse(entry.startedDateTime));
        near(latencyOf(exchange.instants), Math.max(entry.time, 0));
        const phases = phasesOf(exchange.instants);
        near(phases.dns ?? 0, Math.max(timings.dns ?? 0, 0));
        if (timings.connect !== -1) near((phases.connect ?? 0) + (phases.tls ?? 0), timings.connect ?? 0);
        near(phases.ttfb, (timings.send ?? 0) + timings.wait);
        near(phases.transfer, timings.receive);
        if (response.bodySize >= 0) assert.is(exchange.encodedBodySize, response.bodySize);
        if (response.content.size > 0) assert.is(exchange.decodedBodySize, response.content.size);
        assert.is(responseBody?.bytes.toString() ?? "", Buffer.from(response.content.text ?? "").toString());
        const lines = (headers: readonly { name: string; value: string }[]) =>
          headers.flatMap(({ name, value }) =>
            name.startsWith(":") ? [] : value.split("\n").map((part) => `${name}: ${part.trim()}`),
          );
        assert.equal(lines(fieldsOf(requestHead)), lines(request.headers));
        assert.equal(lines(fieldsOf(responseHead ?? "")), lines(response.headers));
      }
      assert.ok(entries.length > 5);
    });

  test("given a comment and a mark, imports the comment, cut if too long, and only a known mark", () => {
    const importedAnnotation = (change: object) => importedFrom(minimal(change)).annotation;
    assert.equal(importedAnnotation({ comment: "seen", _mark: "flag" }), { mark: "flag", comment: "seen" });
    assert.is(importedAnnotation({ comment: "x".repeat(LONGEST_COMMENT + 1) }).comment.length, LONGEST_COMMENT);
    assert.is(importedAnnotation({ comment: "a\ud800" }).comment, "a\ufffd");
    assert.equal(importedAnnotation({ comment: ["no text"], _mark: "__proto__" }), NO_ANNOTATION);
  });

  test("given a body and messages above 10 MiB, keeps as many bytes, with the whole size, and marks messages as cut", () => {
    const most = 10 * 1024 ** 2;
    const text = "x".repeat(most + 1);
    const postData = { mimeType: "text/plain", text };
    const { events } = unwrap(
      eventsOfEntry(
        minimal({
          request: { method: "POST", url: "https://a.test/", headers: [], postData },
          response: { status: 200, headers: [], content: { text } },
          _webSocketMessages: [text, "whole"].map((data) => ({ type: "send", time: 1, opcode: 1, data })),
          _eventSourceMessages: [{ time: Date.parse("2020-01-01T00:00:00Z") / 1_000, data: text }],
        }),
        1 as ExchangeId,
      ),
    );
    const kept = events.flatMap((event): unknown[] => {
      if (event.type === "body-captured") return [[event.side, event.bytes.length, event.bytes.buffer.byteLength]];
      return event.type === "message-captured" ? [[event.kind, event.size, event.bytes.length, event.cut]] : [];
    });
    assert.equal(kept, [
      ["request", most, most],
      ["response", most, most],
      ["text", most + 1, most, true],
      ["text", 5, 5, false],
      ["event", most + 1, most, true],
    ]);
    const end = events.find((event) => event.type === "exchange-ended");
    assert.equal([end?.requestBodySize, end?.encodedBodySize], [most + 1, most + 1]);
  });

  test("given the page of an entry, it is kept, up to 256 characters; anything but a text is none", () => {
    const pageOf = (pageref: unknown) => {
      const imported = eventsOfEntry(minimal({ pageref }), 1 as ExchangeId);
      const [started] = unwrap(imported).events;
      return started?.type === "request-started" ? started.page : null;
    };
    assert.is(pageOf("page_2"), "page_2");
    assert.is(pageOf("x".repeat(300))?.length, 256);
    for (const none of [undefined, null, "", 7, ["page_2"], {}]) assert.is(pageOf(none), undefined);
  });

  test("given an imported entry, tags the exchange as imported and leaves unrecorded fields absent", () => {
    const { exchange } = importedFrom(minimal());
    assert.equal(exchange.tags, ["imported"]);
    assert.equal([exchange.origin, exchange.target, exchange.method], ["https://a.test", "/", "GET"]);
    assert.equal(phasesOf(exchange.instants), {
      dns: null,
      connect: null,
      tls: null,
      ttfb: null,
      transfer: null,
      weir: null,
    });
    assert.equal([exchange.client, exchange.connection, exchange.decodedBodySize], ["unknown", null, null]);
    const { instants } = importedFrom({ ...minimal(), time: 9, timings: { send: 1, wait: 5, receive: 3 } }).exchange;
    assert.is(overheadOf(instants, null), null, "no proxy of ours was there");
  });

  test("given a language model's response, tags it as a stream if it succeeded", () => {
    const request = { method: "POST", url: "https://a.test/v1beta/models/m:streamGenerateContent?key=a" };
    const tagsOf = (status: number, mimeType: string) =>
      importedFrom(minimal({ request, response: { status, httpVersion: "HTTP/1.1", content: { mimeType } } })).exchange
        .tags;
    assert.equal(tagsOf(200, "application/json; charset=UTF-8"), ["imported", "stream"]);
    assert.equal(tagsOf(429, "application/json; charset=UTF-8"), ["imported"]);
  });

  test("given a CONNECT entry, tags it as a tunnel", () => {
    const asked = { method: "CONNECT", url: "https://a.test:443/" };
    assert.equal(importedFrom(minimal({ request: asked })).exchange.tags, ["imported", "tunnel"]);
    assert.equal(importedFrom(minimal()).exchange.tags, ["imported"]);
  });

  test("given blocked time, imports a wait for an unknown reason, unless Weir's file states the reason", () => {
    const timings = { blocked: 40, send: 0, wait: 5, receive: 1 };
    const waited = (change: object) => waitOf(importedFrom(minimal({ timings, ...change })).exchange);
    assert.equal(waited({}), { waitedFor: "unsaid", from: 0, to: 40 });
    assert.equal(waited({ _client: "127.0.0.1" }), null);
    assert.is(waited({ _client: "127.0.0.1", _waitedFor: "stream" })?.waitedFor, "stream");
    assert.equal(waited({ timings: { ...timings, blocked: -1 } }), null);
  });

  test("given stream ids, imports them with their connections if they are valid ids", () => {
    const carriersOf = (change: object) => {
      const { connection, stream, clientConnection, clientStream } = importedFrom(minimal(change)).exchange;
      return [connection, stream, clientConnection, clientStream];
    };
    const ours = { connection: "3", _stream: 7, _clientConnection: 2, _clientStream: 5 };
    assert.equal(carriersOf(ours), [3, 7, 2, 5]);
    assert.equal(carriersOf({ _stream: 7 }), [null, null, null, null]);
    for (const odd of ["7", 0, -1, 1.5, 2 ** 31, null, {}])
      assert.is(carriersOf({ ...ours, _stream: odd })[1], null, String(odd));
  });

  test("given a client's program, imports it with its connection and without control characters", () => {
    const programOf = (change: object) => importedFrom(minimal(change)).exchange.program;
    assert.is(programOf({ _clientConnection: 2, _program: "curl" }), "curl");
    assert.is(programOf({ _clientConnection: 2, _program: "\u0007cu\nrl " }), "curl");
    for (const odd of [undefined, 7, {}, "", "\n"]) assert.is(programOf({ _clientConnection: 2, _program: odd }), null);
    assert.is(programOf({ _program: "curl" }), null);
  });

  test("given an HTTP version, imports it by Weir's name of the protocol", () => {
    const names = {
      "HTTP/1.0": "http/1.0",
      "http/1.1": "http/1.1",
      "HTTP/2": "h2",
      "http/2.0": "h2",
      h2: "h2",
      h3: "h3",
    };
    for (const [httpVersion, name] of [...Object.entries(names), ["", "http/1.1"], [undefined, "http/1.1"]])
      assert.is(
        importedFrom(minimal({ request: { method: "GET", url: "http://a.test/", httpVersion } })).exchange.protocol,
        name,
      );
  });

  test("given no response, the request counts as sent only if send or wait took time", () => {
    const sent = (timings: object) =>
      importedFrom(minimal({ response: { status: 0 }, timings: { send: 0, wait: 0, receive: 0, ...timings } })).exchange
        .instants.requestStart !== null;
    assert.equal([sent({}), sent({ wait: 5 }), sent({ send: 5 }), sent({ receive: 5 })], [false, true, true, false]);
  });

  test("given a URL in a browser's spelling, imports origin and target, or says why not", () => {
    const table: Record<string, readonly [string, string] | null> = {
      "https://A.test:443/x?y#z": ["https://a.test", "/x?y"],
      "http://a.test:80": ["http://a.test", "/"],
      "http://a.test:8080?q": ["http://a.test:8080", "/?q"],
      "wss://a.test/socket": ["https://a.test", "/socket"],
      "https://u:p@a.test/": ["https://a.test", "/"],
      "https://[::1]:81/": ["https://[::1]:81", "/"],
      "https://a.test/\u00e9 \r\n": ["https://a.test", "/\u00e9%20%20"],
      "data:text/plain,x": null,
      "chrome-extension://abc/x": null,
      "https://": null,
      "https://a b/": null,
      "https://a.test:65535/": ["https://a.test:65535", "/"],
      "https://a.test:65536/": null,
      "": null,
    };
    for (const [url, expected] of Object.entries(table)) {
      const found = eventsOfEntry(minimal({ request: { method: "GET", url } }), 1 as ExchangeId);
      if (expected === null)
        assert.equal(
          found,
          { ok: false, problem: `request.url is not an HTTP or WebSocket URL: ${JSON.stringify(url)}` },
          url,
        );
      else {
        const { exchange } = importedFrom(minimal({ request: { method: "GET", url } }));
        assert.equal([exchange.origin, exchange.target], expected, url);
      }
    }
    assert.match(
      JSON.stringify(eventsOfEntry(minimal({ startedDateTime: "soon" }), 1 as ExchangeId)),
      /startedDateTime is not a date: .*soon/,
    );
  });

  test("given line breaks in headers, imports no second head and splits joined headers", () => {
    const headers = [
      { name: "Set-Cookie", value: "a=1\nb=2" },
      { name: "X: y\r\nEvil", value: "1" },
      { name: "X", value: "1\r\n\r\nHTTP/1.1 200 OK" },
      { name: ":status", value: "200" },
      { name: 5, value: null },
    ];
    const { responseHead } = importedFrom(
      minimal({ response: { status: 200, statusText: "OK\r\nEvil: 1", httpVersion: "h2", headers } }),
    );
    assert.is(
      responseHead,
      "HTTP/2 200 OK Evil: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX: 1\r\nX: \r\nX: HTTP/1.1 200 OK\r\n\r\n",
    );
  });

  test("given an error of Weir or Chromium, imports it as the matching error type", () => {
    const outcome = (entry: object) =>
      importedFrom(minimal({ response: { status: 0, httpVersion: "", headers: [] }, ...entry })).exchange.outcome;
    assert.equal(outcome({ _error: "net::ERR_NAME_NOT_RESOLVED" }), {
      kind: "failed",
      errorType: "name-not-resolved",
      detail: "net::ERR_NAME_NOT_RESOLVED",
      status: null,
    });
    assert.equal(outcome({}), {
      kind: "failed",
      errorType: "client-aborted",
      detail: "The file contains no response.",
      status: null,
    });
    assert.equal(outcome({ _errorType: "server-reset", _error: "Gone." }), {
      kind: "failed",
      errorType: "server-reset",
      detail: "Gone.",
      status: null,
    });
    assert.is(ERROR_TYPES.includes("constructor" as never), false);
  });

  test("given an error of Firefox, Node.js or others, imports it as the matching error type", () => {
    const typeOf = (error: string) => {
      const response = { status: 0, httpVersion: "", headers: [] };
      const { outcome } = importedFrom(minimal({ response, _error: error })).exchange;
      return outcome?.kind === "failed" ? outcome.errorType : outcome;
    };
    const told = {
      NS_ERROR_NET_TIMEOUT: "response-timeout",
      NS_ERROR_NET_RESET: "server-reset",
      NS_ERROR_NET_INTERRUPT: "server-closed",
      NS_ERROR_CONNECTION_REFUSED: "connection-refused",
      NS_BINDING_ABORTED: "client-aborted",
      "net::ERR_ABORTED": "client-aborted",
      "read ECONNRESET": "server-reset",
      "connect ETIMEDOUT 203.0.113.7:443": "response-timeout",
      "The request timed out.": "response-timeout",
      timeout: "response-timeout",
    };
    for (const [error, errorType] of Object.entries(told)) assert.is(typeOf(error), errorType, error);
  });

  test("given a response that Chrome reports as truncated, imports a failure with its status", () => {
    const response = { status: 200, httpVersion: "HTTP/1.1", _error: "net::ERR_CONTENT_LENGTH_MISMATCH" };
    assert.equal(importedFrom(minimal({ response })).exchange.outcome, {
      kind: "failed",
      errorType: "response-truncated",
      detail: "net::ERR_CONTENT_LENGTH_MISMATCH",
      status: 200,
    });
  });

  test("given a failure without an end, the exchange does not end before its response starts", () => {
    const timings = { send: 0, wait: 100, receive: 20 };
    const { exchange } = importedFrom(minimal({ _errorType: "response-truncated", timings }));
    assert.ok((exchange.endTime ?? 0) >= (exchange.instants.responseStart ?? Number.POSITIVE_INFINITY));
  });

  test("given sizes in a file, imports them for cached, uncompressed and HTTP/2 bodies", () => {
    const sizesOf = (more: object) => {
      const { exchange } = importedFrom(minimal({ response: { status: 200, httpVersion: "HTTP/1.1", ...more } }));
      return [exchange.encodedBodySize, exchange.decodedBodySize];
    };
    const gzip = [{ name: "content-encoding", value: "gzip" }];
    assert.equal(sizesOf({ bodySize: 0, content: { size: 12 } }), [0, 12]);
    assert.equal(sizesOf({ bodySize: 300, content: { size: 1_000, compression: 700 } }), [300, 1_000]);
    const http2 = { bodySize: -1, headersSize: -1, _transferSize: 2_500, content: { size: 10_000 } };
    assert.equal(sizesOf({ ...http2, headers: gzip }), [2_500, 10_000]);
    assert.equal(sizesOf(http2), [10_000, 10_000]);
  });

  test("given form fields and binary content, imports both as bodies", () => {
    const postData = {
      mimeType: "application/x-www-form-urlencoded",
      params: [{ name: "a b", value: "c&d" }, { name: "e" }],
    };
    const content = { size: 2, mimeType: "image/png", text: "AP8=", encoding: "base64" };
    const source = importedFrom(
      minimal({
        request: { method: "POST", url: "https://a.test/", postData },
        response: { status: 200, httpVersion: "HTTP/1.1", content },
      }),
    );
    assert.is(Buffer.from(source.requestBody.bytes).toString(), "a%20b=c%26d&e=");
    assert.equal([...(source.responseBody?.bytes ?? [])], [0, 255]);
  });

  test("given a message with no valid time, its time is the exchange's start", () => {
    const times = [1_577_836_800.5, 1e15, 1e308, null, "1577836800"];
    const { messages } = importedFrom(minimal({ _webSocketMessages: times.map((time) => ({ time, data: "" })) }));
    const start = Date.UTC(2020, 0, 1);
    assert.equal(
      Array.from(messages, ({ at }) => at - start),
      [500, 0, 0, 0, 0],
    );
  });

  test("given events of a stream, keeps when each arrived, unless one is outside of the exchange", () => {
    const start = Date.UTC(2020, 0, 1) / 1_000;
    const arrivalsOf = (times: readonly unknown[]) =>
      Array.from(
        importedFrom(minimal({ _eventSourceMessages: times.map((time) => ({ time, data: "x" })) })).messages,
        ({ at, kind, bytes }) => [(at / 1_000 - start).toFixed(1), kind, Buffer.from(bytes).toString()],
      );
    assert.equal(arrivalsOf([start, "x", start + 0.5]), [
      ["0.0", "event", "x"],
      ["0.5", "event", "x"],
    ]);
    for (const hour of [3_600, -3_600]) assert.equal(arrivalsOf([start, start + hour]), []);
  });

  test("given any invalid entry, refuses it or imports valid times and sizes", () => {
    const wrong = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(-1, 1e308, Number.NaN, "\0\r\n", [null], {}));
    const fields = (names: readonly string[]) =>
      fc.record(Object.fromEntries(names.map((name) => [name, wrong])), { requiredKeys: [] });
    const request = fields(["method", "httpVersion", "headers", "postData", "bodySize"]).map((rest) => ({
      method: "GET",
      ...rest,
      url: "https://a.test/",
    }));
    const entry = fc.record({
      startedDateTime: fc.constant("2020-01-01T00:00:00Z"),
      request,
      response: fc.oneof(
        wrong,
        fields(["status", "statusText", "httpVersion", "headers", "content", "bodySize"]).map((rest) => ({
          status: 200,
          ...rest,
        })),
      ),
      timings: fc.oneof(wrong, fields(["blocked", "dns", "connect", "ssl", "send", "wait", "receive"])),
      time: wrong,
      connection: wrong,
      serverIPAddress: wrong,
      _webSocketMessages: fc.oneof(wrong, fc.array(fields(["type", "time", "opcode", "data"]))),
      _tags: wrong,
      _errorType: wrong,
    });
    fc.assert(
      fc.property(entry, (value) => {
        if (!eventsOfEntry(value, 1 as ExchangeId).ok) return;
        const { exchange, messages } = importedFrom(value);
        const { instants, endTime } = exchange;
        for (const { at } of messages) assert.is.not(new Date(at).getTime(), Number.NaN);
        const moments = Object.values(instants).filter((instant) => instant !== null);
        assert.ok(moments.every((instant) => Number.isFinite(instant) && instant >= instants.startTime));
        assert.ok((endTime ?? 0) >= instants.startTime && exchange.encodedBodySize >= 0);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});

/** The smallest valid entry. */
function minimal(change: object = {}): object {
  return {
    startedDateTime: "2020-01-01T00:00:00.000Z",
    request: { method: "GET", url: "https://a.test/" },
    response: { status: 200, httpVersion: "HTTP/1.1" },
    ...change,
  };
}

function near(actual: number | null, expected: number): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 0.01, `${actual} is not ${expected}`);
}
