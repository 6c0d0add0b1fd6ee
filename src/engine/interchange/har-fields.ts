import type { HarFields } from "../capture/event.ts";
import type { Exchange } from "../model/exchange.ts";
import { headerOf } from "../model/head.ts";
import { jsonOf } from "../model/json.ts";
import { textOf } from "../quoting/utf8.ts";
import { JsonValue } from "./json-value.ts";
import { redactedJson } from "./redaction/redacted-json.ts";
import { redactedText } from "./redaction.ts";

/** The most call frames searched per stack, and the most nested async stacks. */
const MOST_FRAMES = 10;
const DEEPEST_STACK = 5;

/** How and why a browser sent a request, in the words of Chrome, chrome-har, sitespeed.io and WebPageTest. */
const KEPT = [
  "_initiator",
  "_initiator_detail",
  "_initiator_type",
  "_priority",
  "_initialPriority",
  "_initial_priority",
  "_resourceType",
] as const;

/** The most characters that these fields may have together, as JSON. */
const LONGEST = 64 * 1024;

/**
 * The fields of an entry that are stored as they are; `null` if there are none. Of an initiator that is too long, only
 * the URLs are kept, as a stack.
 */
export function keptFieldsOf(entry: object): HarFields | null {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) if (NAMES.has(name) && value !== null) fields[name] = value;
  if (Object.keys(fields).length === 0) return null;
  if (JSON.stringify(fields).length <= LONGEST) return Object.freeze(fields);
  const callFrames = initiatorsIn(fields).map((url) => ({ url }));
  const { _initiator: _, _initiator_detail: __, ...others } = fields;
  const kept = { ...others, _initiator: { type: "script", stack: { callFrames } } };
  return JSON.stringify(kept).length <= LONGEST ? Object.freeze(kept) : null;
}

const NAMES: ReadonlySet<string> = new Set(KEPT);

/**
 * The URLs of the document or scripts that caused a request, nearest first; empty if the user or the browser did. Reads
 * `_initiator` as Chrome's object, and as the URL of chrome-har, sitespeed.io and WebPageTest, with the object as text
 * in `_initiator_detail`.
 */
export function initiatorsIn(fields: HarFields | null): readonly string[] {
  if (fields === null) return NONE;
  const value = new JsonValue(fields);
  const written = value.at("_initiator");
  const initiator = written.isObject ? written : new JsonValue(jsonOf(value.at("_initiator_detail").text ?? ""));
  const urls = new Set<string>();
  const add = (value: JsonValue) => {
    const url = (value.text ?? "").replace(/#.*/s, "");
    if (/^https?:/i.test(url)) urls.add(url);
  };
  add(written);
  let stack = initiator.at("stack");
  for (let depth = 0; depth < DEEPEST_STACK; depth += 1) {
    for (const frame of stack.at("callFrames").items.slice(0, MOST_FRAMES)) add(frame.at("url"));
    stack = stack.at("parent");
  }
  add(initiator.at("url"));
  return urls.size === 0 ? NONE : [...urls];
}

const NONE: readonly string[] = Object.freeze([]);

/** The page, script or style sheet that was proven to cause a request. */
export interface Initiator {
  readonly url: string;
  readonly isScript: boolean;
}

export interface BrowserFacts {
  readonly exchange: Exchange;
  readonly requestHead: string;
  /** `null` if none was looked for or found. */
  readonly initiator: Initiator | null;
  /** Fields of the HAR entry from which the exchange was read, which are written again; `null` if there are none. */
  readonly fields: HarFields | null;
}

/**
 * Fields that say how and why a browser sent the request: as in the file from which it was read, else in the form that
 * Chrome writes. DevTools shows them when it imports the file.
 */
export function browserFieldsOf(
  { exchange, requestHead, initiator, fields }: BrowserFacts,
  redact: boolean,
): HarFields {
  const type = resourceTypeOf(exchange, requestHead);
  const known = {
    ...(initiator === null ? {} : { _initiator: initiatorOf(initiator) }),
    ...(type === null ? {} : { _resourceType: type }),
    ...fields,
  };
  return redact ? JSON.parse(redactedJson(JSON.stringify(known), redactedText)) : known;
}

function initiatorOf({ url, isScript }: Initiator): object {
  if (!isScript) return { type: "parser", url: textOf(url) };
  const callFrames = [{ functionName: "", scriptId: "", url: textOf(url), lineNumber: 0, columnNumber: 0 }];
  return { type: "script", stack: { callFrames } };
}

/** Chrome's name for the type of a resource; `null` if it is not known. */
function resourceTypeOf({ tags, method }: Exchange, head: string): string | null {
  if (tags.includes("websocket")) return "websocket";
  if (tags.includes("event-stream")) return "eventsource";
  if (method === "OPTIONS" && headerOf(head, "access-control-request-method") !== null) return "preflight";
  return RESOURCE_TYPES.get(headerOf(head, "sec-fetch-dest") ?? "") ?? null;
}

/** By the destination of a request (Fetch Metadata, 2.1). */
const RESOURCE_TYPES: ReadonlyMap<string, string> = new Map([
  ["document", "document"],
  ["iframe", "document"],
  ["frame", "document"],
  ["empty", "fetch"],
  ["script", "script"],
  ["worker", "script"],
  ["sharedworker", "script"],
  ["serviceworker", "script"],
  ["style", "stylesheet"],
  ["image", "image"],
  ["font", "font"],
  ["audio", "media"],
  ["video", "media"],
  ["track", "texttrack"],
  ["manifest", "manifest"],
]);
