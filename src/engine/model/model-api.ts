/** The APIs of language models, by the shape of their events. */
export type ModelApi = "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ollama";

/** The paths of OpenAI, Anthropic, Gemini and Ollama, which gateways and other programs offer as well. */
const PATHS: readonly (readonly [RegExp, ModelApi])[] = [
  [/\/(?:chat\/)?completions$/, "openai-chat"],
  [/\/responses$/, "openai-responses"],
  [/\/messages$|:(?:streamR|r)awPredict$/, "anthropic"],
  [/:(?:streamG|g)enerateContent$/, "gemini"],
  [/\/api\/(?:chat|generate)$/, "ollama"],
];

/** The API whose calls have this path; `null` for other paths. Only the events show whether it is a call. */
export function modelApiOf(target: string): ModelApi | null {
  const path = /^[^?#]*/.exec(target)?.[0] ?? "";
  return PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** What separates the events of a stream that is no `text/event-stream`: each line's end, or the commas of one list. */
export type ModelStreamForm = "lines" | "elements";

/**
 * The form of a language model's stream with this path and media type: a JSON text on each line, as Ollama's, or one
 * list of objects, as Gemini's without `alt=sse`. `null` for other responses.
 */
export function modelStreamFormOf(target: string, contentType: string | null): ModelStreamForm | null {
  const api = modelApiOf(target);
  if (api === null || contentType === null) return null;
  if (JSON_LINES.test(contentType)) return "lines";
  const isList = api === "gemini" && /^[^?#]*:streamGenerateContent(?:[?#]|$)/.test(target);
  return isList && JSON_TEXT.test(contentType) ? "elements" : null;
}

/** The media types of a JSON text on each line, and of one JSON text. */
const JSON_LINES = /^application\/(?:x-)?(?:ndjson|json-?lines?|jsonl)(?![^;\s])/i;
const JSON_TEXT = /^application\/json(?![^;\s])/i;
