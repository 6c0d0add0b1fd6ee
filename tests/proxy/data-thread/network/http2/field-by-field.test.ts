import type { ClientHttp2Session, ServerHttp2Stream } from "node:http2";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { withoutBlanks } from "../../../../../extensions/proxy/data-thread/network/http1/fields.ts";
import { describe } from "../../../../support/describe.ts";
import { http2Client } from "../../../../support/http2-peer.ts";
import { type Http2Server, http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { type RawServer, rawServer } from "../../../../support/raw-server.ts";
import { IS_QUICK, rounds } from "../../../../support/rounds.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/*
 * Forwarded fields equal received ones, or the exchange is refused with a reason: for all combinations of protocols, in
 * both directions, in heads and trailers. White space around a value that passes HTTP/1.1 does not count (RFC 9110,
 * 5.5).
 */

type Field = readonly [name: string, value: string];
type Fields = readonly Field[];
type Protocol = "http/1.1" | "h2";

interface Message {
  readonly head: Fields;
  readonly trailers: Fields;
}

interface Case {
  readonly request: Message;
  readonly response: Message;
}

/** What arrived; `null`: the connection or the stream was reset. */
type Seen = { readonly status: number; readonly message: Message } | null;

const LOOSE = { strictFieldWhitespaceValidation: false, strictSingleValueFields: false };

const HEAD_NAMES = ["authorization", "content-security-policy", "x-frame-options", "set-cookie", "x-a", "x-b"];
const TRAILER_NAMES = ["grpc-message", "x-sum", "x-a"];

const text = (alphabet: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { maxLength: 6 }).map((letters) => letters.join(""));
const good = fc.oneof(
  text(' \ta:;,="'),
  text(" \t"),
  text(" a\x80\xff~!"),
  fc.constantFrom("Bearer abc ", " default-src"),
);
/** Characters that no value may contain; in HTTP/1.1 a line feed ends the value instead. */
const CONTROLS: Readonly<Record<Protocol, readonly string[]>> = {
  "http/1.1": ["\0", "\x01", "\x07", "\x1b", "\x7f", "\r"],
  h2: [],
};

function messageOf(sender: Protocol): fc.Arbitrary<Message> {
  const bad = CONTROLS[sender].map((control) => fc.tuple(text(" a"), fc.constant(control), text(" a")));
  const value = fc.oneof(
    { weight: 72, arbitrary: good },
    ...bad.map((parts) => ({ weight: 1, arbitrary: parts.map((pieces) => pieces.join("")) })),
  );
  const fieldsOf = (names: readonly string[]): fc.Arbitrary<Fields> =>
    fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 });
  return fc.record({ head: fieldsOf(HEAD_NAMES), trailers: fieldsOf(TRAILER_NAMES) });
}

/** RFC 9110, 5.5: control characters but the tab. */
const isBad = ([, value]: Field): boolean =>
  Array.from(value, (character) => character.charCodeAt(0)).some(
    (code) => code === 0x7f || (code < 0x20 && code !== 9),
  );

/** Alternates names, and picks those fields of `raw` that were drawn. */
function drawnIn(raw: readonly string[], names: readonly string[]): Fields {
  return raw.flatMap(
    (name, at): Fields =>
      at % 2 === 0 && names.includes(name.toLowerCase()) ? [[name.toLowerCase(), raw[at + 1] ?? ""]] : [],
  );
}

function rawOf(fields: Fields): string[] {
  return fields.flat();
}

function objectOf(fields: Fields): Record<string, string[]> {
  const object: Record<string, string[]> = {};
  for (const [name, value] of fields) object[name] = [...(object[name] ?? []), value];
  return object;
}

function linesOf(fields: Fields): string {
  return fields.map(([name, value]) => `${name}:${value}\r\n`).join("");
}

function parsed(section: string): string[] {
  return section
    .split("\r\n")
    .slice(1, -2)
    .flatMap((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1)];
    });
}

/** Reads a head and a complete chunked body. */
async function chunkedMessage(peer: RawPeer): Promise<{ readonly start: string; readonly message: Message }> {
  const head = await peer.head();
  if (!/transfer-encoding: chunked/i.test(head)) return { start: head, message: { head: [], trailers: [] } };
  for (;;) {
    const size = Number.parseInt(await peer.until("\r\n"), 16);
    if (size === 0) break;
    await peer.bytes(size + 2);
  }
  let section = "0\r\n";
  for (let line = ""; line !== "\r\n"; section += line) line = await peer.until("\r\n");
  const [head1, trailers] = [drawnIn(parsed(head), HEAD_NAMES), drawnIn(parsed(section), TRAILER_NAMES)];
  return { start: head, message: { head: head1, trailers } };
}

/** A server that responds as the current case says, and records the request. */
class CaseServer {
  seen: Message | null = null;
  #case: Case | null = null;
  #server: RawServer | Http2Server | null = null;

  async start(proxy: TestProxy, protocol: Protocol): Promise<number> {
    this.#server =
      protocol === "h2"
        ? await http2Server(proxy, (stream, _headers, raw) => this.#answer(stream, raw), LOOSE)
        : await rawServer((peer) => this.#serve(peer), servedBy(proxy.servers));
    return this.#server.port;
  }

  expect(next: Case): void {
    this.#case = next;
    this.seen = null;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #answer(stream: ServerHttp2Stream, raw: readonly string[]): void {
    let trailers: Fields = [];
    stream.on("trailers", (_headers, _flags, fields: string[]) => {
      trailers = drawnIn(fields, TRAILER_NAMES);
    });
    stream.on("end", () => {
      if (stream.aborted || stream.rstCode > 0) return;
      this.seen = { head: drawnIn(raw, HEAD_NAMES), trailers };
      const { head, trailers: own } = this.#case?.response ?? { head: [], trailers: [] };
      stream.respond([":status", "200", ...rawOf(head)], { waitForTrailers: true });
      stream.once("wantTrailers", () => stream.sendTrailers(objectOf(own)));
      stream.end("body");
    });
    stream.resume();
  }

  async #serve(peer: RawPeer): Promise<void> {
    for (;;) {
      this.seen = (await chunkedMessage(peer)).message;
      const { head, trailers } = this.#case?.response ?? { head: [], trailers: [] };
      const framing = "Transfer-Encoding: chunked\r\n";
      peer.send(`HTTP/1.1 200 OK\r\n${framing}${linesOf(head)}\r\n4\r\nbody\r\n0\r\n${linesOf(trailers)}\r\n`);
    }
  }
}

async function askedOverHttp1(proxy: TestProxy, port: number, { request }: Case): Promise<Seen> {
  const peer = await RawPeer.secure(proxy.port, `a.test:${port}`, proxy.clientCa);
  const framing = `Host: a.test:${port}\r\nTransfer-Encoding: chunked\r\n`;
  peer.send(
    `POST / HTTP/1.1\r\n${framing}${linesOf(request.head)}\r\n4\r\nbody\r\n0\r\n${linesOf(request.trailers)}\r\n`,
  );
  const seen = await chunkedMessage(peer).catch(() => null);
  peer.close();
  return seen === null ? null : { status: Number(seen.start.split(" ")[1]), message: seen.message };
}

async function askedOverHttp2(session: ClientHttp2Session, port: number, { request }: Case): Promise<Seen> {
  const pseudo = [":method", "POST", ":scheme", "https", ":authority", `a.test:${port}`, ":path", "/"];
  const stream = session.request([...pseudo, ...rawOf(request.head)], { waitForTrailers: true, endStream: false });
  stream.once("wantTrailers", () => stream.sendTrailers(objectOf(request.trailers)));
  let [status, head, trailers]: [number, Fields, Fields] = [0, [], []];
  let isEnded = false;
  stream.on("response", (headers, _flags, raw: string[]) => {
    status = headers[":status"] ?? 0;
    head = drawnIn(raw, HEAD_NAMES);
  });
  stream.on("trailers", (_headers, _flags, raw: string[]) => {
    trailers = drawnIn(raw, TRAILER_NAMES);
  });
  stream.on("end", () => {
    isEnded = true;
  });
  stream.on("error", () => {});
  stream.end("body");
  stream.resume();
  await new Promise((resolve) => stream.once("close", resolve));
  return isEnded && stream.rstCode === 0 && status > 0 ? { status, message: { head, trailers } } : null;
}

/** Sorted by name where they were sent as an object, as trailers are. */
function arranged(fields: Fields, isExact: boolean, isObject: boolean): Fields {
  const values = fields.map(([name, value]): Field => [name, isExact ? value : withoutBlanks(value)]);
  return isObject
    ? Object.entries(objectOf(values)).flatMap(([name, all]) => all.map((one): Field => [name, one]))
    : values;
}

function sameMessage(seen: Message | null, sent: Message, isExact: boolean, where: string): void {
  assert.ok(seen !== null, where);
  if (seen === null) return;
  const isLatin = (fields: Fields): Fields => arranged(fields, isExact, false);
  assert.equal(isLatin(seen.head), isLatin(sent.head), where);
  assert.equal(arranged(seen.trailers, isExact, true), arranged(sent.trailers, isExact, true), where);
}

const COMBINATIONS = (["http/1.1", "h2"] as const).flatMap((client) =>
  (["http/1.1", "h2"] as const).map((server) => ({ client, server })),
);

describe("header fields across HTTP versions", (test) => {
  for (const { client, server } of COMBINATIONS) {
    test(`given any fields from ${client} to ${server}, forwards them unchanged, or refuses and names the bad field`, () =>
      withProxy({}, async (proxy) => {
        const answering = new CaseServer();
        const port = await answering.start(proxy, server);
        const session = client === "h2" ? await http2Client(proxy, `https://a.test:${port}`, LOOSE) : null;
        const isExact = client === "h2" && server === "h2";
        let rows = 0;
        const tried = { whole: 0, refused: 0 };
        const run = async (one: Case): Promise<void> => {
          answering.expect(one);
          const seen = await (session === null ? askedOverHttp1(proxy, port, one) : askedOverHttp2(session, port, one));
          const { outcome } = (await proxy.traffic.row(rows)).ended;
          rows += 1;
          const { request, response } = one;
          const where = JSON.stringify({ one, seen, asked: answering.seen, outcome });
          const asked = [...request.head, ...request.trailers].filter(isBad);
          const bad = asked.length > 0 ? asked : [...response.head, ...response.trailers].filter(isBad);
          if (bad.length === 0) {
            assert.is(seen?.status, 200, where);
            sameMessage(answering.seen, request, isExact, where);
            sameMessage(seen?.message ?? null, response, isExact, where);
            assert.is(outcome.kind, "responded", where);
            tried.whole += 1;
            return;
          }
          assert.ok(seen === null || seen.status === (asked.length > 0 ? 400 : 502), where);
          assert.is(
            outcome.kind === "failed" && outcome.errorType,
            `${asked.length > 0 ? "request" : "response"}-malformed`,
            where,
          );
          const detail = outcome.kind === "failed" ? outcome.detail : "";
          assert.ok(
            bad.some(([name]) => detail.includes(` in ${name}`)),
            where,
          );
          tried.refused += 1;
        };
        try {
          const anyCase = fc.record({ request: messageOf(client), response: messageOf(server) });
          await fc.assert(fc.asyncProperty(anyCase, run), {
            numRuns: rounds(80),
            interruptAfterTimeLimit: 50_000,
            includeErrorInReport: true,
            endOnFailure: true,
          });
          const isEverBad = CONTROLS[client].length + CONTROLS[server].length > 0;
          assert.ok(
            tried.whole > (IS_QUICK ? 0 : 10) && (IS_QUICK || !isEverBad || tried.refused > 5),
            JSON.stringify(tried),
          );
        } finally {
          session?.destroy();
          await answering.stop();
        }
      }));
  }
});
