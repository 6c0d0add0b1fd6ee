import { MOST_FIELDS } from "../../../../../extensions/proxy/data-thread/network/http2/limits.ts";
import { END_HEADERS, END_STREAM, fields, frame, longHead } from "../../../../support/http2-frames.ts";

type Pair = readonly [name: string, value: string];

/**
 * The result of a case. `reset`: the stream alone ends, with that code; `refused`: a response with that status;
 * `ended`: the connection, with that code; `dropped`: Node omits the bad field, and the rest reaches the server;
 * `forwarded`: nothing is wrong, and `lines` arrive; `ignored`: no effect.
 */
export type Verdict =
  | { readonly kind: "reset"; readonly code: number }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "ended"; readonly code: number }
  | { readonly kind: "forwarded"; readonly lines: string }
  | { readonly kind: "dropped" | "ignored" };

const [PROTOCOL, INTERNAL, FLOW, CLOSED, SIZE, COMPRESSION, CALM] = [1, 2, 3, 5, 6, 9, 11];

const GET: readonly Pair[] = [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "a.test"],
  [":path", "/bad"],
];

const FIRST = fields(...GET.map(([name, value]): Pair => [name, name === ":path" ? "/first" : value]));

const WHOLE = END_STREAM | END_HEADERS;

/** A request with these fields. */
function request(...pairs: readonly Pair[]): Buffer {
  return frame("headers", WHOLE, 1, fields(...pairs));
}

/** A valid request with one field changed, or with further fields. */
function changed(name: string, value: string | null): Buffer {
  const others = value === null ? [] : [[name, value] as const];
  return request(...GET.flatMap((pair): readonly Pair[] => (pair[0] === name ? others : [pair])));
}

function added(...pairs: readonly Pair[]): Buffer {
  return request(...GET, ...pairs);
}

function many(count: number, value: string): readonly Pair[] {
  return Array.from({ length: count }, (_, index) => [`x-${index}`, value]);
}

/** A POST with that content-length, then these frames. */
function posted(length: string | null, ...after: readonly Buffer[]): Buffer {
  const pairs = GET.map(([name, value]): Pair => [name, name === ":method" ? "POST" : value]);
  const lengths: readonly Pair[] = length === null ? [] : [["content-length", length]];
  return Buffer.concat([frame("headers", END_HEADERS, 1, fields(...pairs, ...lengths)), ...after]);
}

const reset = (code: number): Verdict => ({ kind: "reset", code });
const ended = (code: number): Verdict => ({ kind: "ended", code });
const refused = (status: number): Verdict => ({ kind: "refused", status });
const dropped: Verdict = { kind: "dropped" };
const forwarded: Verdict = { kind: "forwarded", lines: "" };
const ignored: Verdict = { kind: "ignored" };

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const setting = (id: number, value: number): Buffer => Buffer.concat([Buffer.from([0, id]), u32(value)]);

/** Title, bytes after the preface, and the verdict. */
export const CORPUS: readonly (readonly [title: string, bytes: Buffer, verdict: Verdict])[] = [
  // RFC 9113, 8.3: pseudo-header fields.
  ["no method", changed(":method", null), reset(PROTOCOL)],
  ["no scheme", changed(":scheme", null), reset(PROTOCOL)],
  ["no path", changed(":path", null), reset(PROTOCOL)],
  ["an empty path", changed(":path", ""), reset(PROTOCOL)],
  ["no authority and no Host", changed(":authority", null), reset(PROTOCOL)],
  ["an empty authority", changed(":authority", ""), reset(PROTOCOL)],
  ["two methods", added([":method", "GET"]), reset(PROTOCOL)],
  ["two paths", added([":path", "/other"]), reset(PROTOCOL)],
  ["two schemes", added([":scheme", "https"]), reset(PROTOCOL)],
  ["two authorities", added([":authority", "b.test"]), reset(PROTOCOL)],
  ["an unknown pseudo-header", added([":unknown", "x"]), reset(PROTOCOL)],
  ["a status in a request", added([":status", "200"]), reset(PROTOCOL)],
  ["a pseudo-header after a field", request(["a", "b"], ...GET), reset(PROTOCOL)],
  ["another scheme than the connection's", changed(":scheme", "http"), refused(400)],
  ["a scheme that does not exist", changed(":scheme", "ftp"), refused(400)],
  ["a path that is a whole URL", changed(":path", "https://b.test/"), reset(PROTOCOL)],
  ["a path without its slash", changed(":path", "bad"), reset(PROTOCOL)],
  ["* as the path of GET", changed(":path", "*"), reset(PROTOCOL)],
  ["a space in the path", changed(":path", "/a b"), reset(PROTOCOL)],
  ["a request line in the path", changed(":path", "/ HTTP/1.1\r\nX: y"), reset(PROTOCOL)],
  ["a raw byte over 0x7f in the path", changed(":path", "/\xe9"), forwarded],
  ["user-info in the authority", changed(":authority", "user@a.test"), reset(PROTOCOL)],
  ["two hosts in the authority", changed(":authority", "a.test,b.test"), refused(400)],
  ["a path in the authority", changed(":authority", "a.test/x"), reset(PROTOCOL)],
  ["a space in the authority", changed(":authority", "a.test b"), reset(PROTOCOL)],
  ["an authority with too large a port", changed(":authority", "a.test:70000"), refused(400)],
  ["a Host that is not the authority", added(["host", "b.test"]), refused(400)],
  ["two Hosts, one of them another", added(["host", "a.test"], ["host", "b.test"]), reset(PROTOCOL)],
  ["a method with an invalid character", changed(":method", "GE T"), reset(PROTOCOL)],
  ["a request line in the method", changed(":method", "GET / HTTP/1.1\r\nX: y\r\n\r\nGET"), reset(PROTOCOL)],
  ["an empty method", changed(":method", ""), reset(PROTOCOL)],
  ["CONNECT", request([":method", "CONNECT"], [":authority", "b.test:443"]), refused(400)],
  ["extended CONNECT, which was not offered", added([":protocol", "websocket"]), reset(PROTOCOL)],
  // RFC 9113, 8.2: fields.
  ["an upper-case name", added(["X-Upper", "x"]), reset(PROTOCOL)],
  ["a name with a space", added(["a b", "x"]), dropped],
  ["a name with a colon", added(["a:b", "x"]), dropped],
  ["an empty name", added(["", "x"]), dropped],
  ["a name with a line end", added(["a\r\nb", "x"]), dropped],
  ["a line feed in a value", added(["x", "a\nb: c"]), dropped],
  ["a carriage return in a value", added(["x", "a\rb"]), dropped],
  ["a whole request in a value", added(["x", "a\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"]), dropped],
  ["NUL in a value", added(["x", "a\0b"]), dropped],
  ["a control character in a value", added(["x", "a\x01b"]), dropped],
  ["white space before a value", added(["x", " a"]), { kind: "forwarded", lines: "x:  a\r\n" }],
  ["white space after a value", added(["x", "a \t"]), { kind: "forwarded", lines: "x: a \t\r\n" }],
  ["Connection", added(["connection", "close"]), reset(PROTOCOL)],
  ["Keep-Alive", added(["keep-alive", "timeout=5"]), reset(PROTOCOL)],
  ["Proxy-Connection", added(["proxy-connection", "keep-alive"]), reset(PROTOCOL)],
  ["Transfer-Encoding", added(["transfer-encoding", "chunked"]), reset(PROTOCOL)],
  ["Upgrade", added(["upgrade", "websocket"]), reset(PROTOCOL)],
  ["a TE header with another value than trailers", added(["te", "gzip"]), reset(PROTOCOL)],
  // RFC 9113, 8.1.1: a wrong content-length.
  ["a length and no body", added(["content-length", "5"]), reset(PROTOCOL)],
  ["a body shorter than its declared length", posted("5", frame("data", END_STREAM, 1, "abc")), reset(PROTOCOL)],
  ["a body longer than its declared length", posted("2", frame("data", END_STREAM, 1, "abc")), ended(INTERNAL)],
  ["a body after a length of 0", posted("0", frame("data", END_STREAM, 1, "GET / HTTP/1.1\r\n\r\n")), ended(INTERNAL)],
  ["two lengths", added(["content-length", "0"], ["content-length", "0"]), reset(PROTOCOL)],
  ["a negative length", posted("-1", frame("data", END_STREAM, 1, "")), reset(PROTOCOL)],
  ["a length that is a list", posted("3, 3", frame("data", END_STREAM, 1, "abc")), reset(PROTOCOL)],
  ["a length with a sign", posted("+3", frame("data", END_STREAM, 1, "abc")), reset(PROTOCOL)],
  // Trailers.
  ["a pseudo-header in trailers", posted(null, frame("headers", WHOLE, 1, fields([":path", "/x"]))), reset(PROTOCOL)],
  [
    "trailers that do not end the stream",
    posted(null, frame("headers", END_HEADERS, 1, fields(["a", "b"]))),
    reset(PROTOCOL),
  ],
  ["a length in trailers", posted(null, frame("headers", WHOLE, 1, fields(["content-length", "3"]))), reset(PROTOCOL)],
  [
    "Transfer-Encoding in trailers",
    posted(null, frame("headers", WHOLE, 1, fields(["transfer-encoding", "chunked"]))),
    reset(PROTOCOL),
  ],
  ["Host in trailers", posted(null, frame("headers", WHOLE, 1, fields(["host", "b.test"]))), refused(400)],
  [
    "a line end in trailers",
    posted(null, frame("headers", WHOLE, 1, fields(["a", "b\r\n\r\nGET / HTTP/1.1"]))),
    dropped,
  ],
  // RFC 9113, 4 to 6: frames.
  ["DATA on no stream", frame("data", 0, 0, "x"), ended(PROTOCOL)],
  ["DATA on an idle stream", frame("data", 0, 1, "x"), ended(PROTOCOL)],
  [
    "DATA after the stream's end",
    posted(null, frame("data", END_STREAM, 1, "x"), frame("data", 0, 1, "x")),
    ended(CLOSED),
  ],
  ["more fields than we take", added(...many(MOST_FIELDS, "v")), refused(431)],
  ["more fields than Node reads", added(...many(2 * MOST_FIELDS, "v")), reset(CALM)],
  ["a head longer than we take", longHead(WHOLE, 1, fields(...GET, ...many(33, "v".repeat(4_000)))), refused(431)],
  ["HEADERS on no stream", frame("headers", WHOLE, 0, fields(...GET)), ended(PROTOCOL)],
  ["HEADERS on an even stream", frame("headers", WHOLE, 2, fields(...GET)), ended(PROTOCOL)],
  ["HEADERS on a stream of the past", Buffer.concat([frame("headers", WHOLE, 5, FIRST), added()]), ignored],
  ["CONTINUATION of nothing", frame("continuation", END_HEADERS, 1, fields(...GET)), ended(PROTOCOL)],
  [
    "another frame within HEADERS",
    Buffer.concat([frame("headers", 0, 1), frame("ping", 0, 0, Buffer.alloc(8))]),
    ended(PROTOCOL),
  ],
  [
    "CONTINUATION of another stream",
    Buffer.concat([frame("headers", 0, 1), frame("continuation", 4, 3)]),
    ended(PROTOCOL),
  ],
  ["a frame larger than was allowed", frame("data", 0, 1, Buffer.alloc(16_385)), ended(SIZE)],
  ["padding longer than its frame", posted(null, frame("data", 8, 1, "\xff")), ended(PROTOCOL)],
  ["SETTINGS on a stream", frame("settings", 0, 1), ended(PROTOCOL)],
  ["SETTINGS of half a setting", frame("settings", 0, 0, "abc"), ended(SIZE)],
  ["an acknowledgement with content", frame("settings", 1, 0, setting(4, 1)), ended(SIZE)],
  ["a push setting of 2", frame("settings", 0, 0, setting(2, 2)), ended(PROTOCOL)],
  ["a window that is too large from the start", frame("settings", 0, 0, setting(4, 0x8000_0000)), ended(FLOW)],
  ["a frame size that is too small", frame("settings", 0, 0, setting(5, 100)), ended(PROTOCOL)],
  ["PING of 7 bytes", frame("ping", 0, 0, Buffer.alloc(7)), ended(SIZE)],
  ["PING on a stream", frame("ping", 0, 1, Buffer.alloc(8)), ended(PROTOCOL)],
  ["a window that grows by nothing", frame("window", 0, 0, u32(0)), ended(PROTOCOL)],
  ["a window that grows too large", frame("window", 0, 0, u32(0x7fff_ffff)), ended(FLOW)],
  ["a stream's window that grows too large", posted(null, frame("window", 0, 1, u32(0x7fff_ffff))), ended(FLOW)],
  ["PUSH_PROMISE from a client", frame("push", 4, 1, Buffer.concat([u32(2), fields(...GET)])), ended(PROTOCOL)],
  ["RST_STREAM of an idle stream", frame("reset", 0, 1, u32(8)), ended(PROTOCOL)],
  ["RST_STREAM on no stream", frame("reset", 0, 0, u32(8)), ended(PROTOCOL)],
  [
    "a head that cannot be decompressed",
    frame("headers", WHOLE, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])),
    ended(COMPRESSION),
  ],
  ["a field of a table that is empty", frame("headers", WHOLE, 1, Buffer.from([0xbe])), ended(COMPRESSION)],
  [
    "a table that grows too large",
    frame("headers", WHOLE, 1, Buffer.from([0x3f, 0xe2, 0xff, 0x7f])),
    ended(COMPRESSION),
  ],
  ["a frame of no known type", Buffer.concat([frame(0x5a, 0, 0, "x"), added()]), forwarded],
  ["a Host that is the authority", added(["host", "a.test"]), forwarded],
  ["a Host alone", request(...GET.filter(([name]) => name !== ":authority"), ["host", "a.test"]), forwarded],
];
