import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { BAD_REQUESTS, BAD_RESPONSES } from "./corpus.ts";
import { anyRequest, anyResponse, places } from "./generated.ts";
import { cutAt, requestsAhead, requestsIn, responsesIn, type Transcript } from "./transcript.ts";
import { GOOD_REQUESTS, GOOD_RESPONSES } from "./valid.ts";

/** Above this only some splits are tried. */
const SHORT = 400;

describe("the same bytes in any pieces", (test) => {
  test("generated requests are read as they were made, however they are cut", () => {
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 1, maxLength: 4 }), places, (requests, places) => {
        const bytes = requests.map((request) => request.bytes).join("");
        const { messages, problem } = requestsIn(cutAt(bytes, places));
        assert.is(problem, null, problem?.reason);
        assert.equal(
          messages.map(carried),
          requests.map(({ body, headers }) => ({ body, headers })),
        );
        assert.is(messages.map(({ head, wire, ending }) => head.text + wire + ending).join(""), bytes);
      }),
      { numRuns: 400 },
    );
  });

  test("generated requests are read as they were made, however far ahead of the reading they come", () => {
    const turns = fc.array(fc.boolean(), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 2, maxLength: 4 }), places, turns, (requests, places, turns) => {
        const bytes = requests.map((request) => request.bytes).join("");
        const { messages, problem } = requestsAhead(cutAt(bytes, places), turns);
        assert.is(problem, null, problem?.reason);
        assert.is(messages.map(({ head, wire, ending }) => head.text + wire + ending).join(""), bytes);
      }),
      { numRuns: 400 },
    );
  });

  test("generated responses are read as they were made, however they are cut", () => {
    fc.assert(
      fc.property(anyResponse, places, (response, places) => {
        const { messages, problem } = responsesIn(cutAt(response.bytes, places), "GET");
        assert.is(problem, null, problem?.reason);
        assert.equal(messages.map(carried), [{ body: response.body, headers: response.headers }]);
        assert.is(messages.map(({ head, wire, ending }) => head.text + wire + ending).join(""), response.bytes);
      }),
      { numRuns: 400 },
    );
  });

  test("every request of the tables says the same in two pieces, cut anywhere, and byte by byte", () => {
    for (const { title, bytes } of [...BAD_REQUESTS, ...GOOD_REQUESTS]) sameInPieces(title, bytes, requestsIn);
  });

  test("every response of the tables says the same in two pieces, cut anywhere, and byte by byte", () => {
    for (const { title, bytes, method } of BAD_RESPONSES) {
      sameInPieces(title, bytes, (pieces) => responsesIn(pieces, method));
    }
    for (const { title, bytes, to } of GOOD_RESPONSES) sameInPieces(title, bytes, (pieces) => responsesIn(pieces, to));
  });
});

function sameInPieces(title: string, bytes: string, read: (pieces: readonly Buffer[]) => Transcript<object>): void {
  const whole = told(read([Buffer.from(bytes, "latin1")]));
  const places = bytes.length <= SHORT ? Array.from(bytes, (_, index) => index) : [1, 20, 40, 1_000, bytes.length - 1];
  for (const place of places) assert.is(told(read(cutAt(bytes, [place]))), whole, `${title}, cut at ${place}`);
  if (bytes.length > SHORT) return;
  assert.is(told(read(cutAt(bytes, places))), whole, `${title}, byte by byte`);
}

/** A transcript as text; the reason is left out, since the first of two faults may be seen first. */
function told({ messages, problem }: Transcript<object>): string {
  return JSON.stringify([messages, problem?.status]);
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
