import type { ModelApi } from "../../src/engine/model/endpoint.ts";

/** An answer of a language model, in any API's shape. */
export interface Answer {
  readonly model: string;
  readonly words: readonly string[];
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** The names of the tools that are called after the words. */
  readonly tools?: readonly string[];
  /** Whether the events count tokens. Anthropic's, Gemini's and Ollama's always do. */
  readonly isCounted?: boolean;
}

export const MODEL_APIS: readonly ModelApi[] = ["openai-chat", "openai-responses", "anthropic", "gemini", "ollama"];

/** An API and how it streams: Gemini's answer is one list where `alt=sse` is not asked for. */
export type ModelStream = ModelApi | "gemini-list";

export const MODEL_STREAMS: readonly ModelStream[] = [...MODEL_APIS, "gemini-list"];

export function apiOfStream(stream: ModelStream): ModelApi {
  return stream === "gemini-list" ? "gemini" : stream;
}

export interface SentEvent {
  /** As sent, with the line ends that end it. */
  readonly text: string;
  readonly isToken: boolean;
}

export function pathOfModel(api: ModelStream, model: string): string {
  switch (api) {
    case "openai-chat":
      return "/v1/chat/completions";
    case "openai-responses":
      return "/v1/responses";
    case "anthropic":
      return "/v1/messages";
    case "gemini":
      return `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
    case "gemini-list":
      return `/v1/projects/p/publishers/google/models/${model}:streamGenerateContent`;
    case "ollama":
      return "/api/chat";
  }
}

export function streamTypeOf(api: ModelStream): string {
  if (api === "gemini-list") return "application/json; charset=UTF-8";
  return api === "ollama" ? "application/x-ndjson" : "text/event-stream";
}

/** The finish reason that each API tells of a whole answer. */
export const FINISHED: Readonly<Record<ModelStream, string>> = {
  "openai-chat": "stop",
  "openai-responses": "completed",
  anthropic: "end_turn",
  gemini: "STOP",
  "gemini-list": "STOP",
  ollama: "stop",
};

/** The request for a prompt of one user's message behind a system prompt. */
export function requestOfModel(api: ModelStream, model: string, system: string, user: string): string {
  switch (api) {
    case "openai-responses":
      return JSON.stringify({ model, stream: true, instructions: system, input: user });
    case "anthropic":
      return JSON.stringify({
        model,
        stream: true,
        max_tokens: 99,
        system,
        messages: [{ role: "user", content: user }],
      });
    case "gemini":
    case "gemini-list":
      return JSON.stringify({
        systemInstruction: { parts: [{ text: system }] },
        contents: [{ role: "user", parts: [{ text: user }] }],
      });
    default:
      return JSON.stringify({
        model,
        stream: true,
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
      });
  }
}

/** The events of a streamed answer. `generation`: what the server says of its own pace, in ms; only Ollama tells. */
export function eventsOfModel(api: ModelStream, answer: Answer, generation = 0): readonly SentEvent[] {
  if (api === "ollama") return ollamaEvents(answer, generation);
  if (api === "gemini-list") return listOf(gemini(answer));
  const events = { "openai-chat": chatEvents, "openai-responses": responseEvents, anthropic: messageEvents, gemini };
  return events[api](answer).map(({ data, isToken }) => ({
    text: `${api === "anthropic" || api === "openai-responses" ? `event: ${(data as { type: string }).type}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`,
    isToken,
  }));
}

/** The event with which a stream tells an error of this name. `isFirst`: whether no event came before it. */
export function errorOfModel(api: ModelStream, name: string, isFirst: boolean): string {
  const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
  const google = { error: { code: 503, message: "It does not work.", status: name } };
  switch (api) {
    case "openai-chat":
      return event({ error: { message: "It does not work.", type: name, param: null, code: null } });
    case "openai-responses":
      return `event: error\n${event({ type: "error", code: name, message: "It does not work.", param: null })}`;
    case "anthropic":
      return `event: error\n${event({ type: "error", error: { type: name, message: "It does not work." } })}`;
    case "gemini":
      return event(google);
    case "gemini-list":
      return `${isFirst ? "[" : "\n,\r\n"}${JSON.stringify(google, null, 2)}\n]`;
    case "ollama":
      return `${JSON.stringify({ error: name })}\n`;
  }
}

/** The answer as one JSON text, without a stream. */
export function wholeOfModel(api: ModelApi, answer: Answer): string {
  const { model, words, input, output, cached } = answer;
  const text = words.join("");
  const tools = answer.tools ?? [];
  switch (api) {
    case "openai-chat":
      return JSON.stringify({
        object: "chat.completion",
        model,
        choices: [
          {
            finish_reason: "stop",
            message: { role: "assistant", content: text, tool_calls: tools.map((name) => ({ function: { name } })) },
          },
        ],
        usage: {
          prompt_tokens: input,
          completion_tokens: output,
          prompt_tokens_details: { cached_tokens: cached },
        },
      });
    case "openai-responses":
      return JSON.stringify({
        object: "response",
        model,
        status: "completed",
        output: [
          { type: "message", content: [{ type: "output_text", text }] },
          ...tools.map((name) => ({ type: "function_call", name })),
        ],
        usage: { input_tokens: input, output_tokens: output, input_tokens_details: { cached_tokens: cached } },
      });
    case "anthropic":
      return JSON.stringify({
        type: "message",
        model,
        content: [{ type: "text", text }, ...tools.map((name) => ({ type: "tool_use", name }))],
        stop_reason: "end_turn",
        usage: { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: output },
      });
    case "gemini":
      return JSON.stringify({
        candidates: [
          {
            content: { parts: [{ text }, ...tools.map((name) => ({ functionCall: { name } }))] },
            finishReason: "STOP",
          },
        ],
        modelVersion: model,
        usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, cachedContentTokenCount: cached },
      });
    case "ollama":
      return JSON.stringify({
        model,
        message: { content: text, tool_calls: tools.map((name) => ({ function: { name } })) },
        done: true,
        done_reason: "stop",
        prompt_eval_count: input,
        eval_count: output,
      });
  }
}

interface Event {
  readonly data: object | string;
  readonly isToken: boolean;
}

const token = (data: object): Event => ({ data, isToken: true });
const other = (data: object | string): Event => ({ data, isToken: false });

function chatEvents({ model, words, input, output, cached, tools = [], isCounted = true }: Answer): readonly Event[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    object: "chat.completion.chunk",
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  return [
    other(chunk({ role: "assistant", content: "" })),
    ...words.map((content) => token(chunk({ content }))),
    ...tools.map((name) => token(chunk({ tool_calls: [{ index: 0, id: "call", function: { name } }] }))),
    other(chunk({}, "stop")),
    ...(isCounted ? [other({ object: "chat.completion.chunk", model, choices: [], usage })] : []),
    other("[DONE]"),
  ];
}

function responseEvents({ model, words, input, output, cached, tools = [], isCounted = true }: Answer) {
  const usage = { input_tokens: input, output_tokens: output, input_tokens_details: { cached_tokens: cached } };
  const response = { object: "response", model };
  return [
    other({ type: "response.created", response: { ...response, status: "in_progress" } }),
    ...words.map((delta) => token({ type: "response.output_text.delta", delta })),
    ...tools.map((name) => other({ type: "response.output_item.added", item: { type: "function_call", name } })),
    other({
      type: "response.completed",
      response: { ...response, status: "completed", ...(isCounted ? { usage } : {}) },
    }),
  ];
}

function messageEvents({ model, words, input, output, cached, tools = [] }: Answer) {
  const usage = { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: 1 };
  return [
    other({ type: "message_start", message: { type: "message", model, usage } }),
    other({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    other({ type: "ping" }),
    ...words.map((text) => token({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    ...tools.map((name) => other({ type: "content_block_start", index: 1, content_block: { type: "tool_use", name } })),
    other({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: output } }),
    other({ type: "message_stop" }),
  ];
}

function gemini({ model, words, input, output, cached, tools = [] }: Answer) {
  const chunk = (part: object, more: object = {}) => ({
    candidates: [{ content: { parts: [part], role: "model" }, index: 0, ...more }],
    modelVersion: model,
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, cachedContentTokenCount: cached },
  });
  return [
    ...words.map((text) => token(chunk({ text }))),
    ...tools.map((name) => token(chunk({ functionCall: { name } }))),
    other(chunk({}, { finishReason: "STOP" })),
  ];
}

/** One JSON list over several lines, each event with the sign before it; the last one ends the list. */
function listOf(events: readonly Event[]): readonly SentEvent[] {
  return events.map(({ data, isToken }, index) => ({
    text: `${index === 0 ? "[" : "\n,\r\n"}${JSON.stringify(data, null, 2)}${index === events.length - 1 ? "\n]" : ""}`,
    isToken,
  }));
}

function ollamaEvents(answer: Answer, generation: number): readonly SentEvent[] {
  const { model, words, input, output, tools = [] } = answer;
  const line = (value: object) => `${JSON.stringify({ model, ...value })}\n`;
  return [
    ...words.map((content) => ({ text: line({ message: { content }, done: false }), isToken: true })),
    ...tools.map((name) => ({
      text: line({ message: { content: "", tool_calls: [{ function: { name } }] }, done: false }),
      isToken: true,
    })),
    {
      text: line({
        message: { content: "" },
        done: true,
        done_reason: "stop",
        prompt_eval_count: input,
        eval_count: output,
        ...(generation === 0 ? {} : { eval_duration: Math.round(generation * 1e6) }),
      }),
      isToken: false,
    },
  ];
}
