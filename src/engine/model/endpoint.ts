declare const brand: unique symbol;

/** Identity of an endpoint: `<METHOD> <origin><path>[ · <operation>]`. */
export type Endpoint = string & { readonly [brand]: "Endpoint" };

/** The parts of an endpoint's identity. */
export interface EndpointParts {
  readonly method: string;
  /** `scheme://host[:port]`, without the scheme's default port. */
  readonly origin: string;
  /** The path without query, as sent or as a template. */
  readonly path: string;
  /** The operation that the request names (GraphQL, JSON-RPC, SOAP); `null` if there is none. */
  readonly operation: string | null;
}

/** Separates path and operation. `endpointAt` escapes it within paths. */
const BEFORE_OPERATION = " · ";

/** The endpoint of a request to `target` (path and query, or `*`) at `origin`. */
export function endpointOf(method: string, origin: string, target: string, operation: string | null = null): Endpoint {
  return endpointAt(method, origin, pathOf(target), operation);
}

/** The endpoint whose parts these are. */
export function endpointKeyOf(parts: {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly operation: string | null;
}): Endpoint {
  return endpointAt(parts.method, parts.origin, parts.path, parts.operation);
}

/** The endpoint of a path, which may be a template. */
export function endpointAt(method: string, origin: string, path: string, operation: string | null): Endpoint {
  const end = operation === null ? "" : `${BEFORE_OPERATION}${operation}`;
  const plain = path.includes(BEFORE_OPERATION) ? path.replaceAll(BEFORE_OPERATION, "%20·%20") : path;
  return `${method} ${origin}${plain}${end}` as Endpoint;
}

/**
 * Splits an endpoint into its parts. This is unambiguous, because a method contains no space, and an origin no slash
 * after `://`.
 */
export function partsOf(endpoint: Endpoint): EndpointParts {
  const space = endpoint.indexOf(" ");
  const host = endpoint.indexOf("://", space) + 3;
  const slash = endpoint.indexOf("/", host);
  const end = slash < 0 ? endpoint.length : slash;
  const operation = endpoint.indexOf(BEFORE_OPERATION, end);
  return Object.freeze({
    method: endpoint.slice(0, space),
    origin: endpoint.slice(space + 1, end),
    path: operation < 0 ? endpoint.slice(end) : endpoint.slice(end, operation),
    operation: operation < 0 ? null : endpoint.slice(operation + BEFORE_OPERATION.length),
  });
}

/** The operation that the endpoint names; `null` if it names none. */
export function operationIn(endpoint: Endpoint): string | null {
  const at = endpoint.indexOf(BEFORE_OPERATION);
  return at < 0 ? null : endpoint.slice(at + BEFORE_OPERATION.length);
}

/** Returns the path of a request target, without its query. The path always begins with `/`, so `*` becomes `/*`. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  return path.startsWith("/") ? path : `/${path}`;
}

/** `https://api.test:8443` → `api.test:8443`. */
export function hostOf(origin: string): string {
  const end = origin.indexOf("://");
  return end < 0 ? origin : origin.slice(end + 3);
}

/** Whether a path equals `outer` or is below it, by whole segments. Every path is below "". */
export function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path.length === outer.length || path[outer.length] === "/");
}

/** The most characters of a target that are kept in memory. */
export const LONGEST_TARGET = 2_048;
/** The most characters kept of a long target's path, and of its query. */
const LONGEST_PART = 960;

/**
 * The target as memory keeps it. Of a long one, the beginning of its path and of its query, each with the length and a
 * hash of the whole part: equal targets stay equal, and different ones different. The whole target is in storage.
 */
export function abbreviatedTarget(target: string): string {
  if (target.length <= LONGEST_TARGET) return target;
  const at = target.indexOf("?");
  const [path, query] = at < 0 ? [target, null] : [target.slice(0, at), target.slice(at + 1)];
  return [path, query].flatMap((part) => (part === null ? [] : abbreviatedPart(part))).join("?");
}

/** Whether `abbreviatedTarget` shortened this target. */
export function isAbbreviated(target: string): boolean {
  return target.length > LONGEST_PART && ABBREVIATION.test(target);
}

const ABBREVIATION = /\.\.\.\(\d{1,9} characters, hash [0-9a-f]{16}\)(?:\?|$)/;

function abbreviatedPart(part: string): string {
  if (part.length <= LONGEST_PART) return part;
  // Without half of a surrogate pair.
  const beginning = part.slice(0, LONGEST_PART).replace(/[\ud800-\udbff]$/, "");
  // Joined, not concatenated: a concatenation refers to the slice, and the slice to the whole target (V8). Dots instead
  // of an ellipsis, which is not Latin-1 and would double the memory of the whole text.
  return [beginning, "...(", part.length, " characters, hash ", hashOf(part), ")"].join("");
}

/** 64 bits in hexadecimal: FNV-1a and a second multiplicative hash, each of 32 bits, over UTF-16 code units. */
function hashOf(text: string): string {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b);
    other ^= other >>> 13;
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

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
