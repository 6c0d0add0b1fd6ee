import type { CriticalPathPart, CriticalPathRecord, PathRequest } from "../../../engine/messages/timeline-messages.ts";
import { pathOf } from "../../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { clockText } from "../../format/clock.ts";
import { durationText } from "../../format/duration.ts";
import { lostTimePhrase } from "../../format/lost-time.ts";
import { type Scale, tenth, xOf } from "./bars.ts";

/** The most parts named in the sentence, the longest; others are counted. */
const MOST_NAMED = 7;
/** The most characters of a name in the sentence. */
const LONGEST_NAME = 32;
/** Least width of a part, in px. */
const NARROWEST = 2;
/** The width that a name needs: for each character, and beside the name, in px. */
const CHARACTER = 7;
const PADDING = 9;

/** The critical path as one line on the timeline's axis, and as a sentence. */
export interface PathFrame {
  /** "Critical path"; with several page loads in the range "Critical path 2 of 3, page load of 12:36:22". */
  readonly head: string;
  /** Whether there are several page loads, and the first request of the previous and of the next one. */
  readonly hasLoads: boolean;
  readonly earlier: ExchangeId | null;
  readonly later: ExchangeId | null;
  /** "" if there is no path. */
  readonly sentence: string;
  /** The path's first request and its client; "" if unknown. */
  readonly subject: string;
  readonly client: string;
  readonly segments: readonly PathSegment[];
  readonly gaps: readonly PathGap[];
  /** The moments of the page within the visible range. */
  readonly marks: readonly { readonly title: string; readonly style: { readonly left: string } }[];
}

interface PathGap {
  readonly title: string;
  readonly style: { readonly left: string; readonly width: string };
}

interface PathSegment extends PathGap {
  readonly exchange: ExchangeId;
  /** "" if there is no room. */
  readonly name: string;
}

export const NO_PATH: PathFrame = Object.freeze({
  head: "",
  hasLoads: false,
  earlier: null,
  later: null,
  sentence: "",
  subject: "",
  client: "",
  segments: Object.freeze([]),
  gaps: Object.freeze([]),
  marks: Object.freeze([]),
});

export function pathFrameOf(path: CriticalPathRecord | null, scale: Scale): PathFrame {
  if (path === null) return NO_PATH;
  const { load, start } = path;
  const [first] = path.parts;
  const hasLoads = load !== null && load.count > 1;
  const segments: PathSegment[] = [];
  const gaps: PathGap[] = [];
  for (const part of path.parts) {
    const reach = reachOf(part, scale);
    if (reach === null) continue;
    const place = { title: titleOf(part, path), style: styleOf(reach) };
    if (part.kind === "gap") gaps.push(Object.freeze(place));
    else {
      const name = nameOf(part.request, path);
      const fits = reach.right - reach.left >= name.length * CHARACTER + PADDING;
      segments.push(Object.freeze({ ...place, exchange: part.request.id, name: fits ? name : "" }));
    }
  }
  return Object.freeze({
    head: `Critical path${hasLoads ? ` ${load.place} of ${load.count}, page load of ${clockText(start)}` : ""}`,
    hasLoads,
    earlier: load?.earlier ?? null,
    later: load?.later ?? null,
    sentence: sentenceOf(path),
    subject: first?.kind === "exchange" ? `${first.request.method} ${first.request.target}` : "",
    client: path.client === "unknown" ? "" : path.client,
    segments: Object.freeze(segments),
    gaps: Object.freeze(gaps),
    marks: marksOf(path, scale),
  });
}

function marksOf({ marks, start }: CriticalPathRecord, scale: Scale): PathFrame["marks"] {
  return Object.freeze(
    marks.flatMap(({ name, at }) => {
      const left = xOf(at, scale);
      if (left < 0 || left > scale.width) return [];
      const title = `${markName(name)}, ${durationText(at - start)} ms after the start`;
      return [Object.freeze({ title, style: Object.freeze({ left: `${tenth(left)}px` }) })];
    }),
  );
}

/** "Load event" for `onLoad`, "Largest contentful paint" for `_largestContentfulPaint`. */
function markName(name: string): string {
  if (name === "onLoad") return "Load event";
  if (name === "onContentLoad") return "DOMContentLoaded";
  const words = name
    .replace(/^_/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1.4 s: document 283, app.js 91, 160 idle; lazy.js could start up to 160 ms sooner, because app.js names its URL" */
export function sentenceOf(path: CriticalPathRecord): string {
  const { start, end, parts, sooner } = path;
  const texts = parts.map((part) => ({ length: part.to - part.from, text: partText(part, path) }));
  const named = new Set(texts.toSorted((one, other) => other.length - one.length).slice(0, MOST_NAMED));
  const rest = texts.filter((one) => !named.has(one));
  const restLength = rest.reduce((sum, { length }) => sum + length, 0);
  const listed = texts.filter((one) => named.has(one)).map(({ text }) => text);
  if (rest.length > 0) listed.push(`${rest.length} more ${durationText(restLength)}`);
  const whole = `${lostTimePhrase(end - start)}: ${listed.join(", ")}`;
  if (sooner === null) return whole;
  const [request, namedBy] = [nameOf(sooner.request, path), nameOf(sooner.namedBy, path)];
  return `${whole}; ${request} could start up to ${lostTimePhrase(sooner.by)} sooner, because ${namedBy} names its URL`;
}

/** The text of a part. `unit`: the unit after each figure; "" in the sentence, where all figures are in ms. */
function partText(part: CriticalPathPart, path: CriticalPathRecord, unit = ""): string {
  if (part.kind === "gap") return gapText(part, path, unit);
  return `${nameOf(part.request, path)} ${durationText(part.to - part.from)}${unit}`;
}

/**
 * The text of a gap: how long the client had no requests in flight, how long it had other requests in flight, and the
 * longest of these requests.
 */
function gapText(gap: Extract<CriticalPathPart, { kind: "gap" }>, path: CriticalPathRecord, unit: string): string {
  const { from, to, idle, longest } = gap;
  const others = to - from - idle;
  if (others <= 0) return `${durationText(idle)}${unit} idle`;
  const name = longest === null ? "" : ` (longest: ${nameOf(longest, path)})`;
  const beside = `other requests ${durationText(others)}${unit}${name}`;
  return idle <= 0 ? beside : `${durationText(idle)}${unit} idle, ${beside}`;
}

/** The first request of a page is named "document", a file by its name, any other request by its path. */
function nameOf({ id, method, target }: PathRequest, { isPage, parts }: CriticalPathRecord): string {
  const first = parts[0];
  if (isPage && first?.kind === "exchange" && first.request.id === id) return "document";
  const path = pathOf(target);
  const file = path.slice(path.lastIndexOf("/") + 1);
  const name = /.\.[a-z\d]{1,8}$/i.test(file) ? file : path;
  const text = name.length > LONGEST_NAME ? `…${name.slice(1 - LONGEST_NAME)}` : name;
  return method === "GET" ? text : `${method} ${text}`;
}

interface Reach {
  readonly left: number;
  readonly right: number;
}

/** The visible extent of a part, in px; `null` if the part is outside the visible range. */
function reachOf(part: CriticalPathPart, scale: Scale): Reach | null {
  const from = xOf(part.from, scale);
  const to = Math.max(xOf(part.to, scale), from + NARROWEST);
  if (to <= 0 || from >= scale.width) return null;
  return { left: Math.max(0, from), right: Math.min(scale.width, to) };
}

function styleOf({ left, right }: Reach): PathGap["style"] {
  return Object.freeze({ left: `${tenth(left)}px`, width: `${tenth(right - left)}px` });
}

function titleOf(part: CriticalPathPart, path: CriticalPathRecord): string {
  return `${partText(part, path, " ms")}; ${durationText(part.from - path.start)} ms after the start`;
}
