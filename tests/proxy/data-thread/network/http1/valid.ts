import type { Framing } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";

/*
 * Messages that must pass: latin1 text of exactly one message each, with what a reader must emit. A field that a row
 * omits has the value of `request` or `response` below. Header names are lower-case, values trimmed.
 */

type Pairs = readonly (readonly [name: string, value: string])[];

interface GoodMessage {
  readonly title: string;
  readonly bytes: string;
  readonly version: "1.0" | "1.1";
  readonly framing: Framing;
  readonly keepAlive: boolean;
  readonly headers: Pairs;
  /** Payload, without chunk framing. */
  readonly body: string;
  /** The bytes that end the framing. */
  readonly ending: string;
}

export interface GoodRequest extends GoodMessage {
  readonly method: string;
  readonly target: string;
  readonly host: string | null;
  readonly expectContinue: boolean;
  readonly upgrade: string | null;
}

export interface GoodResponse extends GoodMessage {
  /** The method of the request to which this is the response. */
  readonly to: string;
  readonly status: number;
  readonly reason: string;
}

const HOST: Pairs = [["host", "a.test"]];
const NONE: Framing = { kind: "none" };
const CHUNKED: Framing = { kind: "chunked" };
const UNTIL_CLOSE: Framing = { kind: "until-close" };
const GET = "GET / HTTP/1.1\r\nHost: a.test\r\n";
const POST = "POST / HTTP/1.1\r\nHost: a.test\r\n";
const OK = "HTTP/1.1 200 OK\r\n";
const CODING: Pairs = [["transfer-encoding", "chunked"]];

function length(bytes: number): Framing {
  return { kind: "length", length: bytes };
}

function request(title: string, bytes: string, seen: Partial<GoodRequest> = {}): GoodRequest {
  const plain = { method: "GET", target: "/", version: "1.1", host: "a.test", framing: NONE, keepAlive: true } as const;
  const rest = { expectContinue: false, upgrade: null, headers: HOST, body: "", ending: "" };
  return { title, bytes, ...plain, ...rest, ...seen };
}

function post(title: string, head: string, body: string, seen: Partial<GoodRequest>): GoodRequest {
  return request(title, `${POST}${head}\r\n${body}`, { method: "POST", ...seen });
}

function chunked(title: string, chunks: string, body: string, ending = "0\r\n\r\n"): GoodRequest {
  const bytes = `Transfer-Encoding: chunked\r\n`;
  return post(title, bytes, chunks + ending, { framing: CHUNKED, headers: [...HOST, ...CODING], body, ending });
}

function target(title: string, text: string, method = "GET"): GoodRequest {
  return request(title, `${method} ${text} HTTP/1.1\r\nHost: a.test\r\n\r\n`, { target: text, method });
}

function host(title: string, text: string): GoodRequest {
  return request(title, `GET / HTTP/1.1\r\nHost: ${text}\r\n\r\n`, { host: text, headers: [["host", text]] });
}

function lines(title: string, text: string, pairs: Pairs, seen: Partial<GoodRequest> = {}): GoodRequest {
  return request(title, `${GET}${text}\r\n`, { headers: [...HOST, ...pairs], ...seen });
}

function response(title: string, bytes: string, seen: Partial<GoodResponse> = {}): GoodResponse {
  const plain = { to: "GET", status: 200, reason: "OK", version: "1.1", framing: NONE, keepAlive: true } as const;
  return { title, bytes, ...plain, headers: [], body: "", ending: "", ...seen };
}

const COOKIE = "c".repeat(100_000);

export const GOOD_REQUESTS: readonly GoodRequest[] = [
  request("a plain GET", `${GET}\r\n`),
  request("an empty line first", `\r\n${GET}\r\n`),
  request("four empty lines first", `\r\n\r\n\r\n\r\n${GET}\r\n`),
  target("a query", "/a?b=c&d=%20"),
  target("dots and escapes that nobody may resolve", "/a/../b/./%2e%2e/%2F//c"),
  target("characters that are in no URI but in real targets", '/{a}|b^`c"<d>\\[e]'),
  target("a fragment, as sent", "/a#b"),
  target("UTF-8, and bytes that are none", "/caf\xc3\xa9?\xe9=\xff\x80"),
  target("a semicolon and an at sign", "/a;b=c@d"),
  target("a target of 60,000 bytes", `/${"a".repeat(60_000)}`),
  target("an absolute target", "http://a.test/b?c"),
  target("an absolute target without a path", "http://a.test"),
  target("an absolute target with a query alone", "http://a.test?b"),
  target("an absolute target with a port", "http://a.test:8080/"),
  target("an absolute target with an empty port", "http://a.test:/"),
  target("an absolute https target", "https://a.test/"),
  target("an absolute target with an IPv6 address", "http://[::1]:8080/a"),
  target("an absolute target in capitals", "HTTP://A.TEST/"),
  target("an asterisk", "*", "OPTIONS"),
  target("CONNECT", "a.test:443", "CONNECT"),
  target("CONNECT to an IPv6 address", "[2001:db8::1]:443", "CONNECT"),
  target("CONNECT to port 65535", "a.test:65535", "CONNECT"),
  target("HEAD", "/", "HEAD"),
  target("a method of WebDAV", "/", "PROPFIND"),
  target("a method with a hyphen", "/", "M-SEARCH"),
  target("a method nobody knows", "/", "BREW"),
  target("a method in lower case", "/", "get"),
  target("a method of every token character", "/", "!#$%&'*+-.^_`|~09azAZ"),
  host("a Host with a port", "a.test:8080"),
  host("a Host with an empty port", "a.test:"),
  host("a Host in capitals", "A.Test"),
  host("a Host with an IPv4 address", "127.0.0.1:80"),
  host("a Host with an IPv6 address", "[::1]:80"),
  host("a Host with an underscore", "a_b.test"),
  host("a Host in punycode", "xn--bcher-kva.test"),
  host("a Host with a final dot", "a.test."),
  request("HTTP/1.0 with Host", "GET / HTTP/1.0\r\nHost: a.test\r\n\r\n", { version: "1.0", keepAlive: false }),
  request("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", {
    version: "1.0",
    keepAlive: false,
    host: null,
    headers: [],
  }),
  request("HTTP/1.0 with keep-alive", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", {
    version: "1.0",
    host: null,
    headers: [["connection", "Keep-Alive"]],
  }),
  request("CONNECT in HTTP/1.0", "CONNECT a.test:443 HTTP/1.0\r\n\r\n", {
    method: "CONNECT",
    target: "a.test:443",
    version: "1.0",
    keepAlive: false,
    host: null,
    headers: [],
  }),
  request("CONNECT with a length of 0", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 0\r\n\r\n", {
    method: "CONNECT",
    target: "a.test:443",
    headers: [...HOST, ["content-length", "0"]],
  }),
  lines("Connection: close", "Connection: close\r\n", [["connection", "close"]], { keepAlive: false }),
  lines("close among others, in capitals", "Connection: foo, CLOSE\r\n", [["connection", "foo, CLOSE"]], {
    keepAlive: false,
  }),
  lines(
    "two Connection lines",
    "Connection: keep-alive\r\nConnection: close\r\n",
    [
      ["connection", "keep-alive"],
      ["connection", "close"],
    ],
    { keepAlive: false },
  ),
  lines("an empty Connection", "Connection:\r\n", [["connection", ""]]),
  lines("empty members in Connection", "Connection: , ,keep-alive,\r\n", [["connection", ", ,keep-alive,"]]),
  lines("an empty value", "A:\r\n", [["a", ""]]),
  lines("a value of white space", "A: \t \r\n", [["a", ""]]),
  lines("no space after the colon", "A:b\r\n", [["a", "b"]]),
  lines("white space around a value", "A: \t b c \t\r\n", [["a", "b c"]]),
  lines("colons in a value", "A: b:c::d\r\n", [["a", "b:c::d"]]),
  lines("a tab in a value", "A: b\tc\r\n", [["a", "b\tc"]]),
  lines("bytes over 0x7f in a value", "A: \xe9\xff\x80\r\n", [["a", "\xe9\xff\x80"]]),
  lines("case and order", "b: 1\r\nA: 2\r\nB: 3\r\n", [
    ["b", "1"],
    ["a", "2"],
    ["b", "3"],
  ]),
  lines("a name of every token character", "!#$%&'*+-.^_`|~09azAZ: b\r\n", [["!#$%&'*+-.^_`|~09azaz", "b"]]),
  lines("names that look like ours", "Content_Length: 5\r\nXTransfer-Encoding: chunked\r\nHosts: b\r\n", [
    ["content_length", "5"],
    ["xtransfer-encoding", "chunked"],
    ["hosts", "b"],
  ]),
  lines("cookies of 100,000 bytes", `Cookie: ${COOKIE}\r\n`, [["cookie", COOKIE]]),
  lines(
    "999 more lines",
    "A: b\r\n".repeat(999),
    Array.from({ length: 999 }, () => ["a", "b"] as const),
  ),
  lines("__proto__ for a name", "__proto__: b\r\nconstructor: c\r\n", [
    ["__proto__", "b"],
    ["constructor", "c"],
  ]),
  lines(
    "a WebSocket handshake",
    "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n",
    [
      ["connection", "keep-alive, Upgrade"],
      ["upgrade", "WebSocket"],
    ],
    { upgrade: "websocket" },
  ),
  request("an upgrade in HTTP/1.0, which has none", "GET / HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", {
    version: "1.0",
    keepAlive: false,
    host: null,
    headers: [
      ["connection", "Upgrade"],
      ["upgrade", "x"],
    ],
  }),
  lines("Upgrade that Connection does not name", "Upgrade: websocket\r\n", [["upgrade", "websocket"]]),
  lines("Connection that names an Upgrade which is not there", "Connection: upgrade\r\n", [["connection", "upgrade"]]),
  post("a length", "Content-Length: 5\r\n", "hello", {
    framing: length(5),
    headers: [...HOST, ["content-length", "5"]],
    body: "hello",
  }),
  post("a length of 0", "Content-Length: 0\r\n", "", {
    framing: length(0),
    headers: [...HOST, ["content-length", "0"]],
  }),
  post("a length with zeros before it", "content-length:\t0005 \r\n", "he\r\nl", {
    framing: length(5),
    headers: [...HOST, ["content-length", "0005"]],
    body: "he\r\nl",
  }),
  post("a wait for 100", "Expect: 100-Continue\r\nContent-Length: 1\r\n", "a", {
    framing: length(1),
    headers: [...HOST, ["expect", "100-Continue"], ["content-length", "1"]],
    expectContinue: true,
    body: "a",
  }),
  request("a wait for 100 in HTTP/1.0", "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na", {
    method: "POST",
    version: "1.0",
    keepAlive: false,
    host: null,
    framing: length(1),
    headers: [
      ["expect", "100-continue"],
      ["content-length", "1"],
    ],
    body: "a",
  }),
  post("a body that looks like a request", "Content-Length: 18\r\n", "GET / HTTP/1.1\r\n\r\n", {
    framing: length(18),
    headers: [...HOST, ["content-length", "18"]],
    body: "GET / HTTP/1.1\r\n\r\n",
  }),
  post("chunked in capitals", "TRANSFER-ENCODING: CHUNKED\r\n", "1\r\na\r\n0\r\n\r\n", {
    framing: CHUNKED,
    headers: [...HOST, ["transfer-encoding", "CHUNKED"]],
    body: "a",
    ending: "0\r\n\r\n",
  }),
  chunked("no chunk", "", ""),
  chunked("one chunk", "5\r\nhello\r\n", "hello"),
  chunked("chunks", "1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n", "abcdef"),
  chunked("a size in hexadecimal, both cases", `aB\r\n${"x".repeat(171)}\r\n`, "x".repeat(171)),
  chunked("data that looks like framing", "b\r\n0\r\n\r\n5\r\nab\r\r\n", "0\r\n\r\n5\r\nab\r"),
  chunked("extensions", '5;a;b=c;d="e;\\"f\t\xe9"\r\nhello\r\n', "hello", '0;z="0\\\\"\r\n\r\n'),
  chunked("an extension of 1,000 bytes", `1;${"a".repeat(1_000)}\r\nx\r\n`, "x"),
  chunked("trailers", "5\r\nhello\r\n", "hello", "0\r\nDigest: abc\r\nA:\r\nServer-Timing: db;dur=5\r\n\r\n"),
];

export const GOOD_RESPONSES: readonly GoodResponse[] = [
  response("a length", `${OK}Content-Length: 5\r\n\r\nhello`, {
    framing: length(5),
    headers: [["content-length", "5"]],
    body: "hello",
  }),
  response("no length", `${OK}\r\nhello`, { framing: UNTIL_CLOSE, keepAlive: false, body: "hello" }),
  response("no length, no body", `${OK}\r\n`, { framing: UNTIL_CLOSE, keepAlive: false }),
  response("chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n`, {
    framing: CHUNKED,
    headers: CODING,
    body: "hello",
    ending: "0\r\nA: b\r\n\r\n",
  }),
  response("an empty reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", {
    reason: "",
    framing: length(0),
    headers: [["content-length", "0"]],
  }),
  response("no reason and no space", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", {
    reason: "",
    framing: length(0),
    headers: [["content-length", "0"]],
  }),
  response("a reason of many words", "HTTP/1.1 404 Not \t here:  \xe9 \r\nContent-Length: 0\r\n\r\n", {
    status: 404,
    reason: "Not \t here:  \xe9 ",
    framing: length(0),
    headers: [["content-length", "0"]],
  }),
  response("a status nobody knows", "HTTP/1.1 299 Odd\r\nContent-Length: 0\r\n\r\n", {
    status: 299,
    reason: "Odd",
    framing: length(0),
    headers: [["content-length", "0"]],
  }),
  response("status 599", "HTTP/1.1 599 Odd\r\n\r\n", {
    status: 599,
    reason: "Odd",
    framing: UNTIL_CLOSE,
    keepAlive: false,
  }),
  response("HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nhello", {
    version: "1.0",
    framing: UNTIL_CLOSE,
    keepAlive: false,
    body: "hello",
  }),
  response("HTTP/1.0 with keep-alive", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na", {
    version: "1.0",
    framing: length(1),
    headers: [
      ["connection", "keep-alive"],
      ["content-length", "1"],
    ],
    body: "a",
  }),
  response("Connection: close", `${OK}Connection: close\r\nContent-Length: 1\r\n\r\na`, {
    keepAlive: false,
    framing: length(1),
    headers: [
      ["connection", "close"],
      ["content-length", "1"],
    ],
    body: "a",
  }),
  response("HEAD with a length", `${OK}Content-Length: 5\r\n\r\n`, { to: "HEAD", headers: [["content-length", "5"]] }),
  response("HEAD with chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n`, { to: "HEAD", headers: CODING }),
  response("HEAD without a length", `${OK}\r\n`, { to: "HEAD" }),
  response("204", "HTTP/1.1 204 No Content\r\n\r\n", { status: 204, reason: "No Content" }),
  response("204 with a length of 0", "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", {
    status: 204,
    reason: "No Content",
    headers: [["content-length", "0"]],
  }),
  response("204 that declares a body", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", {
    status: 204,
    reason: "No Content",
    keepAlive: false,
    headers: CODING,
  }),
  response("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", {
    status: 304,
    reason: "Not Modified",
    headers: [["content-length", "5"]],
  }),
  response("205 with a length of 0", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", {
    status: 205,
    reason: "Reset Content",
    framing: length(0),
    headers: [["content-length", "0"]],
  }),
  response("a tunnel", "HTTP/1.1 200 Connection established\r\n\r\n", {
    to: "CONNECT",
    reason: "Connection established",
  }),
  response("a tunnel with a length that means nothing", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", {
    to: "CONNECT",
    headers: [["content-length", "5"]],
  }),
  response("a refused tunnel", "HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno", {
    to: "CONNECT",
    status: 407,
    reason: "No",
    framing: length(2),
    headers: [["content-length", "2"]],
    body: "no",
  }),
  response("101", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", {
    status: 101,
    reason: "Switching Protocols",
    headers: [
      ["connection", "Upgrade"],
      ["upgrade", "websocket"],
    ],
  }),
  response("101 with a length of 0", "HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n", {
    status: 101,
    reason: "Switching Protocols",
    headers: [["content-length", "0"]],
  }),
  response("two cookies", `${OK}Set-Cookie: a=b\r\nSet-Cookie: a=c\r\nContent-Length: 0\r\n\r\n`, {
    framing: length(0),
    headers: [
      ["set-cookie", "a=b"],
      ["set-cookie", "a=c"],
      ["content-length", "0"],
    ],
  }),
];
