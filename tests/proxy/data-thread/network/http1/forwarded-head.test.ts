import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  endsConnection,
  forwardedRequestHead,
  forwardedResponseHead,
} from "../../../../../extensions/proxy/data-thread/network/http1/forwarded-head.ts";
import type { RequestHead, ResponseHead } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { anyRequest, anyResponse } from "./generated.ts";
import { LISTED, opinionOn } from "./llhttp.ts";
import { requestsIn, responsesIn } from "./transcript.ts";
import { GOOD_REQUESTS, GOOD_RESPONSES } from "./valid.ts";

const NEXT_HOP = /^(?:connection|keep-alive|proxy-connection|proxy-authorization|proxy-authenticate|upgrade)$/;

describe("forwarded request head", (test) => {
  test("given no hop-by-hop field in a request, forwards its text unchanged", () => {
    const text = "GET /%2e/../a HTTP/1.1\r\nB: 1\r\nhOST:a.test\r\na:\t2 \r\nB: 3\r\nContent-Length:0\r\n\r\n";
    assert.is(sent(text), text);
  });

  const cases: readonly [title: string, received: string, expected: string][] = [
    ["Connection: keep-alive", "A: b\r\nConnection: keep-alive\r\nC: d\r\n", "A: b\r\nC: d\r\n"],
    [
      "a field that Connection names, in another case",
      "x-a: 1\r\nConnection: X-A, close\r\nA: b\r\nX-a: 2\r\n",
      "A: b\r\n",
    ],
    ["a field that a later Connection names", "Connection: close\r\nX-A: 1\r\nconnection: x-a\r\n", ""],
    ["Keep-Alive and Proxy-Connection", "Keep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\n", ""],
    ["credentials meant for a proxy", "A: b\r\nProxy-Authorization: Basic eA==\r\n", "A: b\r\n"],
    ["Upgrade that Connection does not name", "Upgrade: websocket\r\n", ""],
    ["an upgrade to H2C, twice", "Connection: Upgrade\r\nUpgrade: H2C\r\nUpgrade: , h2c\r\n", ""],
    ...["h2c/1", '"h2c"', "h2c;a=b", "h2c /1", '"a,h2c"', "H2C/", "/h2c", "h2c/1/2"].map(
      (value): [string, string, string] => [
        `an upgrade to ${value}`,
        `Connection: Upgrade\r\nUpgrade: ${value}\r\n`,
        "",
      ],
    ),
    ["an upgrade to h2c", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n", ""],
    ["TE that asks for a coding", "TE: gzip\r\nConnection: TE\r\n", ""],
    ["TE that Connection does not name", "TE: trailers\r\n", ""],
  ];
  for (const [title, received, expected] of cases) {
    test(`given a request with ${title}, removes that part`, () => assert.is(sent(get(received)), get(expected)));
  }

  const kept: readonly [title: string, received: string, expected: string][] = [
    ["an upgrade", "Connection: Upgrade\r\nUpgrade: websocket\r\n", "Connection: Upgrade\r\nUpgrade: websocket\r\n"],
    [
      "other protocols beside h2c in Upgrade",
      "Connection: Upgrade\r\nUpgrade: Foo/1, h2c\r\nUpgrade: h2c\r\nUpgrade: bar\r\n",
      "Connection: Upgrade\r\nUpgrade: Foo/1\r\nUpgrade: bar\r\n",
    ],
    [
      "an upgrade with a version, and one to h2cx",
      "Connection: Upgrade\r\nUpgrade: TLS/1.0,h2cx, h2c/1\r\n",
      "Connection: Upgrade\r\nUpgrade: TLS/1.0, h2cx\r\n",
    ],
    [
      "an upgrade in other cases",
      "connection: upgrade\r\nupgrade: WebSocket\r\n",
      "connection: upgrade\r\nupgrade: WebSocket\r\n",
    ],
    [
      "Upgrade among other names in Connection",
      "Upgrade: x\r\nConnection: keep-alive, Upgrade\r\n",
      "Upgrade: x\r\nConnection: Upgrade\r\n",
    ],
    ["TE: trailers", "TE: trailers, gzip\r\nConnection: te, close\r\n", "TE: trailers\r\nConnection: TE\r\n"],
    ["Expect: 100-continue", "Expect: 100-continue\r\n", "Expect: 100-continue\r\n"],
    [
      "names that only resemble hop-by-hop fields",
      "Connections: a\r\nTEA: b\r\nUpgrades: c\r\n",
      "Connections: a\r\nTEA: b\r\nUpgrades: c\r\n",
    ],
  ];
  for (const [title, received, expected] of kept) {
    test(`given a request with ${title}, keeps that part`, () => assert.is(sent(get(received)), get(expected)));
  }

  for (const name of ["Content-Length", "Transfer-Encoding", "Host"]) {
    test(`given Connection that names ${name}, keeps that field`, () => {
      const framing = name === "Transfer-Encoding" ? "Transfer-Encoding: chunked\r\n" : "Content-Length: 5\r\n";
      const text = sent(get(`Connection: ${name}, close\r\n${framing}`));
      assert.is(text, get(framing));
    });
  }

  test("given a length or coding in unusual case and spacing, writes it in its plain form", () => {
    assert.is(sent(get("content-LENGTH:\t005\r\n")), get("content-LENGTH: 5\r\n"));
    assert.is(sent(get("Transfer-Encoding:   CHUNKED \r\n")), get("Transfer-Encoding: chunked\r\n"));
    assert.is(sent(get("Content-Length: 0\r\n")), get("Content-Length: 0\r\n"));
  });

  test("given a target and Host to send, replaces both in place", () => {
    const text = "GET http://b.test/x?y HTTP/1.1\r\nA: b\r\nhost:  a.test\r\nC: d\r\n\r\n";
    assert.is(
      forwardedRequestHead(request(text), { target: "/x?y", host: "b.test", authorization: null }),
      "GET /x?y HTTP/1.1\r\nA: b\r\nhost: b.test\r\nC: d\r\n\r\n",
    );
  });

  test("given a request of HTTP/1.0, sends HTTP/1.1 with a Host and without Expect", () => {
    const text = "POST / HTTP/1.0\r\nExpect: 100-continue\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n";
    assert.is(
      forwardedRequestHead(request(text), { target: "/", host: "a.test", authorization: null }),
      "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1\r\n\r\n",
    );
  });

  test("given generated requests, keeps their framing and other fields, for our reader and llhttp", () => {
    const named = fc.constantFrom(
      "close",
      "keep-alive",
      "Content-Length",
      "host, TRANSFER-ENCODING",
      "te",
      "a,b , c,-",
    );
    const connection = fc.array(
      named.map((names) => `Connection: ${names}\r\n`),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(anyRequest, connection, ({ bytes, body }, connection) => {
        const lineEnd = bytes.indexOf("\r\n") + 2;
        const received = bytes.slice(0, lineEnd) + connection.join("") + bytes.slice(lineEnd);
        const message = only(requestsIn([Buffer.from(received, "latin1")]).messages);
        const text = sent(message.head.text);
        const again = only(requestsIn([Buffer.from(text + message.wire + message.ending, "latin1")]).messages);
        assert.equal(again.head.framing, message.head.framing);
        assert.is(again.data, body);
        assert.equal(rawLines(again.head), endToEnd(message.head));
        if (!LISTED.has(message.head.method)) return;
        const seen = only(opinionOn(Buffer.from(text + message.wire + message.ending, "latin1"), null).messages);
        assert.equal([seen.body, seen.isComplete], [body, true]);
      }),
      { numRuns: rounds(500) },
    );
  });

  test("given credentials for an upstream proxy, puts them in the place of the client's", () => {
    const text = "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nProxy-Authorization: Basic b2xk\r\n\r\n";
    assert.is(
      forwardedRequestHead(request(text), { target: "http://a.test/", host: null, authorization: "Basic bmV3" }),
      "GET http://a.test/ HTTP/1.1\r\nProxy-Authorization: Basic bmV3\r\nHost: a.test\r\n\r\n",
    );
  });

  test("given every valid request of the table, keeps its framing and body", () => {
    for (const { title, bytes, framing, body } of GOOD_REQUESTS) {
      const message = only(requestsIn([Buffer.from(bytes, "latin1")]).messages);
      const text = forwardedRequestHead(message.head, {
        target: message.head.target,
        host: message.head.host ?? "a.test",
        authorization: null,
      });
      const again = only(requestsIn([Buffer.from(text + message.wire + message.ending, "latin1")]).messages);
      assert.equal([again.head.framing, again.data, again.head.version], [framing, body, "1.1"], title);
    }
  });
});

describe("forwarded response head", (test) => {
  test("given no hop-by-hop field in a response, forwards its text unchanged", () => {
    const text = "HTTP/1.1 200\r\nb: 1\r\nA:2\r\nb: 3\r\ncontent-length:0\r\nHost: x\r\n\r\n";
    assert.is(answered(text), text);
  });

  test("given hop-by-hop fields and Proxy-Authenticate, removes them", () => {
    const text = "Connection: keep-alive, X-A\r\nKeep-Alive: timeout=5\r\nX-A: 1\r\nProxy-Authenticate: Basic\r\n";
    assert.is(answered(ok(`${text}A: b\r\nContent-Length: 0\r\n`)), ok("A: b\r\nContent-Length: 0\r\n"));
  });

  test("given Connection that names a length or a coding, keeps that field", () => {
    const length = ok("Connection: content-length\r\nContent-Length: 0\r\n");
    assert.is(answered(length), ok("Content-Length: 0\r\n"));
    const coding = ok("Transfer-Encoding: chunked\r\nConnection: transfer-encoding\r\n");
    assert.is(answered(coding), ok("Transfer-Encoding: chunked\r\n"));
  });

  test("given a connection that closes after the response, sends Connection: close", () => {
    assert.is(answered(ok("Content-Length: 0\r\n"), { close: true }), ok("Content-Length: 0\r\nConnection: close\r\n"));
    const inPlace = ok("connection: keep-alive\r\nContent-Length: 0\r\n");
    assert.is(answered(inPlace, { close: true }), ok("connection: close\r\nContent-Length: 0\r\n"));
  });

  test("given a body that only the connection's end can end, sends Connection: close", () => {
    assert.is(answered(ok("A: b\r\n")), ok("A: b\r\nConnection: close\r\n"));
  });

  test("given an HTTP/1.0 client and a connection that stays open, sends Connection: keep-alive", () => {
    const text = answered(ok("Content-Length: 0\r\n"), { client: "1.0" });
    assert.is(text, ok("Content-Length: 0\r\nConnection: keep-alive\r\n"));
  });

  test("given a chunked response for an HTTP/1.0 client, removes the coding and sends Connection: close", () => {
    const text = answered(ok("Transfer-Encoding: chunked\r\nA: b\r\n"), { client: "1.0" });
    assert.is(text, ok("A: b\r\nConnection: close\r\n"));
  });

  test("given a response of HTTP/1.0, sends HTTP/1.1 with the same reason", () => {
    const text = "HTTP/1.0 404 Not  here\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n";
    assert.is(answered(text), "HTTP/1.1 404 Not  here\r\nContent-Length: 0\r\n\r\n");
  });

  test("given Upgrade, keeps it on 101 and 426 only", () => {
    const lines = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
    assert.is(answered(`HTTP/1.1 101 S\r\n${lines}\r\n`), `HTTP/1.1 101 S\r\n${lines}\r\n`);
    const required = `HTTP/1.1 426 U\r\n${lines}Content-Length: 0\r\n\r\n`;
    assert.is(answered(required), required);
    assert.is(answered(ok(`${lines}Content-Length: 0\r\n`)), ok("Content-Length: 0\r\n"));
  });

  test("given a response that cannot have a body, declares none, but keeps the length of a 304 or HEAD", () => {
    const empty = "HTTP/1.1 204 N\r\n";
    assert.is(answered(`${empty}Content-Length: 5\r\n\r\n`), `${empty}\r\n`);
    assert.is(answered(`${empty}Transfer-Encoding: chunked\r\n\r\n`), `${empty}\r\n`);
    assert.is(answered("HTTP/1.1 101 S\r\nContent-Length: 0\r\n\r\n").includes("Content-Length"), false);
    const told = "HTTP/1.1 304 N\r\nContent-Length: 5\r\n\r\n";
    assert.is(answered(told), told);
    assert.is(answered(ok("Content-Length: 5\r\n"), {}, "HEAD"), ok("Content-Length: 5\r\n"));
  });

  test("given an interim response, adds nothing about the connection", () => {
    const early = "HTTP/1.1 103 E\r\nLink: </a>\r\n\r\n";
    assert.is(answered(early, { close: true }), early);
    assert.is(answered(early, { client: "1.0" }), early);
  });

  test("given every valid response of the table, keeps its framing and body", () => {
    for (const { title, bytes, to, body } of GOOD_RESPONSES) {
      const message = only(responsesIn([Buffer.from(bytes, "latin1")], to).messages);
      const text = forwardedResponseHead(message.head, { client: "1.1", close: false });
      const again = only(responsesIn([Buffer.from(text + message.wire + message.ending, "latin1")], to).messages);
      assert.equal([again.head.framing, again.data], [message.head.framing, body], title);
      assert.is(again.head.keepAlive, !endsConnection(message.head, "1.1"), title);
    }
  });

  test("given generated responses, keeps their bodies, in chunks or, for HTTP/1.0, without", () => {
    fc.assert(
      fc.property(anyResponse, ({ bytes, body }) => {
        const message = only(responsesIn([Buffer.from(bytes, "latin1")], "GET").messages);
        const text = forwardedResponseHead(message.head, { client: "1.1", close: false });
        assert.is(
          only(responsesIn([Buffer.from(text + message.wire + message.ending, "latin1")], "GET").messages).data,
          body,
        );
        const old = forwardedResponseHead(message.head, { client: "1.0", close: false });
        assert.is(only(responsesIn([Buffer.from(old + message.data, "latin1")], "GET").messages).data, body);
      }),
      { numRuns: rounds(300) },
    );
  });
});

function get(lines: string): string {
  return `GET / HTTP/1.1\r\nHost: a.test\r\n${lines}\r\n`;
}

function ok(lines: string): string {
  return `HTTP/1.1 200 OK\r\n${lines}\r\n`;
}

function request(text: string): RequestHead {
  return only(requestsIn([Buffer.from(text, "latin1")]).messages).head;
}

function sent(text: string): string {
  const head = request(text);
  return forwardedRequestHead(head, { target: head.target, host: null, authorization: null });
}

function answered(text: string, edits: { client?: "1.0"; close?: boolean } = {}, to = "GET"): string {
  const { head } = only(responsesIn([Buffer.from(text, "latin1")], to).messages);
  return forwardedResponseHead(head, { client: "1.1", close: false, ...edits });
}

function rawLines(head: RequestHead | ResponseHead): string[] {
  return head.headers.map(({ raw }) => raw);
}

/** The lines that must arrive: all but those for the next hop and those named by Connection. */
function endToEnd(head: RequestHead): string[] {
  const never = new Set(["content-length", "host", "transfer-encoding"]);
  const named = new Set(head.options);
  return head.headers
    .filter(({ name }) => !NEXT_HOP.test(name) && name !== "te" && (never.has(name) || !named.has(name)))
    .map(({ raw }) => raw);
}

function only<T>(all: readonly T[]): T {
  const [first] = all;
  if (first === undefined || all.length !== 1) throw new Error(`${all.length} messages, not one`);
  return first;
}
