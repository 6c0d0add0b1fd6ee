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

/** Whether a media type means a JSON text on each line. */
export function isJsonLines(contentType: string | null): boolean {
  return /^application\/(?:x-)?(?:ndjson|json-?lines?|jsonl)(?![^;\s])/i.test(contentType ?? "");
}
