import * as fc from "fast-check";
import type { Entry, Har } from "har-format";
import * as assert from "uvu/assert";
import { HAR_SEPARATOR, type HarSource, harEnd, harEntry, harStart } from "../../../src/engine/interchange/har.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { checkHar } from "../../support/har-schema.ts";
import { entryText, harSource } from "../../support/har-source.ts";

const CONNECTED = {
  start: 1_000,
  end: 1_200,
  instants: {
    headReceived: 1_001,
    domainLookupStart: 1_002,
    domainLookupEnd: 1_012,
    connectStart: 1_012,
    secureConnectionStart: 1_032,
    connectEnd: 1_062,
    requestStart: 1_063,
    requestEnd: 1_073,
    responseStart: 1_150,
    responseForwarded: 1_151,
  },
} as const;

describe("HAR export", (test) => {
  test("given a mark and a comment, the entry has both; given none, it has neither", () => {
    const said = entryOf(harSource({ annotation: { mark: "star", comment: "look" } })) as Entry & { _mark?: string };
    assert.equal([said.comment, said._mark], ["look", "star"]);
    const blank = entryOf(harSource());
    assert.equal(["comment" in blank, "_mark" in blank], [false, false]);
  });

  test("given a client's program, the entry names it, and without one has no such field", () => {
    const entries = ["curl", null].map((program) => entryOf(harSource({ program })) as Entry & { _program?: string });
    assert.equal(
      entries.map((entry) => entry._program),
      ["curl", undefined],
    );
  });

  test("given a document, its comment says whether secrets were redacted", () => {
    const comments = [true, false].map((redact) => JSON.parse(harStart("1.2.3", [], redact) + harEnd(0)).log.comment);
    assert.equal(comments, ["Secrets were redacted on export.", "Secrets were not redacted on export."]);
  });

  test("given a stream, the entry has its id, and without one has no such field", () => {
    assert.is(Reflect.get(entryOf(harSource({ clientStream: 5 })), "_clientStream"), 5);
    assert.not("_clientStream" in entryOf(harSource()));
  });

  test("given ordinary and unusual exchanges, the document is valid HAR 1.2", () => {
    const failed = { kind: "failed", errorType: "connection-refused", detail: "refused", status: 502 } as const;
    const cut = { kind: "failed", errorType: "response-truncated", detail: "cut", status: 200 } as const;
    const document = documentOf([
      harSource({ ...CONNECTED, responseBody: "{}", responseHeaders: ["Content-Type: application/json"] }),
      harSource({
        outcome: failed,
        responseHeaders: null,
        instants: { requestStart: null, requestEnd: null, responseStart: null, responseEnd: null },
      }),
      harSource({ outcome: { ...failed, status: null }, responseHeaders: null }),
      harSource({ outcome: cut, start: 5, end: 30, instants: { responseStart: 10, responseEnd: null } }),
      harSource({ end: null, responseHeaders: null }),
      harSource({ method: "OPTIONS", target: "*" }),
      harSource({
        responseBody: "?",
        problem: "it is cut",
        contentEncoding: "br",
        encodedBodySize: 10,
        decodedBodySize: null,
      }),
      harSource({
        responseHeaders: ["Set-Cookie: a=b; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT; HttpOnly", "Set-Cookie: c"],
      }),
    ]);
    checkHar(document);
    assert.is(document.log.entries.length, 8);
    checkHar(documentOf([]));
  });

  test("given all instants, connect includes ssl, wait follows the upload, and the rest is blocked", () => {
    assert.equal(entryOf(harSource(CONNECTED)).timings, {
      blocked: 3,
      dns: 10,
      connect: 50,
      ssl: 30,
      send: 10,
      wait: 77,
      receive: 50,
    });
    assert.is(entryOf(harSource(CONNECTED)).time, 200);
  });

  test("given phases that did not happen, they are -1, and a response before the upload's end waits 0", () => {
    const { timings } = entryOf(
      harSource({ start: 0, end: 50, instants: { requestStart: 1, requestEnd: 40, responseStart: 20 } }),
    );
    assert.equal([timings.dns, timings.connect, timings.ssl], [-1, -1, -1]);
    assert.equal([timings.send, timings.wait, timings.receive], [19, 0, 30]);
  });

  test("given any instants, the document is valid HAR", () => {
    const moment = fc.option(fc.double({ min: 0, max: 1_000, noNaN: true }));
    const names = [
      "domainLookupStart",
      "domainLookupEnd",
      "connectStart",
      "connectEnd",
      "requestStart",
      "requestEnd",
      "responseStart",
      "responseEnd",
    ];
    fc.assert(
      fc.property(fc.array(moment, { minLength: 8, maxLength: 8 }), (moments) => {
        let last = 0;
        const instants = Object.fromEntries(
          names.map((name, index) => {
            const length = moments[index] ?? null;
            if (length === null) return [name, null];
            last += length;
            return [name, last];
          }),
        );
        checkHar(documentOf([harSource({ start: 0, end: last, instants })]));
      }),
    );
  });

  test("given text and binary bodies, writes text or base64 and marks cut bodies", () => {
    const text = entryOf(
      harSource({
        method: "POST",
        requestBody: "a=é",
        responseBody: "h\u0000é",
        requestHeaders: ["Content-Type: text/plain"],
      }),
      false,
    );
    assert.equal(text.request.postData, { mimeType: "text/plain", text: "a=é" });
    assert.is(text.response.content.text, "h\u0000é");
    const bytes = entryOf(
      harSource({ method: "POST", requestBody: Uint8Array.of(255), responseBody: Uint8Array.of(0, 255), cutAt: 2 }),
      false,
    );
    assert.equal(
      [bytes.request.postData?.text, Reflect.get(bytes.request.postData ?? {}, "_encoding")],
      ["/w==", "base64"],
    );
    assert.equal([bytes.response.content.text, bytes.response.content.encoding], ["AP8=", "base64"]);
    assert.is(Reflect.get(bytes.response.content, "_cut"), true);
    assert.match(bytes.response.content.comment ?? "", /first 2 bytes/);
  });

  test("given a cached body or a request in flight, writes the body", () => {
    const cached = harSource({ responseBody: "cached", encodedBodySize: 0 });
    assert.equal(
      [entryOf(cached, false).response.content.text, entryOf(cached, false).response.bodySize],
      ["cached", 0],
    );
    const sent = harSource({ method: "POST", requestBody: "sent", responseHeaders: null, end: null });
    const waiting = { ...sent, exchange: { ...sent.exchange, requestBodySize: 0 } };
    assert.is(entryOf(waiting, false).request.postData?.text, "sent");
  });

  test("given a compressed body, writes the size on the wire and the bytes saved", () => {
    const { response } = entryOf(
      harSource({ responseBody: "x".repeat(100), encodedBodySize: 24, decodedBodySize: 100, contentEncoding: "gzip" }),
    );
    assert.equal([response.bodySize, response.content.size, response.content.compression], [24, 100, 76]);
    const plain = harSource({ responseBody: "plain", encodedBodySize: 5, decodedBodySize: 5 });
    const unknown = harSource({
      responseBody: "as it came",
      problem: "the coding is not known",
      encodedBodySize: 24,
      decodedBodySize: null,
      contentEncoding: "br",
    });
    for (const source of [plain, unknown]) assert.not("compression" in entryOf(source).response.content);
    const { text, comment } = entryOf(unknown, false).response.content;
    assert.equal([text, comment], ["as it came", "The body could not be decoded completely: the coding is not known."]);
    assert.is(entryOf(harSource()).request.headersSize, "GET / HTTP/1.1\r\n\r\n".length);
    // The size after HPACK was not counted.
    const heads = { requestHead: "GET / HTTP/2\r\nhost: a.test\r\n\r\n", responseHead: "HTTP/2 200\r\n\r\n" };
    const both = entryOf({ ...harSource({ protocol: "h2" }), ...heads });
    assert.equal([both.request.headersSize, both.response.headersSize], [-1, -1]);
    const mixed = entryOf({ ...harSource({ protocol: "h2" }), requestHead: heads.requestHead });
    assert.equal([mixed.request.headersSize, mixed.response.headersSize], [-1, "HTTP/1.1 200 OK\r\n\r\n".length]);
  });

  test("given headers, keeps order, case and duplicates and decodes UTF-8", () => {
    const { request } = entryOf(
      harSource({ requestHeaders: ["X-B: 1", "x-a: 2", "X-B: \u00c3\u00a9", "X-Raw: \u00e9"] }),
    );
    assert.equal(
      request.headers.map(({ name, value }) => `${name}: ${value}`),
      ["X-B: 1", "x-a: 2", "X-B: é", "X-Raw: é"],
    );
  });

  test("given cookies and a query, splits them into names and values", () => {
    const open = entryOf(
      harSource({
        target: "/?q=a%20b+c&bad=%E0%A4%A&flag",
        requestHeaders: ["Cookie: a=1; b=x=y"],
        responseHeaders: ["Set-Cookie: s=v; Domain=a.test; Secure; SameSite=Lax"],
      }),
      false,
    );
    assert.equal(open.request.queryString, [
      { name: "q", value: "a b c" },
      { name: "bad", value: "%E0%A4%A" },
      { name: "flag", value: "" },
    ]);
    assert.equal(open.request.cookies, [
      { name: "a", value: "1" },
      { name: "b", value: "x=y" },
    ]);
    assert.equal(open.response.cookies, [
      { name: "s", value: "v", domain: "a.test", httpOnly: false, secure: true, sameSite: "Lax" },
    ]);
  });

  test("given secrets in any field, the default export contains none of them", () => {
    const secret = "canary8817";
    const source = harSource({
      method: "POST",
      origin: "https://api.test",
      target: `/?access_token=${secret}&x=1`,
      requestHeaders: ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"]
        .map((name) => `${name}: a=${secret}`)
        .concat(`Referer: https://b.test/?sig=${secret}`),
      responseHeaders: [`Set-Cookie: id=${secret}; Path=/`, `Location: /next?token=${secret}`],
      requestBody: `user=a&password=${secret}`,
      responseBody: `{"refresh_token":"${secret}"}`,
      annotation: { mark: null, comment: `It answered {"session_token": "${secret}"} twice.` },
      tags: ["websocket"],
      messages: [
        { at: 0 as Instant, side: "request", kind: "text", bytes: Buffer.from(`{"token":"${secret}"}`), cut: false },
      ],
    });
    assert.not(entryText(source, true).includes(secret));
    assert.match(entryText(source, true), /REDACTED/);
    assert.is(entryText(source, false).split(secret).length - 1, 16);
    checkHar(documentOf([source]));
  });

  test("given bodies and messages that redaction does not understand, leaves them out with type, size and reason, and counts them", () => {
    const message = (bytes: Uint8Array) => ({
      at: 0 as Instant,
      side: "request" as const,
      kind: "binary" as const,
      bytes,
      cut: false,
    });
    const source = harSource({
      method: "POST",
      requestHeaders: ["Content-Type: application/xml"],
      requestBody: "<a>canary</a>",
      responseHeaders: ["Content-Type: text/html; token=canary"],
      responseBody: "<p>canary",
      tags: ["websocket"],
      messages: [message(Buffer.from('{"session_token":"canary","n":1}')), message(Uint8Array.of(0, 255))],
    });
    const redaction = { redact: true, leftOut: 0 };
    const text = [...harEntry(source, redaction)].join("");
    assert.not.match(text, "canary");
    assert.is(redaction.leftOut, 3);
    const { request, response, _webSocketMessages: messages } = JSON.parse(text);
    assert.equal(request.postData, {
      mimeType: "application/xml",
      text: "",
      comment: "Left out: 13 bytes of type application/xml. Weir does not look for secrets in this type.",
      _leftOut: true,
    });
    assert.equal([response.content.size, response.content.text, response.content._leftOut], [9, "", true]);
    assert.equal(
      messages.map(({ data }: { data: string }) => data),
      [Buffer.from('{"session_token":"REDACTED","n":1}').toString("base64"), ""],
    );
    assert.is(JSON.parse(harStart("0.1.0", [], true) + text + harEnd(3)).log._leftOut, 3);
    assert.not.match(harEnd(0), "_leftOut");
  });

  test("given cookies without a name, takes out the values of all", () => {
    const source = harSource({
      requestHeaders: ["Cookie: canary; a=canary; =canary"],
      responseHeaders: ["Set-Cookie: canary; Path=/a;", "Set-Cookie: =canary; Path=/x/eyJhbGciOiJIUzI1NiJ9.e30.canary"],
    });
    assert.not.match(entryText(source, true), "canary");
    assert.equal(
      entryOf(source).request.cookies.map(({ name, value }) => [name, value]),
      [
        ["", "REDACTED"],
        ["a", "REDACTED"],
        ["", "REDACTED"],
      ],
    );
  });

  test("given a head with a bare CR, a URL with parameters and a redirect, no secret leaves, and what is beside it does", () => {
    const source = harSource({
      target: "/a;sid=canary/b?code=canary&state=canary&next=%2Fc%3Ftoken%3Dcanary%26n%3Dkept1",
      requestHeaders: [
        "X-A: lost\rAuthorization: Bearer canary",
        "X-B: kept2",
        "Sec-WebSocket-Protocol: graphql-ws, canary",
      ],
      responseHeaders: ["Location: https://u:canary@a.test/kept3;jsessionid=canary", "Set-Cookie2: canary"],
      requestBody: "$kept4=1&token=canary",
    });
    const text = entryText(source, true);
    assert.not.match(text, "canary");
    for (const kept of ["kept1", "kept2", "kept3", "kept4", "graphql-ws"]) assert.match(text, kept);
    assert.match(entryText(source, false), "canary");
  });

  test("given WebSocket messages, writes them as Chrome does", () => {
    const message = (kind: "text" | "binary", bytes: Uint8Array) => ({
      at: 1_500 as Instant,
      side: "response" as const,
      kind,
      bytes,
      cut: false,
    });
    const source = harSource({
      status: 101,
      tags: ["websocket"],
      messages: [message("text", Buffer.from("hé")), message("binary", Uint8Array.of(1))],
    });
    assert.equal(Reflect.get(entryOf(source, false), "_webSocketMessages"), [
      { type: "receive", time: 1.5, opcode: 1, data: "hé" },
      { type: "receive", time: 1.5, opcode: 2, data: "AQ==" },
    ]);
  });

  test("given an exchange in flight, writes what has arrived; given no response, receives nothing", () => {
    const begun = harSource({ start: 1_000, end: null, instants: { responseStart: 1_005 } });
    const standing = entryOf({ ...begun, responseHead: "HTTP/1.1 201 Created\r\n\r\n" });
    assert.equal(
      [standing.response.status, standing.timings.receive, Reflect.get(standing, "_inFlight")],
      [201, 0, true],
    );
    const failed = { kind: "failed", errorType: "connection-refused", detail: "x", status: null } as const;
    const instants = { responseStart: null, responseForwarded: null, responseEnd: null };
    const unanswered = entryOf(
      harSource({ start: 1_000, end: 1_010, outcome: failed, responseHeaders: null, instants }),
    );
    assert.equal([unanswered.response.status, unanswered.timings.receive], [0, 0]);
  });

  test("given a URL that ends with a question mark, the query is empty", () => {
    const queryOf = (target: string) => entryOf(harSource({ target })).request.queryString;
    assert.equal([queryOf("/a"), queryOf("/a?"), queryOf("/a?b")], [[], [], [{ name: "b", value: "" }]]);
  });

  test("given data that HAR lacks, writes it in fields of Weir's own", () => {
    const failed = { kind: "failed", errorType: "server-reset", detail: "The server closed.", status: null } as const;
    const entry = JSON.parse(
      entryText(harSource({ outcome: failed, responseHeaders: null, reused: false, tags: ["resent"] }), true),
    );
    assert.equal(
      [entry._error, entry._errorType, entry._reused, entry._tags],
      ["The server closed.", "server-reset", false, ["resent"]],
    );
    assert.equal([entry.response.status, entry.response.bodySize, entry.response.headersSize], [0, -1, -1]);
  });
});

function documentOf(sources: readonly HarSource[]): Har {
  const entries = sources.map((source) => entryText(source, true)).join(HAR_SEPARATOR);
  return JSON.parse(harStart("0.1.0", [], true) + entries + harEnd(0));
}

function entryOf(source: HarSource, redact = true): Entry {
  return JSON.parse(entryText(source, redact));
}
