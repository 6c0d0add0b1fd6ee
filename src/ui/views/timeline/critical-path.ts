import type { CriticalPathPart, CriticalPathRecord, PathRequest } from "../../../engine/messages/timeline-messages.ts";
import { pathOf } from "../../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { clockText } from "../../format/clock.ts";
import { countPhrase } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { lostTimePhrase } from "../../format/lost-time.ts";
import { requestAddress } from "../../format/request-address.ts";
import { type Scale, tenth, xOf } from "./bars.ts";

/** The most characters of a step's name. */
const LONGEST_NAME = 48;
/** Least width of a step's bar, in px. */
const NARROWEST = 2;

/** The critical path as rows on the timeline's axis, with a sentence about the whole. */
export interface PathFrame {
  /** "Critical path"; with several page loads in the range "Critical path 2 of 3". */
  readonly head: string;
  /** Whether there are several page loads, and the first request of the previous and of the next one. */
  readonly hasLoads: boolean;
  readonly earlier: ExchangeId | null;
  readonly later: ExchangeId | null;
  /** "" if there is no path. */
  readonly sentence: string;
  /** The path's first request and its start: "https://shop.test/cart", "at 12:36:22". `subjectTitle`: with its client. */
  readonly subject: string;
  readonly subjectTitle: string;
  readonly started: string;
  readonly steps: readonly PathStep[];
  /** The moments of the page within the visible range. */
  readonly marks: readonly { readonly title: string; readonly style: { readonly left: string } }[];
}

/** A request of the path, or the time between two of them. */
export interface PathStep {
  /** `null` for a gap. */
  readonly exchange: ExchangeId | null;
  readonly name: string;
  /** Its time, and its share of the path: "283 ms", "20 %". */
  readonly length: string;
  readonly share: string;
  readonly title: string;
  /** The bar; without width outside the visible range. */
  readonly style: { readonly left: string; readonly width: string };
}

export const NO_PATH: PathFrame = Object.freeze({
  head: "",
  hasLoads: false,
  earlier: null,
  later: null,
  sentence: "",
  subject: "",
  subjectTitle: "",
  started: "",
  steps: Object.freeze([]),
  marks: Object.freeze([]),
});

export function pathFrameOf(path: CriticalPathRecord | null, scale: Scale): PathFrame {
  if (path === null) return NO_PATH;
  const { load, start } = path;
  const [first] = path.parts;
  const hasLoads = load !== null && load.count > 1;
  const subject = first?.kind === "exchange" ? subjectOf(first.request, path.origin) : "";
  return Object.freeze({
    head: `Critical path${hasLoads ? ` ${load.position} of ${load.count}` : ""}`,
    hasLoads,
    earlier: load?.earlier ?? null,
    later: load?.later ?? null,
    sentence: sentenceOf(path),
    subject,
    subjectTitle: path.client === "unknown" ? subject : `${subject}\n${path.client}`,
    started: `at ${clockText(start)}`,
    steps: Object.freeze(path.parts.map((part) => stepOf(part, path, scale))),
    marks: marksOf(path, scale),
  });
}

function subjectOf({ method, target }: PathRequest, origin: string): string {
  const address = requestAddress({ origin, target });
  return method === "GET" ? address : `${method} ${address}`;
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

/**
 * "1.4 s in 4 requests; lazy.js could start up to 160 ms sooner, because app.js names its URL". Adds "unless it needs
 * what was read meanwhile" if other requests ran in the gap before lazy.js.
 */
export function sentenceOf(path: CriticalPathRecord): string {
  const { start, end, parts, sooner } = path;
  const requests = parts.filter(({ kind }) => kind === "exchange").length;
  const possible = parts.filter((part) => part.kind === "exchange" && part.isPossible).length;
  const waits = possible === 1 ? "wait is" : "waits are";
  const unproven = possible === 0 ? "" : `; ${possible} ${waits} possible, not proven`;
  const whole = `${lostTimePhrase(end - start)} in ${countPhrase(requests, "request", "requests")}${unproven}`;
  if (sooner === null) return whole;
  const [request, namedBy] = [nameOf(sooner.request, path), nameOf(sooner.namedBy, path)];
  const before =
    parts[parts.findIndex((part) => part.kind === "exchange" && part.request.id === sooner.request.id) - 1];
  const unless = before?.kind === "gap" && before.longest !== null ? ", unless it needs what was read meanwhile" : "";
  return `${whole}; ${request} could start up to ${lostTimePhrase(sooner.by)} sooner, because ${namedBy} names its URL${unless}`;
}

function stepOf(part: CriticalPathPart, path: CriticalPathRecord, scale: Scale): PathStep {
  const length = part.to - part.from;
  const name = part.kind === "gap" ? gapName(part, path) : nameOf(part.request, path);
  const inGap = part.kind === "gap" && part.longest !== null ? `; ${gapText(part, part.longest, path)}` : "";
  const possible =
    part.kind === "exchange" && part.isPossible ? "; possibly waited for the request before, not proven" : "";
  const after = `${durationText(part.from - path.start)} ms after the start`;
  return Object.freeze({
    exchange: part.kind === "gap" ? null : part.request.id,
    name,
    length: `${durationText(length)} ms`,
    share: `${Math.round((100 * length) / Math.max(1, path.end - path.start))} %`,
    title: `${name} ${durationText(length)} ms${inGap}${possible}; ${after}`,
    style: styleOf(reachOf(part, scale)),
  });
}

type Gap = Extract<CriticalPathPart, { kind: "gap" }>;

/** The name of a gap: "idle", or the longest of the client's other requests then. */
function gapName({ longest }: Gap, path: CriticalPathRecord): string {
  return longest === null ? "idle" : `meanwhile ${nameOf(longest, path)}`;
}

/** "idle 687 ms, with other requests 529 ms, the longest /api/orders/1" */
function gapText({ from, to, idle }: Gap, longest: PathRequest, path: CriticalPathRecord): string {
  const others = `with other requests ${durationText(to - from - idle)} ms, the longest ${nameOf(longest, path)}`;
  return idle <= 0 ? others : `idle ${durationText(idle)} ms, ${others}`;
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

function styleOf(reach: Reach | null): PathStep["style"] {
  const { left, right } = reach ?? { left: 0, right: 0 };
  return Object.freeze({ left: `${tenth(left)}px`, width: `${tenth(right - left)}px` });
}
