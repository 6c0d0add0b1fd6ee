import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  dataOfEvents,
  elementsOfJson,
  linesOfJson,
  type ModelCall,
  modelCallOf,
} from "../../../../src/engine/insights/models/read-call.ts";
import { describe } from "../../../support/describe.ts";
import {
  type Answer,
  apiOfStream,
  errorOfModel,
  eventsOfModel,
  FINISHED,
  MODEL_APIS,
  MODEL_STREAMS,
  type ModelStream,
  pathOfModel,
  requestOfModel,
  streamTypeOf,
  wholeOfModel,
} from "../../../support/model-streams.ts";

type At = NonNullable<NonNullable<Parameters<typeof modelCallOf>[0]["arrivals"]>[number]>;

const START = 1_000 as At;

const counted = fc
  .record({
    model: fc.stringMatching(/^[a-z][a-z0-9.-]{0,30}$/),
    words: fc.array(fc.stringMatching(/^\S{1,8}$/), { minLength: 2, maxLength: 60 }),
    input: fc.integer({ min: 1, max: 100_000 }),
    output: fc.integer({ min: 2, max: 10_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    tools: fc.array(fc.stringMatching(/^[a-z_]{1,20}$/), { maxLength: 3 }),
  })
  .map(({ share, ...answer }): Answer => ({ ...answer, cached: Math.floor(answer.input * share) }));

/** Times between 100 and 300 ms, so that nothing stalls and nothing is a burst. */
const gaps = fc.array(fc.integer({ min: 100, max: 300 }), { minLength: 100, maxLength: 100 });

interface Streamed {
  readonly call: ModelCall | null;
  /** When each event with a token arrived. */
  readonly tokens: readonly number[];
}

function streamed(api: ModelStream, answer: Answer, between: readonly number[], generation = 0): Streamed {
  const events = eventsOfModel(api, answer, generation);
  let at: number = START;
  const arrivals = events.map((_, index) => {
    at += between[index % between.length] ?? 0;
    return at as At;
  });
  const call = modelCallOf({
    target: pathOfModel(api, answer.model),
    contentType: streamTypeOf(api).split(";")[0] ?? null,
    requestText: requestOfModel(api, answer.model, "be short", "hello"),
    responseText: events.map(({ text }) => text).join(""),
    start: START,
    arrivals,
  });
  return { call, tokens: arrivals.filter((_, index) => events[index]?.isToken) };
}

/** A stream of the responses API: a summary of hidden reasoning, a pause, then text. */
function summarised(hidden: number, words: number, gap: number): ModelCall | null {
  const usage = { output_tokens: hidden + words, output_tokens_details: { reasoning_tokens: hidden } };
  const events = [
    ...Array(12).fill({ type: "response.reasoning_summary_text.delta", delta: "hm" }),
    ...Array(words).fill({ type: "response.output_text.delta", delta: "w" }),
    { type: "response.completed", response: { model: "m", status: "completed", usage } },
  ];
  const arrivals = events.map((_, index) => (START + 5_000 + index * gap + (index < 12 ? 0 : 300)) as At);
  return modelCallOf({
    target: "/v1/responses",
    contentType: "text/event-stream",
    requestText: "{}",
    start: START,
    arrivals,
    responseText: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
  });
}

describe("reading of language model calls", (test) => {
  test("given a summary of hidden reasoning, neither counts the hidden tokens in the rate, nor calls it buffered", () => {
    const drawn = { hidden: fc.integer({ min: 100, max: 50_000 }), words: fc.integer({ min: 20, max: 200 }) };
    fc.assert(
      fc.property(fc.record({ ...drawn, gap: fc.integer({ min: 2, max: 60 }) }), ({ hidden, words, gap }) => {
        const call = summarised(hidden, words, gap);
        assert.equal([call?.firstToken, call?.output, call?.buffered], [5_000, hidden + words, null]);
        assert.equal(call?.rate?.isAbout, false);
        assert.ok(Math.abs((call?.rate?.perSecond ?? 0) / (1_000 / gap) - 1) < 1e-9, `${call?.rate?.perSecond}`);
      }),
    );
  });

  test("given a stream of any shape, tells what it counts and when its tokens came", () => {
    fc.assert(
      fc.property(fc.constantFrom(...MODEL_STREAMS), counted, gaps, (api, answer, between) => {
        const { call, tokens } = streamed(api, answer, between);
        const [first = 0, last = 0] = [tokens[0], tokens.at(-1)];
        assert.equal(
          [call?.api, call?.model, call?.isStream, call?.input, call?.output, call?.finish, call?.tools],
          [apiOfStream(api), answer.model, true, answer.input, answer.output, FINISHED[api], answer.tools],
        );
        assert.is(call?.cached, api === "ollama" ? null : answer.cached);
        assert.is(call?.firstToken, first - START);
        // Each event brings its share of the tokens. No model is quicker than 5,000 tokens a second.
        const perSecond = (((answer.output * (tokens.length - 1)) / tokens.length) * 1_000) / (last - first);
        assert.equal(call?.rate, perSecond > 5_000 ? null : { perSecond, isAbout: false });
        const pauses = tokens.slice(1).map((token, index) => token - (tokens[index] ?? token));
        assert.is(call?.longestPause, Math.max(...pauses));
        assert.equal([call?.stalls, call?.buffered], [[], null]);
      }),
    );
  });

  test("given a stream that counts no tokens, the rate is that of the events, and about", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("openai-chat" as const, "openai-responses" as const),
        counted,
        gaps,
        (api, answer, between) => {
          const { call, tokens } = streamed(api, { ...answer, isCounted: false }, between);
          const span = (tokens.at(-1) ?? 0) - (tokens[0] ?? 0);
          assert.equal(call?.rate, { perSecond: ((tokens.length - 1) * 1_000) / span, isAbout: true });
          assert.is(call?.output, null);
        },
      ),
    );
  });

  test("given a whole answer of any shape, tells model and tokens, and no time to a first token", () => {
    fc.assert(
      fc.property(fc.constantFrom(...MODEL_APIS), counted, (api, answer) => {
        const call = modelCallOf({
          target: pathOfModel(api, answer.model).replace("streamG", "g"),
          contentType: "application/json",
          requestText: "",
          responseText: wholeOfModel(api, answer),
          start: START,
          arrivals: null,
        });
        assert.equal(
          [call?.model, call?.isStream, call?.input, call?.output, call?.finish, call?.tools, call?.firstToken],
          [answer.model, false, answer.input, answer.output, FINISHED[api], answer.tools, null],
        );
      }),
    );
  });

  test("given one long pause among steady tokens, it is the only stall", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MODEL_STREAMS),
        counted,
        fc.nat(),
        fc.integer({ min: 4_000, max: 60_000 }),
        (api, drawn, position, pause) => {
          const answer = { ...drawn, tools: [], words: Array.from({ length: 30 }, () => "word") };
          const events = eventsOfModel(api, answer);
          const from = events.findIndex(({ isToken }) => isToken) + 1 + (position % 29);
          const between = events.map((_, index) => (index === from ? pause : 150));
          const { call } = streamed(api, answer, between);
          assert.equal(
            call?.stalls.map(({ start, end }) => end - start),
            [pause],
          );
          assert.is(call?.usualPause, 150);
        },
      ),
    );
  });

  test("given all events in one burst after a wait in which they were made, the answer was buffered and has no rate", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MODEL_STREAMS),
        counted,
        fc.integer({ min: 1_000, max: 60_000 }),
        (api, drawn, wait) => {
          const words = Array.from({ length: 80 }, () => "word");
          const answer = { ...drawn, words, output: 80, tools: [] };
          const generation = api === "ollama" ? Math.round(wait * 0.9) : 0;
          const { call } = streamed(api, answer, [wait, ...Array.from({ length: 99 }, () => 0)], generation);
          assert.equal(call?.buffered, { certainty: "certain", generation: api === "ollama" ? generation : null });
          assert.is(call?.rate, null);
        },
      ),
    );
  });

  test("given a short answer in one burst after a wait, it was likely buffered; from three events, that is unclear", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MODEL_STREAMS),
        counted,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1_000, max: 60_000 }),
        (api, drawn, count, wait) => {
          const words = Array.from({ length: count }, () => "word");
          const { call } = streamed(api, { ...drawn, words, tools: [] }, [
            wait,
            ...Array.from({ length: 99 }, () => 0),
          ]);
          assert.equal(call?.buffered, { certainty: count < 4 ? "unclear" : "likely", generation: null });
          assert.is(call?.rate, null);
        },
      ),
    );
  });

  test("given an error within a stream of any shape, tells its name and the figures before it", () => {
    const name = fc.constantFrom("overloaded_error", "UNAVAILABLE", "server_error", "the model failed to answer");
    fc.assert(
      fc.property(fc.constantFrom(...MODEL_STREAMS), counted, name, fc.nat(), (api, answer, error, position) => {
        const events = eventsOfModel(api, { ...answer, tools: [] });
        // Behind the last event, nothing follows.
        const before = events.slice(0, position % (events.length - 1));
        const texts = [...before.map(({ text }) => text), errorOfModel(api, error, before.length === 0)];
        const call = modelCallOf({
          target: pathOfModel(api, answer.model),
          contentType: streamTypeOf(api).split(";")[0] ?? null,
          requestText: "",
          responseText: texts.join(""),
          start: START,
          arrivals: texts.map((_, index) => (START + (index + 1) * 100) as At),
        });
        assert.equal([call?.api, call?.isStream, call?.error], [apiOfStream(api), true, error]);
        const first = before.findIndex(({ isToken }) => isToken);
        assert.is(call?.firstToken, first < 0 ? null : (first + 1) * 100);
      }),
    );
  });

  test("given an error in place of a whole response, detects no call", () => {
    for (const api of MODEL_APIS) {
      const responseText = errorOfModel(api, "overloaded_error", true).replace(/^(?:event: error\n)?data: /, "");
      const call = modelCallOf({
        target: pathOfModel(api, "m").replace("streamG", "g"),
        contentType: "application/json",
        responseText,
        requestText: "",
        start: START,
        arrivals: null,
      });
      assert.is(call, null, api);
    }
  });

  test("given a stream of another path or another shape, it is no call", () => {
    const chat = eventsOfModel("openai-chat", { model: "m", words: ["a", "b"], input: 1, output: 2, cached: 0 });
    const of = (target: string, responseText: string) =>
      modelCallOf({
        target,
        contentType: "text/event-stream",
        requestText: "",
        responseText,
        start: START,
        arrivals: [],
      });
    const text = chat.map((event) => event.text).join("");
    assert.ok(of("/v1/chat/completions", text) !== null);
    assert.is(of("/v1/events", text), null);
    for (const data of [
      "hello",
      "{}",
      "[]",
      "[1]",
      '{"progress":4}',
      '{"text":"hi","user":"a"}',
      '{"choices":["a"]}',
      "null",
    ])
      for (const api of MODEL_APIS) assert.is(of(pathOfModel(api, "m"), `data: ${data}\n\n`), null, `${api} ${data}`);
  });

  test("given foreign bytes, whole or cut, gives facts that are finite and bounded, and never throws", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(
        "data: ",
        "\n",
        "\n\n",
        "\r",
        "{",
        "[",
        '"choices"',
        '{"type":"content_block_delta"}',
        '{"model":"a","done":false,"response":"x","eval_count":1e999}',
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...MODEL_STREAMS),
        counted,
        fc.array(piece, { maxLength: 30 }),
        fc.nat(),
        fc.constantFrom("text/event-stream", "application/x-ndjson", "application/json", null),
        fc.array(fc.integer({ min: 0, max: 99_999 }), { maxLength: 30 }),
        (api, answer, pieces, cut, contentType, times) => {
          const sent = eventsOfModel(api, answer)
            .map(({ text }) => text)
            .join("");
          const responseText = sent.slice(0, cut % (sent.length + 1)) + pieces.join("");
          const call = modelCallOf({
            target: pathOfModel(api, "m"),
            contentType,
            requestText: pieces.join(""),
            responseText,
            start: START,
            arrivals: times.toSorted((one, other) => one - other) as readonly number[] as readonly At[],
          });
          if (call === null) return;
          for (const value of [
            call.firstToken,
            call.rate?.perSecond ?? null,
            call.longestPause,
            call.input,
            call.output,
          ])
            assert.ok(value === null || (Number.isFinite(value) && value >= 0), String(value));
          assert.ok((call.model ?? "").length <= 100 && call.tools.length <= 20 && call.stalls.length <= 100);
        },
      ),
    );
  });

  test("given four times as much, reads no more than about four times as long: each event is read once", () => {
    const read = (events: number) => {
      let parsed = 0;
      const { parse } = JSON;
      JSON.parse = (...given) => {
        parsed += given[0].length;
        return parse(...given);
      };
      try {
        const words = Array.from({ length: events }, () => "word");
        streamed("openai-chat", { model: "m", words, input: 1, output: 1, cached: 0 }, [100]);
      } finally {
        JSON.parse = parse;
      }
      return parsed;
    };
    const [few, many] = [read(2_000), read(8_000)];
    assert.ok(many < 4.1 * few, `${few} ${many}`);
  });
});

const line = fc.stringMatching(/^[^\r\n]{0,20}$/);
const end = fc.constantFrom("\n", "\r\n", "\r");

describe("event data of a stream", (test) => {
  test("given events with any line ends, comments and names, gives the data of those that have some", () => {
    const event = fc.record({
      data: fc.array(line, { maxLength: 3 }),
      before: fc.constantFrom("", ": ping", "event: a", "id: 4"),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), end, (events, lineEnd) => {
        const text = events
          .map(({ data, before }) => [before, ...data.map((one) => `data: ${one}`)].filter((one) => one !== ""))
          .map((lines) => `${lines.map((one) => one + lineEnd).join("")}${lineEnd}`)
          .join("");
        const expected = events.filter(({ data }) => data.length > 0).map(({ data }) => data.join("\n"));
        assert.equal(dataOfEvents(text), expected);
      }),
    );
  });

  test("given an event that is cut off, it is none, as for the proxy", () => {
    assert.equal(dataOfEvents("\ufeffdata:a\n\ndata: b\n"), ["a"]);
    assert.equal(dataOfEvents("data\n\n"), [""]);
  });

  test("given lines of JSON, gives those that are not empty, the last one also without an end", () => {
    assert.equal(linesOfJson('{"a":1}\r\n\n{"b":2}\n{"c"'), ['{"a":1}', '{"b":2}', '{"c"']);
  });

  test("given one list, gives its objects as they are written; a last one that is cut off is none", () => {
    assert.equal(elementsOfJson('\ufeff[{"a":"]"}\n,\r\n{"b":[{}]},3,{"c"'), ['{"a":"]"}', '{"b":[{}]}']);
    assert.equal(elementsOfJson('{"a":[{}]}'), []);
  });

  test("given more events than are read, gives the first 100,000", () => {
    assert.is(dataOfEvents("data:a\n\n".repeat(100_001)).length, 100_000);
    assert.is(linesOfJson("1\n".repeat(100_001)).length, 100_000);
    assert.is(elementsOfJson(`[${"{},".repeat(100_001)}`).length, 100_000);
  });
});
