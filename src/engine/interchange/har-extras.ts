import type { Instant } from "../model/units.ts";
import { JsonValue } from "./json-value.ts";

/** The most call frames searched per stack, and the most nested async stacks. */
const MOST_FRAMES = 10;
const DEEPEST_STACK = 5;

/**
 * By how many milliseconds Chrome's clock for events may differ from its clock for
 * requests.
 */
const CLOCKS_APART = 1_000;

/**
 * The URLs of the document or scripts that caused a request, nearest first; empty if the user or the browser did. Reads
 * `_initiator` as Chrome's object, and as the URL of chrome-har, sitespeed.io and WebPageTest, with the object as text
 * in `_initiator_detail`.
 */
export function initiatorsIn(entry: unknown): readonly string[] {
  const value = new JsonValue(entry);
  const written = value.at("_initiator");
  const initiator = written.isObject ? written : detailIn(value.at("_initiator_detail").text ?? "");
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

/**
 * When the events of an event stream arrived, as Chrome writes it (`time` in epoch seconds); `null` if there are no
 * events. `start` and `end`: the times of the exchange in epoch milliseconds. Empty if an event is more than
 * `CLOCKS_APART` before `start` or after `end`: the two clocks then differ too much.
 */
export function eventArrivalsIn(entry: unknown, start: number, end: number): readonly Instant[] | null {
  const messages = new JsonValue(entry).at("_eventSourceMessages").items;
  if (messages.length === 0) return null;
  const arrivals = messages.flatMap((message) => {
    const time = message.at("time").number;
    return time === null ? [] : [(time * 1_000) as Instant];
  });
  return arrivals.every((at) => at >= start - CLOCKS_APART && at <= end + CLOCKS_APART) ? arrivals : [];
}

/** Chrome's initiator object, written as text; a value without members if the text is not JSON. */
function detailIn(text: string): JsonValue {
  try {
    return new JsonValue(JSON.parse(text));
  } catch {
    return new JsonValue(null);
  }
}

const NONE: readonly string[] = Object.freeze([]);
