import type { ModelApi } from "../../model/endpoint.ts";
import { isRecord } from "../../model/json.ts";

/** What one event, or a whole answer, says of a call. */
export interface Told {
  readonly model?: string | null;
  /** Whether the event brings generated content: text, reasoning or the arguments of a tool. */
  readonly isToken?: boolean;
  /** Whether that content is the reasoning itself. */
  readonly isReasoning?: boolean;
  /** Whether that content is a summary of hidden reasoning, which usage does not count. */
  readonly isSummary?: boolean;
  /** The names of tools whose call begins here. */
  readonly tools?: readonly string[];
  readonly finish?: string | null;
  /** What the service calls the error with which it ends the answer: a code, a type or a message. */
  readonly error?: string | null;
  readonly input?: number | null;
  readonly output?: number | null;
  readonly cached?: number | null;
  /** Tokens of `output` that are reasoning, which the client may not see. */
  readonly hidden?: number | null;
  /** How long the server generated, in ms. */
  readonly generation?: number | null;
  /** When the server made the event, in ms since 1970 by its own clock. */
  readonly madeAt?: number | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads one event; `null` if it does not have the API's shape. */
type Shape = (event: Json) => Told | null;

/** Each API's shape. The sources are the providers' references of their streams, as of 2026. */
export const SHAPES: Readonly<Record<ModelApi, Shape>> = {
  // https://platform.openai.com/docs/api-reference/chat-streaming
  "openai-chat": (event) => {
    const { choices, object } = event;
    const isNamed = typeof object === "string" && /^(?:chat\.completion(?:\.chunk)?|text_completion)$/.test(object);
    const error = errorIn(event);
    if (!Array.isArray(choices) || !(isNamed || choices.some(isChoice))) return error === null ? null : { error };
    const all = choices.filter(isRecord);
    const parts = all.map((choice) => recordIn(choice, "delta") ?? recordIn(choice, "message") ?? choice);
    const usage = recordIn(event, "usage") ?? recordIn(recordIn(event, "x_groq"), "usage");
    const hidden = countIn(recordIn(usage, "completion_tokens_details"), "reasoning_tokens");
    return {
      error,
      model: textIn(event, "model"),
      isToken: parts.some(
        (part) =>
          hasText(part, "content", "text") ||
          hasItems(part, "content") ||
          isOpenReasoning(part) ||
          hasItems(part, "tool_calls"),
      ),
      isReasoning: parts.some(isOpenReasoning),
      tools: parts.flatMap((part) => namesIn(listIn(part, "tool_calls").map((call) => recordIn(call, "function")))),
      finish: firstText(all.map((choice) => textIn(choice, "finish_reason"))),
      input: countIn(usage, "prompt_tokens"),
      output: outputIn(usage, ["prompt_tokens", "completion_tokens"], hidden),
      cached:
        countIn(recordIn(usage, "prompt_tokens_details"), "cached_tokens") ?? countIn(usage, "prompt_cache_hit_tokens"),
      hidden,
      generation: inUnits(numberIn(usage, "completion_time"), 1_000),
    };
  },
  // https://platform.openai.com/docs/api-reference/responses-streaming
  "openai-responses": (event) => {
    const type = textIn(event, "type") ?? "";
    if (type === "error") return { error: textIn(event, "code") ?? errorIn(event) ?? textIn(event, "message") ?? type };
    const response = event["object"] === "response" ? event : recordIn(event, "response");
    if (response !== event && !RESPONSE_EVENT.test(type)) return null;
    const usage = recordIn(response, "usage");
    const hidden = countIn(recordIn(usage, "output_tokens_details"), "reasoning_tokens");
    const items = type === "response.output_item.added" ? [event["item"]] : listIn(event, "output");
    const reason = textIn(recordIn(response, "incomplete_details"), "reason");
    const status = textIn(response, "status");
    return {
      error: errorIn(response),
      model: textIn(response, "model"),
      isToken: type.endsWith(".delta"),
      isReasoning: type === "response.reasoning_text.delta",
      isSummary: type === "response.reasoning_summary_text.delta",
      tools: namesIn(items.filter((item) => isRecord(item) && /_call$/.test(textIn(item, "type") ?? ""))),
      finish: reason ?? (status === "in_progress" || status === "queued" ? null : status),
      input: countIn(usage, "input_tokens"),
      output: outputIn(usage, ["input_tokens", "output_tokens"], hidden),
      cached: countIn(recordIn(usage, "input_tokens_details"), "cached_tokens"),
      hidden,
    };
  },
  // https://docs.anthropic.com/en/docs/build-with-claude/streaming
  anthropic: (event) => {
    const type = textIn(event, "type") ?? "";
    if (type === "error") return { error: errorIn(event) ?? type };
    if (!/^(?:message(?:_start|_delta|_stop)?|content_block_(?:start|delta|stop))$/.test(type)) return null;
    const message = type === "message" ? event : recordIn(event, "message");
    const usage = recordIn(message, "usage") ?? recordIn(event, "usage");
    // Chats have messages, too; a whole answer has a list of blocks.
    if (type === "message" && !Array.isArray(event["content"])) return null;
    const read = countIn(usage, "cache_read_input_tokens");
    const fresh = countIn(usage, "input_tokens");
    const blocks = type === "message" ? listIn(event, "content") : [event["content_block"]];
    return {
      model: textIn(message, "model"),
      isToken: type === "content_block_delta",
      tools: namesIn(blocks.filter((block) => isRecord(block) && /tool_use$/.test(textIn(block, "type") ?? ""))),
      finish: textIn(recordIn(event, "delta"), "stop_reason") ?? textIn(message, "stop_reason"),
      // `input_tokens` lacks what the cache read or wrote.
      input: fresh === null ? null : fresh + (read ?? 0) + (countIn(usage, "cache_creation_input_tokens") ?? 0),
      // The first event counts the tokens so far.
      output: type === "message_start" ? null : countIn(usage, "output_tokens"),
      cached: read,
    };
  },
  // https://ai.google.dev/api/generate-content
  gemini: (event) => {
    const candidates = listIn(event, "candidates");
    const usage = recordIn(event, "usageMetadata");
    const error = errorIn(event);
    if (candidates.length === 0 && usage === null) return error === null ? null : { error };
    const parts = candidates.flatMap((candidate) => listIn(recordIn(candidate, "content"), "parts"));
    const calls = parts.flatMap((part) => recordIn(part, "functionCall") ?? []);
    const visible = countIn(usage, "candidatesTokenCount");
    const thoughts = countIn(usage, "thoughtsTokenCount");
    return {
      model: textIn(event, "modelVersion"),
      isToken: calls.length > 0 || parts.some((part) => hasText(part, "text")),
      isSummary: parts.length > 0 && parts.every((part) => isRecord(part) && part["thought"] === true),
      tools: namesIn(calls),
      finish: firstText(candidates.map((candidate) => textIn(candidate, "finishReason"))),
      input: countIn(usage, "promptTokenCount"),
      output: visible === null && thoughts === null ? null : (visible ?? 0) + (thoughts ?? 0),
      cached: countIn(usage, "cachedContentTokenCount"),
      hidden: thoughts,
    };
  },
  // https://github.com/ollama/ollama/blob/main/docs/api.md
  ollama: (event) => {
    const { model, done } = event;
    const error = errorIn(event);
    if (typeof model !== "string" || typeof done !== "boolean") return error === null ? null : { error };
    const message = recordIn(event, "message");
    const calls = listIn(message, "tool_calls");
    const madeAt = Date.parse(textIn(event, "created_at") ?? "");
    return {
      model: textIn(event, "model"),
      isToken: calls.length > 0 || hasText(event, "response", "thinking") || hasText(message, "content", "thinking"),
      tools: namesIn(calls.map((call) => recordIn(call, "function"))),
      finish: textIn(event, "done_reason"),
      input: countIn(event, "prompt_eval_count"),
      output: countIn(event, "eval_count"),
      generation: inUnits(numberIn(event, "eval_duration"), 1e-6),
      madeAt: Number.isNaN(madeAt) ? null : madeAt,
    };
  },
};

/** The events of the responses API, by the beginnings of their types. */
const RESPONSE_EVENT =
  /^response\.(?:created|queued|in_progress|completed|incomplete|failed|output_|content_part\.|refusal\.|reasoning_|function_call_|custom_tool_|file_search_|web_search_|code_interpreter_|image_generation_|mcp_|audio\.)/;

/** Longer captured names are cut. */
const LONGEST_NAME = 100;

/** Reasoning as a text, or as Mistral's part of a list (https://docs.mistral.ai/capabilities/reasoning). */
function isOpenReasoning(part: unknown): boolean {
  const items = listIn(part, "content");
  return (
    hasText(part, "reasoning_content", "reasoning") ||
    items.some((item) => isRecord(item) && item["type"] === "thinking")
  );
}

/**
 * The generated tokens, by the names of the usage's counts. xAI counts those of reasoning beside the output, which the
 * total tells (https://docs.x.ai/docs/key-information/consumption-and-rate-limits); others count them within.
 */
function outputIn(
  usage: Json | null,
  [input, output]: readonly [string, string],
  hidden: number | null,
): number | null {
  const count = countIn(usage, output);
  if (count === null || hidden === null) return count;
  const isBeside = countIn(usage, "total_tokens") === (countIn(usage, input) ?? 0) + count + hidden;
  return isBeside ? count + hidden : count;
}

/** The name of the error in an event: Google's status, a code, a type, or Ollama's message. `null` without an error. */
function errorIn(event: unknown): string | null {
  const text = textIn(event, "error");
  const error = recordIn(event, "error");
  if (error === null) return text;
  const code = numberIn(error, "code");
  const named = firstText(["status", "code", "type"].map((name) => textIn(error, name)));
  return named ?? (code === null ? null : String(code)) ?? textIn(error, "message") ?? "error";
}

function isChoice(choice: unknown): boolean {
  return isRecord(choice) && ("delta" in choice || "message" in choice);
}

function recordIn(value: unknown, name: string): Json | null {
  const inner = isRecord(value) ? value[name] : null;
  return isRecord(inner) ? inner : null;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const inner = isRecord(value) ? value[name] : null;
  return Array.isArray(inner) ? inner : [];
}

function textIn(value: unknown, name: string): string | null {
  const text = isRecord(value) ? value[name] : null;
  return typeof text === "string" && text !== "" ? text.slice(0, LONGEST_NAME) : null;
}

function numberIn(value: unknown, name: string): number | null {
  const number = isRecord(value) ? value[name] : null;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : null;
}

/** A whole number of tokens. */
function countIn(value: unknown, name: string): number | null {
  const number = numberIn(value, name);
  return Number.isSafeInteger(number) ? number : null;
}

function inUnits(number: number | null, factor: number): number | null {
  return number === null ? null : number * factor;
}

function hasText(value: unknown, ...names: readonly string[]): boolean {
  return names.some((name) => textIn(value, name) !== null);
}

function hasItems(value: unknown, name: string): boolean {
  return listIn(value, name).length > 0;
}

function firstText(texts: readonly (string | null)[]): string | null {
  return texts.find((text) => text !== null) ?? null;
}

/** The names of the calls; a call that continues an earlier one has no name. */
function namesIn(calls: readonly unknown[]): readonly string[] {
  return calls.flatMap((call) => textIn(call, "name") ?? []);
}
