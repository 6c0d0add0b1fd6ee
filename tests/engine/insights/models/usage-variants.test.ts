import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type ModelCall, modelCallOf } from "../../../../src/engine/insights/models/read-call.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";

const tokens = fc.integer({ min: 0, max: 200_000 });

/** What a service says that a call used. `hidden`: tokens of reasoning. */
const used = fc
  .record({ input: tokens, visible: tokens, hidden: tokens, share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ share, ...rest }) => ({ ...rest, cached: Math.floor(rest.input * share) }));

const delta = (part: object, finish: string | null = null) => ({
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta: part, finish_reason: finish }],
});

/** A stream of the chat API whose events come 100 ms apart. */
function streamed(events: readonly object[]): ModelCall | null {
  return modelCallOf({
    target: "/v1/chat/completions",
    contentType: "text/event-stream",
    requestText: "",
    start: 0 as Instant,
    responseText: `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`,
    arrivals: [...events, {}].map((_, index) => ((index + 1) * 100) as Instant),
  });
}

const counts = (call: ModelCall | null) => [call?.input, call?.output, call?.cached];

describe("token usage of OpenAI-compatible services", (test) => {
  test("given xAI's usage, which counts reasoning beside the completion, the output is what it bills", () => {
    // https://docs.x.ai/docs/key-information/consumption-and-rate-limits
    fc.assert(
      fc.property(used, ({ input, visible, hidden, cached }) => {
        const usage = {
          prompt_tokens: input,
          completion_tokens: visible,
          total_tokens: input + visible + hidden,
          prompt_tokens_details: { text_tokens: input, audio_tokens: 0, image_tokens: 0, cached_tokens: cached },
          completion_tokens_details: { reasoning_tokens: hidden, audio_tokens: 0 },
          num_sources_used: 0,
        };
        const words = Array.from({ length: 5 }, (_, index) => ({
          ...delta({ content: "word" }),
          usage: { ...usage, completion_tokens: index, total_tokens: input + index + hidden },
        }));
        const call = streamed([...words, { ...delta({}, "stop"), usage }]);
        assert.equal(counts(call), [input, visible + hidden, cached]);
        // Four of five words came after the first, over 400 ms; what is hidden came to nobody.
        const perSecond = (((visible * 4) / 5) * 1_000) / 400;
        const isKnown = visible * 4 >= 5 && perSecond <= 5_000;
        assert.equal(call?.rate, isKnown ? { perSecond, isAbout: false } : null);
      }),
    );
  });

  test("given Mistral's usage and its reasoning as a list, the figures and the first token are told", () => {
    // https://docs.mistral.ai/inference/conversations/advanced/prompt-caching
    fc.assert(
      fc.property(used, ({ input, visible, hidden, cached }) => {
        const usage = {
          prompt_tokens: input,
          total_tokens: input + visible + hidden,
          completion_tokens: visible + hidden,
          prompt_tokens_details: { cached_tokens: cached },
        };
        const call = streamed([
          delta({ role: "assistant", content: "" }),
          delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
          delta({ content: [{ type: "text", text: "word" }] }),
          { ...delta({ content: "" }, "stop"), usage },
        ]);
        assert.equal(counts(call), [input, visible + hidden, cached]);
        assert.equal([call?.firstToken, call?.longestPause, call?.finish], [200, 100, "stop"]);
      }),
    );
  });

  test("given DeepSeek's usage, what its cache hit is cached, and reasoning is a part of the output", () => {
    // https://api-docs.deepseek.com/guides/kv_cache
    fc.assert(
      fc.property(used, ({ input, visible, hidden, cached }) => {
        const usage = {
          prompt_tokens: input,
          completion_tokens: visible + hidden,
          total_tokens: input + visible + hidden,
          completion_tokens_details: { reasoning_tokens: hidden },
          prompt_cache_hit_tokens: cached,
          prompt_cache_miss_tokens: input - cached,
        };
        const call = streamed([
          delta({ reasoning_content: "hm" }),
          delta({ content: "word" }),
          { ...delta({ content: "", reasoning_content: null }, "stop"), usage },
        ]);
        assert.equal([...counts(call), call?.firstToken], [input, visible + hidden, cached, 100]);
      }),
    );
  });

  test("given OpenRouter's usage and comments, the figures are its own", () => {
    // https://openrouter.ai/docs/use-cases/usage-accounting
    fc.assert(
      fc.property(used, fc.double({ min: 0, max: 9, noNaN: true }), ({ input, visible, hidden, cached }, cost) => {
        const usage = {
          completion_tokens: visible + hidden,
          completion_tokens_details: { reasoning_tokens: hidden },
          cost,
          cost_details: { upstream_inference_cost: cost },
          is_byok: false,
          prompt_tokens: input,
          prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
          total_tokens: input + visible + hidden,
        };
        const call = modelCallOf({
          target: "/api/v1/chat/completions",
          contentType: "text/event-stream",
          requestText: "",
          responseText: [
            ": OPENROUTER PROCESSING\n\n",
            ...[delta({ content: "word", reasoning: "hm" }), { ...delta({ content: "" }, "stop"), usage }].map(
              (event) => `data: ${JSON.stringify({ ...event, provider: "Some" })}\n\n`,
            ),
          ].join(""),
          start: 0 as Instant,
          arrivals: [300 as Instant, 400 as Instant],
        });
        assert.equal([...counts(call), call?.firstToken], [input, visible + hidden, cached, 300]);
      }),
    );
  });

  test("given Azure's filter results, with an empty list of choices or none, they are no token", () => {
    // https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming
    fc.assert(
      fc.property(used, fc.boolean(), fc.boolean(), ({ input, visible, hidden, cached }, hasChoices, isNamed) => {
        const filter = { prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: "safe" } } };
        const usage = {
          prompt_tokens: input,
          completion_tokens: visible + hidden,
          total_tokens: input + visible + hidden,
          prompt_tokens_details: { cached_tokens: cached },
          completion_tokens_details: { reasoning_tokens: hidden },
        };
        const call = streamed([
          {
            ...(hasChoices ? { choices: [] } : {}),
            created: 0,
            id: "",
            model: "",
            object: isNamed ? "chat.completion.chunk" : "",
            prompt_filter_results: [filter],
          },
          delta({ role: "assistant", content: "" }),
          delta({ content: "word" }),
          {
            id: "",
            object: "",
            created: 0,
            model: "",
            choices: [
              {
                index: 0,
                finish_reason: null,
                content_filter_results: filter.content_filter_results,
                content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
              },
            ],
          },
          delta({}, "stop"),
          { object: "chat.completion.chunk", model: "m", choices: [], usage },
        ]);
        assert.equal(counts(call), [input, visible + hidden, cached]);
        assert.equal([call?.model, call?.firstToken, call?.longestPause, call?.error], ["m", 300, null, null]);
      }),
    );
  });
});
