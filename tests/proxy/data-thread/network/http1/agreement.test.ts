import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { RequestHead, ResponseHead } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { BAD_REQUESTS, BAD_RESPONSES } from "./corpus.ts";
import { anyRequest, anyResponse } from "./generated.ts";
import { LISTED, type Opinion, opinionOn, type Seen } from "./llhttp.ts";
import { REPAIRED_RESPONSES } from "./repaired.ts";
import { forwardedOf, type ReadMessage, requestsIn, responsesIn, type Transcript } from "./transcript.ts";
import { GOOD_REQUESTS, GOOD_RESPONSES } from "./valid.ts";

/*
 * Agreement with Node's own parser: we pass only heads and message ends that Node passes, with the same content; where
 * Node ends a message, we end or refuse it. So we are at least as strict, and where both accept there is one reading.
 * Of a repaired response, the forwarded text is compared. WEIR_FUZZ_SEED repeats a run; a failure prints the seed and
 * the bytes.
 */
const seed = Number(process.env["WEIR_FUZZ_SEED"] ?? 20_261_103);
const RUNS = rounds(6_000);

/** Typical attack input, and every character that ends something. */
const PIECES = [
  ...'\r\n\t \0:;,="\\/*0159afAF+-x\x7f\x80\xff\x0b\x0c_#?@[]',
  ...[
    "\r\n",
    "\n\n",
    "\r\n\r\n",
    "\r\r\n",
    "\r\n ",
    " :",
    ": ",
    "HTTP/1.1",
    "HTTP/1.0",
    "HTTP/2.0",
    "GET ",
    "CONNECT ",
  ],
  ...["Host: b.test\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n"],
  ...[
    "Connection: close\r\n",
    "Connection: Upgrade\r\nUpgrade: x\r\n",
    "chunked",
    "gzip, chunked",
    "0\r\n\r\n",
    "5\r\n",
  ],
  ...["5\r\nhello\r\n", "ffffffffffffffff", "10000000000000000", ";a=b", "GET /b HTTP/1.1\r\nHost: a.test\r\n\r\n"],
  ...["HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 304 X\r\n", " 204 ", " 1xx "],
];

type Mutation = readonly [at: number, length: number, piece: string];
const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom(0, 0, 0, 1, 1, 2, 8), fc.oneof(fc.constantFrom(...PIECES), fc.constant(""))),
  { maxLength: 3 },
);

describe("agreement with llhttp", (test) => {
  const tabled = <T extends { readonly bytes: string }>(rows: readonly T[]): fc.Arbitrary<T> =>
    fc.constantFrom(...rows.filter(({ bytes }) => bytes.length < 2_000));

  test(`given mutated requests that llhttp accepts too, reads the same as llhttp, seed ${seed}`, () => {
    let compared = 0;
    const one = fc.oneof(anyRequest, anyRequest, tabled(GOOD_REQUESTS), tabled(BAD_REQUESTS));
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 2 }), mutations, (parts, mutations) => {
        const bytes = mutated(parts.map((part) => part.bytes).join(""), mutations);
        const ours = requestsIn([Buffer.from(bytes, "latin1")]);
        if (agree(bytes, ours, opinionOn(Buffer.from(bytes, "latin1"), null)) > 0) compared += 1;
      }),
      { numRuns: RUNS, seed, includeErrorInReport: true },
    );
    assert.ok(compared > RUNS / 4, `only ${compared} of ${RUNS} were accepted by both`);
  });

  test(`given mutated responses that llhttp accepts too, reads the same as llhttp, seed ${seed}`, () => {
    let compared = 0;
    const rows = [
      ...GOOD_RESPONSES.map(({ bytes, to }) => ({ bytes, method: to })),
      ...BAD_RESPONSES.map(({ bytes, method }) => ({ bytes, method })),
      ...REPAIRED_RESPONSES.map(({ bytes, method }) => ({ bytes, method })),
    ].filter(({ method }) => method !== "CONNECT");
    const one = fc.oneof(
      anyResponse.map((response) => ({ ...response, method: "GET" })),
      tabled(rows),
    );
    fc.assert(
      fc.property(one, mutations, (response, mutations) => {
        const bytes = mutated(response.bytes, mutations);
        const ours = responsesIn([Buffer.from(bytes, "latin1")], response.method);
        const on = (text: string): number => agree(text, ours, opinionOn(Buffer.from(text, "latin1"), response.method));
        // llhttp rejects a message that we repaired, but accepts its forwarded form.
        const whole = on(forwardedOf(ours));
        if (ours.repairs.size === 0) assert.is(on(bytes), whole);
        if (whole > 0) compared += 1;
      }),
      { numRuns: RUNS, seed, includeErrorInReport: true },
    );
    assert.ok(compared > RUNS / 4, `only ${compared} of ${RUNS} were accepted by both`);
  });
});

/** Bytes over 0x7f in a target, which llhttp refuses and we forward unchanged. */
function isRaw(target: string): boolean {
  return /[\x80-\xff]/.test(target);
}

/** The number of messages that both read completely. */
function agree(bytes: string, ours: Transcript<RequestHead | ResponseHead>, theirs: Opinion): number {
  let whole = 0;
  for (const [index, message] of ours.messages.entries()) {
    const { head } = message;
    if ("method" in head && (!LISTED.has(head.method) || isRaw(head.target))) return whole;
    const seen = theirs.messages[index];
    const where = `message ${index} of ${JSON.stringify(bytes)}; llhttp: ${theirs.error}`;
    if (seen === undefined) throw new Error(`we read a head that llhttp does not: ${where}`);
    sameHead(head, seen, where);
    if (message.ending !== null) {
      sameBody(message, seen, where);
      whole += 1;
    } else if (ours.problem === null) assert.is(seen.isComplete, false, `llhttp ends a body that we do not: ${where}`);
    if (isLast(head)) return whole;
  }
  const next = theirs.messages[ours.messages.length];
  const isOpen = ours.messages.at(-1)?.ending === null;
  assert.ok(next === undefined || ours.problem !== null || isOpen, `llhttp reads more: ${JSON.stringify(bytes)}`);
  return whole;
}

function sameHead(head: RequestHead | ResponseHead, seen: Seen, where: string): void {
  const line = "method" in head ? [head.method, head.target] : [head.status, head.reason];
  assert.equal(line, "method" in head ? [seen.method, seen.target] : [seen.status, seen.reason], where);
  assert.is(head.version, seen.version, where);
  // llhttp reports this before it knows that HEAD leaves the response without a body.
  const isToHead = "status" in head && head.framing.kind === "none";
  if (head.keepAlive && !isToHead) assert.ok(seen.keepAlive, `we go on where llhttp ends: ${where}`);
  if ("method" in head) assert.is(head.keepAlive, seen.keepAlive, where);
  assert.equal(
    head.headers.map(({ raw, name, value }) => [raw.slice(0, name.length), value]),
    seen.headers,
    where,
  );
}

function sameBody(message: ReadMessage<RequestHead | ResponseHead>, seen: Seen, where: string): void {
  assert.ok(seen.isComplete, `we end a body that llhttp does not: ${where}`);
  assert.is(message.data, seen.body, where);
}

/** After such a message neither parser reads on: the connection ends or changes its protocol. */
function isLast(head: RequestHead | ResponseHead): boolean {
  if ("method" in head) return !head.keepAlive || head.method === "CONNECT" || head.upgrade !== null;
  return !head.keepAlive || head.status >= 200 || head.status === 101;
}

function mutated(text: string, mutations: readonly Mutation[]): string {
  return mutations.reduce((bytes, [at, length, piece]) => {
    const index = at % (bytes.length + 1);
    return bytes.slice(0, index) + piece + bytes.slice(index + length);
  }, text);
}
