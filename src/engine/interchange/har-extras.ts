import type { Instant } from "../model/units.ts";
import { JsonValue } from "./json-value.ts";

/** Call frames searched, and the depth of async stacks. Default; not from a specification. */
const MOST_FRAMES = 10;
const DEEPEST_STACK = 5;

/**
 * The initiator of a request as Chrome writes it (`_initiator`: `{type, url, stack: {callFrames: [{url}], parent}}`):
 * distinct URLs of the document or scripts, nearest first. Empty for the user or the browser.
 */
export function initiatorsIn(entry: unknown): readonly string[] {
  const initiator = new JsonValue(entry).at("_initiator");
  const urls = new Set<string>();
  const add = (value: JsonValue) => {
    const url = (value.text ?? "").replace(/#.*/s, "");
    if (/^https?:/i.test(url)) urls.add(url);
  };
  let stack = initiator.at("stack");
  for (let depth = 0; depth < DEEPEST_STACK; depth += 1) {
    for (const frame of stack.at("callFrames").items.slice(0, MOST_FRAMES)) add(frame.at("url"));
    stack = stack.at("parent");
  }
  add(initiator.at("url"));
  return urls.size === 0 ? NONE : [...urls];
}

/** The arrival times of an event stream's events, as Chrome writes them (`time` in epoch seconds); `null` if absent. */
export function eventArrivalsIn(entry: unknown): readonly Instant[] | null {
  const messages = new JsonValue(entry).at("_eventSourceMessages").items;
  if (messages.length === 0) return null;
  return messages.flatMap((message) => {
    const time = message.at("time").number;
    return time === null ? [] : [(time * 1_000) as Instant];
  });
}

const NONE: readonly string[] = Object.freeze([]);
