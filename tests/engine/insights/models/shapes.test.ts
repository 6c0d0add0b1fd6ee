import * as assert from "uvu/assert";
import { SHAPES } from "../../../../src/engine/insights/models/shapes.ts";
import { describe } from "../../../support/describe.ts";

describe("shapes of model stream events", (test) => {
  test("given reasoning in an event, it is a token and known as reasoning; its summary is known as one", () => {
    const reasoning = [
      SHAPES["openai-chat"]({ choices: [{ delta: { reasoning_content: "hm" } }] }),
      SHAPES["openai-responses"]({ type: "response.reasoning_text.delta", delta: "hm" }),
    ];
    for (const one of reasoning)
      assert.equal([one?.isToken, one?.isReasoning, one?.isSummary ?? false], [true, true, false]);
    const summaries = [
      SHAPES["openai-responses"]({ type: "response.reasoning_summary_text.delta", delta: "hm" }),
      SHAPES.gemini({ candidates: [{ content: { parts: [{ text: "hm", thought: true }] } }] }),
    ];
    for (const one of summaries)
      assert.equal([one?.isToken, one?.isReasoning ?? false, one?.isSummary], [true, false, true]);
  });

  test("given messages and responses of other programs, they have no shape", () => {
    for (const one of [
      { type: "message", message: { id: 1, text: "hi" } },
      { type: "message", text: "hello" },
    ])
      assert.is(SHAPES.anthropic(one), null);
    assert.is(SHAPES["openai-responses"]({ type: "response.saved", id: 3 }), null);
  });

  test("given cached tokens, Anthropic's input counts what was read, written and fresh", () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 50, cache_creation_input_tokens: 7, output_tokens: 1 };
    const told = SHAPES.anthropic({ type: "message_start", message: { model: "m", usage } });
    assert.equal([told?.input, told?.cached, told?.output], [60, 50, null]);
  });

  test("given hidden tokens and the server's own time, they are told", () => {
    const usage = { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } };
    const chat = SHAPES["openai-chat"]({
      object: "chat.completion.chunk",
      choices: [],
      x_groq: { usage: { ...usage, completion_time: 0.25 } },
    });
    assert.equal([chat?.output, chat?.hidden, chat?.generation], [9, 4, 250]);
    // Of 30 tokens in all, 10 are input: the output counts those of reasoning, or not.
    for (const [output_tokens, output] of [
      [20, 20],
      [13, 20],
    ]) {
      const told = {
        input_tokens: 10,
        output_tokens,
        total_tokens: 30,
        output_tokens_details: { reasoning_tokens: 7 },
      };
      const response = { object: "response", usage: told };
      assert.equal(SHAPES["openai-responses"]({ type: "response.completed", response })?.output, output);
    }
    const gemini = SHAPES.gemini({ usageMetadata: { candidatesTokenCount: 5, thoughtsTokenCount: 4 } });
    assert.equal([gemini?.output, gemini?.hidden], [9, 4]);
    const ollama = SHAPES.ollama({
      model: "m",
      done: true,
      eval_duration: 2_000_000,
      created_at: "2026-01-01T00:00:00.123456789Z",
    });
    assert.equal([ollama?.generation, ollama?.madeAt], [2, Date.UTC(2026, 0, 1, 0, 0, 0, 123)]);
  });

  test("given why an answer ended early, it is told", () => {
    const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    assert.is(SHAPES["openai-responses"]({ type: "response.incomplete", response: cut })?.finish, "max_output_tokens");
    assert.is(
      SHAPES["openai-responses"]({ type: "response.created", response: { status: "in_progress" } })?.finish,
      null,
    );
  });

  test("given an error, its name is told in whatever form it comes", () => {
    const chat = SHAPES["openai-chat"];
    for (const [told, name] of [
      [chat({ error: { message: "no", type: "server_error", code: null } }), "server_error"],
      [chat({ error: { message: "no", type: "requests", code: "rate_limit_exceeded" } }), "rate_limit_exceeded"],
      // OpenRouter: https://openrouter.ai/docs/api/reference/errors-and-debugging
      [
        chat({ choices: [{ delta: { content: "" }, finish_reason: "error" }], error: { code: 502, message: "no" } }),
        "502",
      ],
      [chat({ error: { message: "no" } }), "no"],
      [chat({ error: {} }), "error"],
      [SHAPES["openai-responses"]({ type: "error", code: "server_error", message: "no" }), "server_error"],
      [
        SHAPES["openai-responses"]({
          type: "response.failed",
          response: { status: "failed", error: { code: "rate_limit_exceeded", message: "no" } },
        }),
        "rate_limit_exceeded",
      ],
      [SHAPES.anthropic({ type: "error", error: { type: "overloaded_error" } }), "overloaded_error"],
      [SHAPES.gemini({ error: { code: 503, message: "no", status: "UNAVAILABLE" } }), "UNAVAILABLE"],
      [SHAPES.ollama({ error: "the model failed" }), "the model failed"],
    ] as const)
      assert.is(told?.error, name);
    assert.is(chat({ choices: [{ delta: { content: "a" } }], error: null })?.error, null);
    assert.is(SHAPES["openai-responses"]({ type: "response.completed", response: { error: null } })?.error, null);
  });

  test("given counts that are no counts, they are not known", () => {
    for (const count of [-1, 0.5, Number.POSITIVE_INFINITY, "7", null, {}])
      assert.is(SHAPES.ollama({ model: "m", done: true, eval_count: count })?.output, null);
  });
});
