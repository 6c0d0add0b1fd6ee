import { jsonOf } from "../model/json.ts";
import { bytesOfLatin1, decodeUtf8, encodeUtf8, latin1Of, latin1OfText } from "../quoting/utf8.ts";
import { REDACTED } from "./redaction/known-secrets.ts";
import { redactedJson } from "./redaction/redacted-json.ts";
import { isSecretName } from "./redaction/secret-name.ts";
import { Reading, redactedForm, redactedText, withoutPercents } from "./redaction.ts";

/** The reason, as a sentence, why an export leaves a body out. */
export interface LeftOut {
  readonly leftOut: string;
}

/**
 * A decoded body without secrets: a form, multipart fields, JSON, lines of JSON or an event stream. The same bytes if
 * there are no secrets, and for images, fonts, sound and film. Any other body is left out. `target`: of its request.
 */
export function redactedBody(bytes: Uint8Array, contentType: string | null, target = ""): Uint8Array | LeftOut {
  const type = typeOf(contentType);
  const text = decodeUtf8(bytes);
  if (bytes.length === 0 || (text === null && MEDIA.test(type))) return bytes;
  if (MODEL_PATH.test(target)) return MODEL;
  const reading = new Reading(bytes.length);
  if (type.startsWith("multipart/")) {
    const shown = redactedParts(latin1Of(bytes), BOUNDARY.exec(contentType ?? ""), reading);
    return typeof shown === "string" ? bytesOfLatin1(shown) : shown;
  }
  if (text === null) return leftOut("It is not text.");
  const shown = redactedAs(text, type, reading);
  if (typeof shown !== "string") return shown;
  return shown === text ? bytes : encodeUtf8(shown);
}

function leftOut(reason: string): LeftOut {
  return Object.freeze({ leftOut: reason });
}

/** Bodies that hold no text, if they are not text. SVG is text. */
const MEDIA = /^(?:image\/(?!svg)|font\/|audio\/|video\/|application\/font-)/;

/** What is said to a language model is free text, in which a secret has no name. */
const MODEL = leftOut("It belongs to a call to a language model.");

/** The paths of OpenAI, Anthropic (also on Vertex AI), Ollama and Gemini, and of programs that offer the same. */
const MODEL_PATH =
  /\/(?:(?:chat\/)?completions|v\d\/(?:responses|messages|embeddings)|api\/(?:chat|generate|embed)|[^/?]{1,200}:(?:(?:streamG|g)enerateContent|(?:streamR|r)awPredict))(?:\?|$)/i;

function typeOf(contentType: string | null): string {
  return (/^[^;]*/.exec(contentType ?? "")?.[0] ?? "").trim().toLowerCase();
}

/** The boundary of a multipart type (RFC 2046, 5.1.1). */
const BOUNDARY = /;[ \t]*boundary=(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i;

function redactedAs(text: string, type: string, reading: Reading): string | LeftOut {
  if (type === "text/event-stream") return redactedEvents(text, reading);
  if (TRIVIAL.test(text)) return text;
  const begin = GUARD.exec(text)?.[0].length ?? 0;
  const first = text.charAt(begin);
  if (first === "{" || first === "[") return redactedDocuments(text, begin, reading);
  if (type === FORM_TYPE || (type === "" && FORM.test(text)))
    return text.includes("=") && !NO_FORM.test(text) ? redactedForm(text, reading) : leftOut("It is no form.");
  return leftOut(type === "" ? "It is neither JSON nor a form." : "Weir does not look for secrets in this type.");
}

/** Markup, or the head of a part, which no form has unescaped. */
const NO_FORM = /<|^content-[\w-]{1,64}:/im;

const FORM_TYPE = "application/x-www-form-urlencoded";
const FORM = /^[\w.%+~[\]$&-]{1,256}=[^\s=][^\s<>"]*$/;

/** An answer of one word or digit. */
const TRIVIAL = /^\s*(?:\d|[a-z]{1,5}|\[DONE\])[.!]?\s*$/i;

/** White space, prefixes that keep JSON from being run as a script, and those of Engine.IO and Socket.IO. */
const GUARD = /^(?:\ufeff?\)\]\}',?|for\(;;\);|while\(1\);|\d{1,4}(?=[[{]))?[\ufeff\s]*/;

/** One JSON text, or one on each line. */
function redactedDocuments(text: string, begin: number, reading: Reading): string | LeftOut {
  const lines = jsonOf(text.slice(begin)) !== null ? [text.slice(begin)] : text.slice(begin).split(/(?<=\n)/);
  const shown: string[] = [text.slice(0, begin)];
  for (const line of lines) {
    try {
      if (line.trim() !== "" && isOfModel(JSON.parse(line))) return MODEL;
      shown.push(line.trim() === "" ? line : redactedJson(line, (inner) => redactedText(inner, reading)));
    } catch {
      return leftOut("It begins like JSON, but is cut off, invalid, nested too deeply or repeats a name.");
    }
  }
  return shown.join("");
}

/** Whether JSON has the shape of a request to a language model, of its response, or of one event of that. */
function isOfModel(value: unknown): boolean {
  if (Array.isArray(value)) return value.slice(0, 4).some(isOfModel);
  if (typeof value !== "object" || value === null) return false;
  const has = (...names: readonly string[]) => names.some((name) => name in value);
  if (
    has("model") &&
    has("messages", "prompt", "input", "contents", "choices", "message", "response", "output", "role")
  )
    return true;
  if (has("candidates") && has("usageMetadata", "modelVersion", "promptFeedback")) return true;
  if (has("contents") && has("generationConfig", "systemInstruction", "system_instruction", "safetySettings", "tools"))
    return true;
  const type = "type" in value ? value.type : null;
  if (typeof type === "string" && MODEL_EVENT.test(type)) return true;
  return "choices" in value && Array.isArray(value.choices) && value.choices.some(isChoice);
}

const MODEL_EVENT = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop)|response\.[a-z_.]{1,60})$/;

function isChoice(choice: unknown): boolean {
  return typeof choice === "object" && choice !== null && ("delta" in choice || "message" in choice);
}

/** An event stream (WHATWG HTML, 9.2.6). Data that is left out becomes one line. */
function redactedEvents(text: string, reading: Reading): string | LeftOut {
  const events: string[] = [];
  for (const event of text.split(/(?<=\r\n\r\n|\n\n|\r\r)/)) {
    const lines = event.split(/(?<=\n|\r(?!\n))/);
    const data = lines
      .filter((line) => DATA.test(line))
      .map((line) => line.replace(/^data(?:: ?)?/, "").replace(/\r?\n$|\r$/, ""));
    const whole = data.join("\n");
    const shown = whole === "" ? whole : redactedAs(whole, "", reading);
    if (shown === MODEL) return MODEL;
    const written = typeof shown === "string" ? shown : REDACTED;
    let isFirst = true;
    for (const line of lines) {
      const end = /\r?\n$|\r$/.exec(line)?.[0] ?? "";
      if (!DATA.test(line)) events.push(FIELD.test(line) ? redactedText(line, reading) : REDACTED + end);
      else if (written === whole) events.push(line);
      else if (isFirst) events.push(`data: ${written.replaceAll("\n", `${end}data: `)}${end}`);
      isFirst &&= !DATA.test(line);
    }
  }
  return events.join("");
}

const DATA = /^data(?::|$)/;
const FIELD = /^(?:(?:event|id|retry)?:|\s*$)/;

/** Multipart fields (RFC 7578, 4). A part that is not understood keeps its head. */
function redactedParts(text: string, boundary: RegExpExecArray | null, reading: Reading): string | LeftOut {
  const delimiter = `\n--${boundary?.[1] ?? boundary?.[2] ?? ""}`;
  const [preamble = "", ...parts] = `\n${text}`.split(delimiter);
  if (boundary === null || parts.length === 0 || preamble.trim() !== "")
    return leftOut("Its parts cannot be told apart.");
  return [preamble, ...parts.map((part) => redactedPart(part, reading))].join(delimiter).slice(1);
}

/** A part behind its boundary: line end, head, empty line, value, and a CR if the next boundary follows a CRLF. */
function redactedPart(part: string, reading: Reading): string {
  if (/^--\s*$/.test(part)) return part;
  const headEnd = /\r?\n\r?\n/.exec(part.slice(0, LONGEST_HEAD));
  if (headEnd === null) return REDACTED;
  const begin = headEnd.index + headEnd[0].length;
  const head = part.slice(0, begin).replaceAll(/\r?\n[ \t]+/g, " ");
  const end = part.endsWith("\r") ? "\r" : "";
  const value = part.slice(begin, part.length - end.length);
  const shown = value === "" ? value : redactedValue(value, head, reading);
  const lines = part.slice(0, begin).replaceAll(/[^\r\n]+/g, (line) => redactedText(line, reading));
  return lines + shown + end;
}

function redactedValue(value: string, head: string, reading: Reading): string {
  const names = [...head.matchAll(NAME)].map(([, quoted, plain = ""]) => withoutPercents(quoted ?? plain));
  if (names.some(isSecretName)) return REDACTED;
  const type = typeOf(/^content-type[ \t]*:(.*)/im.exec(head)?.[1] ?? "");
  const text = decodeUtf8(bytesOfLatin1(value));
  if (text === null) return MEDIA.test(type) ? value : REDACTED;
  const isField = !/filename/i.test(head) && /^(?:text\/plain)?$/.test(type);
  const shown = isField ? redactedText(text, reading) : redactedAs(text, type, reading);
  return typeof shown === "string" ? latin1OfText(shown) : REDACTED;
}

/** How many characters of a part are searched for the end of its head. */
const LONGEST_HEAD = 8_192;

/** A name in quotes, in extended form (RFC 8187), or as a token. */
const NAME = /\bname\*?[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|(?:[\w-]*'[\w-]*'|')?([^;\s"']+))/gi;
