import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { IS_QUICK, rounds, someOf } from "../../../../support/rounds.ts";
import { BAD_REQUESTS, BAD_RESPONSES } from "./corpus.ts";
import { anyRequest, anyResponse, places } from "./generated.ts";
import { REPAIRED_RESPONSES } from "./repaired.ts";
import { cutAt, forwardedOf, requestsAhead, requestsIn, responsesIn, type Transcript } from "./transcript.ts";
import { GOOD_REQUESTS, GOOD_RESPONSES } from "./valid.ts";

/** Longer messages are tried with some splits only. */
const SHORT = 400;

describe("HTTP/1.1 messages cut into pieces", (test) => {
  test("given generated requests cut anywhere, reads them as they were made", () => {
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 1, maxLength: 4 }), places, (requests, places) => {
        const bytes = requests.map((request) => request.bytes).join("");
        const transcript = requestsIn(cutAt(bytes, places));
        const { messages, problem } = transcript;
        assert.is(problem, null, problem?.reason);
        assert.equal(
          messages.map(carried),
          requests.map(({ body, headers }) => ({ body, headers })),
        );
        assert.is(forwardedOf(transcript), requests.map(({ forwarded }) => forwarded).join(""));
      }),
      { numRuns: rounds(400) },
    );
  });

  test("given generated requests that arrive far ahead of being read, forwards them as they were made", () => {
    const turns = fc.array(fc.boolean(), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 2, maxLength: 4 }), places, turns, (requests, places, turns) => {
        const bytes = requests.map((request) => request.bytes).join("");
        const transcript = requestsAhead(cutAt(bytes, places), turns);
        assert.is(transcript.problem, null, transcript.problem?.reason);
        assert.is(forwardedOf(transcript), requests.map(({ forwarded }) => forwarded).join(""));
      }),
      { numRuns: rounds(400) },
    );
  });

  test("given generated responses cut anywhere, reads them as they were made", () => {
    fc.assert(
      fc.property(anyResponse, places, (response, places) => {
        const transcript = responsesIn(cutAt(response.bytes, places), "GET");
        const { messages, problem } = transcript;
        assert.is(problem, null, problem?.reason);
        assert.equal(messages.map(carried), [{ body: response.body, headers: response.headers }]);
        assert.is(forwardedOf(transcript), response.forwarded);
        assert.equal([...transcript.repairs], []);
      }),
      { numRuns: rounds(400) },
    );
  });

  test("given every request of the tables, reads the same in two pieces cut anywhere and byte by byte", () => {
    for (const { title, bytes } of someOf([...BAD_REQUESTS, ...GOOD_REQUESTS])) sameInPieces(title, bytes, requestsIn);
  });

  test("given every response of the tables, reads the same in two pieces cut anywhere and byte by byte", () => {
    for (const { title, bytes, method } of someOf(BAD_RESPONSES)) {
      sameInPieces(title, bytes, (pieces) => responsesIn(pieces, method));
    }
    for (const { title, bytes, to } of someOf(GOOD_RESPONSES))
      sameInPieces(title, bytes, (pieces) => responsesIn(pieces, to));
    for (const { title, bytes, method } of someOf(REPAIRED_RESPONSES))
      sameInPieces(title, bytes, (pieces) => responsesIn(pieces, method));
  });
});

/** Errors of careless servers, and text that resembles them. */
const SLIPS = [
  "\r",
  "\n",
  "\r\n",
  " ",
  "\t",
  ":",
  ";",
  ",",
  "0",
  "a",
  " chunked",
  "Content-Length: 5\r\n",
  "\n\n",
  "\0",
];
const slips = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...SLIPS)), { minLength: 1, maxLength: 3 });

describe("faulty responses cut into pieces", (test) => {
  test("given responses with random slips, reads the same in any pieces and forwards only strictly valid ones", () => {
    const repaired = fc.constantFrom(...REPAIRED_RESPONSES.filter(({ method }) => method === "GET"));
    let count = 0;
    fc.assert(
      fc.property(fc.oneof(anyResponse, repaired), slips, places, ({ bytes }, slips, places) => {
        let text = bytes;
        for (const [at, length, slip] of slips) {
          const index = at % (text.length + 1);
          text = text.slice(0, index) + slip + text.slice(index + length);
        }
        const whole = responsesIn([Buffer.from(text, "latin1")], "GET");
        assert.is(told(responsesIn(cutAt(text, places), "GET")), told(whole), JSON.stringify(text));
        if (whole.problem !== null || whole.repairs.size === 0) return;
        count += 1;
        const again = responsesIn([Buffer.from(forwardedOf(whole), "latin1")], "GET");
        assert.equal([again.problem, [...again.repairs]], [null, []], JSON.stringify(text));
        assert.equal(again.messages.map(carried), whole.messages.map(carried), JSON.stringify(text));
      }),
      { numRuns: rounds(3_000) },
    );
    assert.ok(count > (IS_QUICK ? 0 : 100), `only ${count} were repaired`);
  });
});

function sameInPieces(title: string, bytes: string, read: (pieces: readonly Buffer[]) => Transcript<object>): void {
  const whole = told(read([Buffer.from(bytes, "latin1")]));
  const places = bytes.length <= SHORT ? Array.from(bytes, (_, index) => index) : [1, 20, 40, 1_000, bytes.length - 1];
  for (const position of places) assert.is(told(read(cutAt(bytes, [position]))), whole, `${title}, cut at ${position}`);
  if (bytes.length > SHORT) return;
  assert.is(told(read(cutAt(bytes, places))), whole, `${title}, byte by byte`);
}

/**
 * A transcript as text, without the reason of a refusal, since either of two faults may be found first, and without the
 * repairs of a refused message.
 */
function told({ messages, problem, ...more }: Transcript<object> & { readonly repairs?: ReadonlySet<string> }): string {
  return JSON.stringify([messages, problem?.status, problem === null ? [...(more.repairs ?? [])].sort() : []]);
}

function carried({
  head,
  data,
}: {
  head: { headers: readonly { name: string; value: string }[] };
  data: string;
}): object {
  return { body: data, headers: head.headers.map(({ name, value }) => [name, value]) };
}
