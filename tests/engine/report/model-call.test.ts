import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { arrivalsOf, readModelCall } from "../../../src/engine/report/model-call.ts";
import { eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import {
  type Answer,
  eventsOfModel,
  MODEL_STREAMS,
  type ModelStream,
  pathOfModel,
  requestOfModel,
  streamTypeOf,
} from "../../support/model-streams.ts";
import { rounds } from "../../support/rounds.ts";
import { withStored } from "../../support/stored.ts";

/** The capture of a streamed answer that begins at 1 s, with `gap` ms before each event. */
function captured(number: number, api: ModelStream, answer: Answer, gap: number): readonly CaptureEvent[] {
  const id = number as ExchangeId;
  const events = eventsOfModel(api, answer);
  const response = events.map(({ text }) => text).join("");
  const request = requestOfModel(api, answer.model, "be short", "hello");
  const made = exchange({
    id: number,
    method: "POST",
    target: pathOfModel(api, answer.model),
    start: 1_000,
    end: 90_000,
    contentType: streamTypeOf(api).split(";")[0] ?? null,
    tags: [streamTypeOf(api) === "text/event-stream" ? "event-stream" : "stream"],
    requestBodySize: request.length,
    encodedBodySize: response.length,
  });
  const messages = events.map(({ text }, index) => ({
    ...({ type: "message-captured", id, side: "response", kind: "event", cut: false } as const),
    at: instant(1_000 + (index + 1) * gap),
    size: text.length,
    bytes: Buffer.from(text),
  }));
  return eventsOf(made).flatMap((event): readonly CaptureEvent[] => {
    if (event.type === "request-started")
      return [event, { type: "body-captured", id, side: "request", bytes: Buffer.from(request) }];
    if (event.type !== "response-started") return [event];
    return [event, { type: "body-captured", id, side: "response", bytes: Buffer.from(response) }, ...messages];
  });
}

describe("stored language model calls", (test) => {
  test("given a stored stream of each shape, reads its figures from the stored bodies and arrivals", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 50, max: 5_000 }), fc.integer({ min: 2, max: 9_000 }), async (gap, output) => {
        const answer = { model: "small", words: ["a", "b", "c"], input: 9, output, cached: 0 };
        await withStored(
          [{ sketch: { id: 9, target: "/v1/messages", end: null } }],
          async ({ session, reader, capture }) => {
            const read = (number: number) => {
              const made = session.exchange(number as ExchangeId);
              if (made === null) throw new Error("not stored");
              return { made, call: readModelCall(reader, made) };
            };
            for (const [index, api] of MODEL_STREAMS.entries()) {
              capture(captured(index + 1, api, answer, gap));
              const events = eventsOfModel(api, answer);
              const { made, call } = read(index + 1);
              const { output: counted, firstToken, longestPause, prompt } = (await call) ?? {};
              const first = events.findIndex(({ isToken }) => isToken);
              assert.equal([counted, firstToken, longestPause], [output, (first + 1) * gap, gap], api);
              assert.ok((prompt?.length ?? 0) > 0);
              assert.is(arrivalsOf(reader, made)?.length, events.length);
            }
            assert.is(await read(9).call, null, "it has not ended");
          },
        );
      }),
      { numRuns: rounds(5) },
    ));
});
