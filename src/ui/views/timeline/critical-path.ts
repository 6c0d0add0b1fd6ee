import { stepRunsOf } from "../../../engine/insights/where/step-runs.ts";
import type {
  CriticalPathPart,
  CriticalPathRecord,
  PathRequest,
  TimeRange,
} from "../../../engine/messages/timeline-messages.ts";
import { partsOf, pathOf } from "../../../engine/model/endpoint.ts";
import type { ExchangeId, Milliseconds } from "../../../engine/model/units.ts";
import { clockText } from "../../format/clock.ts";
import { countPhrase } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { withOperation } from "../../format/endpoint.ts";
import { lostTimePhrase } from "../../format/lost-time.ts";
import { isSafeMethod } from "../../format/method.ts";
import { requestAddress } from "../../format/request-address.ts";
import { type Scale, tenth, xOf } from "./bars.ts";

/** The most characters of a step's name. */
const LONGEST_NAME = 48;
/** Least width of a step's bar, in px. */
const NARROWEST = 2;

/** The critical path as rows on the timeline's axis, with a sentence about the whole. */
export interface PathFrame {
  /**
   * "Critical path"; with several page loads in the session "Critical path 2 of 3, the longest in the visible range".
   */
  readonly head: string;
  /** Whether there are several page loads, and the first request of the previous and of the next one. */
  readonly hasLoads: boolean;
  readonly earlier: ExchangeId | null;
  readonly later: ExchangeId | null;
  /** "" if there is no path. */
  readonly sentence: string;
  /**
   * The path's first request and its start: "https://shop.test/cart", "at 12:36:22". `subjectTitle`: with its client.
   */
  readonly subject: string;
  readonly subjectTitle: string;
  readonly started: string;
  readonly steps: readonly PathStep[];
  /** The moments of the page within the visible range. */
  readonly marks: readonly { readonly title: string; readonly style: { readonly left: string } }[];
}

/** A request of the path, the time between two of them, or a run of requests to one endpoint. */
export interface PathStep {
  /** `null` for a gap; of a run the first request. */
  readonly exchange: ExchangeId | null;
  /** Whether it is a run, which opens to its requests. */
  readonly isRun: boolean;
  /** As the attribute `aria-expanded`. */
  readonly expanded: "true" | "false" | "undefined";
  /** Whether it belongs to the open run above it. */
  readonly isInRun: boolean;
  /** "" for a gap. */
  readonly method: string;
  readonly changes: boolean;
  readonly name: string;
  /** "10 ×" of a run; "" of other rows. */
  readonly times: string;
  /** Its time, and its share of the path: "283 ms", "20 %". */
  readonly length: string;
  readonly share: string;
  readonly title: string;
  /** The bar; without width outside the visible range. */
  readonly style: { readonly left: string; readonly width: string };
}

/** Why this path is shown. */
const LONGEST_OF = {
  session: ", the longest of the session",
  range: ", the longest in the visible range",
  none: "",
} as const;

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

/** `opened`: the first requests of the open runs. */
export function pathFrameOf(
  path: CriticalPathRecord | null,
  scale: Scale,
  opened: ReadonlySet<ExchangeId> = new Set(),
): PathFrame {
  if (path === null) return NO_PATH;
  const { load, start } = path;
  const [first] = path.parts;
  const hasLoads = load !== null && load.count > 1;
  const subject = first?.kind === "exchange" ? subjectOf(first.request, path.origin) : "";
  return Object.freeze({
    head: `Critical path${hasLoads ? ` ${load.position} of ${load.count}${LONGEST_OF[load.longestOf ?? "none"]}` : ""}`,
    hasLoads,
    earlier: load?.earlier ?? null,
    later: load?.later ?? null,
    sentence: sentenceOf(path),
    subject,
    subjectTitle: path.client === "unknown" ? subject : `${subject}\n${path.client}`,
    started: `at ${clockText(start)}`,
    steps: stepsOf(path, scale, opened),
    marks: marksOf(path, scale),
  });
}

function subjectOf({ method, target }: PathRequest, origin: string): string {
  return named(method, requestAddress({ origin, target }));
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
  const unproven = possible === 0 ? "" : `; ${unprovenText(possible)}`;
  const whole = `${lostTimePhrase(end - start)} in ${countPhrase(requests, "request", "requests")}${unproven}`;
  if (sooner === null) return whole;
  const [request, namedBy] = [nameOf(sooner.request, path), nameOf(sooner.namedBy, path)];
  const before =
    parts[parts.findIndex((part) => part.kind === "exchange" && part.request.id === sooner.request.id) - 1];
  const unless = before?.kind === "gap" && isBusy(before) ? ", unless it needs what was read meanwhile" : "";
  return `${whole}; ${request} could start up to ${lostTimePhrase(sooner.by)} sooner, because ${namedBy} names its URL${unless}`;
}

function unprovenText(possible: number): string {
  return `${possible} ${possible === 1 ? "wait is" : "waits are"} possible, not proven`;
}

type Requested = Extract<CriticalPathPart, { kind: "exchange" }>;

/** A request of the path, after the gap before it. */
interface PathUnit {
  readonly gap: Gap | null;
  readonly part: Requested;
}

function stepsOf(path: CriticalPathRecord, scale: Scale, opened: ReadonlySet<ExchangeId>): readonly PathStep[] {
  const units: PathUnit[] = [];
  let before: Gap | null = null;
  for (const part of path.parts) {
    if (part.kind === "exchange") units.push({ gap: before, part });
    before = part.kind === "gap" ? part : null;
  }
  const steps: PathStep[] = [];
  for (const run of stepRunsOf(units, ({ part }) => part.request.endpoint)) {
    const [{ gap, part }, ...later] = run;
    if (gap !== null) steps.push(stepOf(gap, path, scale));
    const isRun = later.length > 0;
    const isOpen = opened.has(part.request.id);
    if (isRun) steps.push(runOf(run, path, scale, isOpen));
    if (isRun && !isOpen) continue;
    const parts = [part, ...later.flatMap((unit) => (unit.gap === null ? [unit.part] : [unit.gap, unit.part]))];
    for (const each of parts) steps.push(stepOf(each, path, scale, isRun));
  }
  return Object.freeze(steps);
}

function runOf(
  run: readonly [PathUnit, ...PathUnit[]],
  path: CriticalPathRecord,
  scale: Scale,
  isOpen: boolean,
): PathStep {
  const [{ part: first }] = run;
  const { request, from } = first;
  const { to } = run.at(-1)?.part ?? first;
  const { method, path: template, operation } = partsOf(request.endpoint);
  const name = withOperation(template, operation);
  const times = `${run.length} ×`;
  const between = run.slice(1).reduce((sum, { gap }) => sum + (gap === null ? 0 : gap.to - gap.from), 0);
  const possible = run.filter(({ part }) => part.isPossible).length;
  const notes = [
    ...(between > 0 ? [`${durationText(between)} ms between them`] : []),
    ...(possible > 0 ? [unprovenText(possible)] : []),
  ];
  return Object.freeze({
    exchange: request.id,
    isRun: true,
    expanded: isOpen ? "true" : "false",
    isInRun: false,
    ...methodOf(method),
    name,
    times,
    ...timesOf({ from, to }, `${method} ${name} ${times}`, notes, path, scale, between),
  });
}

function stepOf(part: CriticalPathPart, path: CriticalPathRecord, scale: Scale, isInRun = false): PathStep {
  const isGap = part.kind === "gap";
  const method = isGap ? "" : part.request.method;
  const name = isGap ? gapName(part, path) : fileOf(part.request);
  const notes = [
    ...(part.kind === "gap" && isBusy(part) ? [gapText(part, path)] : []),
    ...(part.kind === "exchange" && part.isPossible ? ["possibly waited for the request before, not proven"] : []),
  ];
  const exchange = part.kind === "gap" ? null : part.request.id;
  return Object.freeze({
    exchange,
    isRun: false,
    expanded: "undefined",
    isInRun,
    ...methodOf(method),
    name,
    times: "",
    ...timesOf(part, `${method} ${name}`.trimStart(), notes, path, scale),
  });
}

/** `notes`: what the title says between the time and the start. `between`: the gaps in the range. */
function timesOf(
  { from, to }: TimeRange,
  name: string,
  notes: readonly string[],
  path: CriticalPathRecord,
  scale: Scale,
  between: Milliseconds = 0,
): Pick<PathStep, "length" | "share" | "title" | "style"> {
  const time = to - from - between;
  const length = `${durationText(time)} ms`;
  const after = `${durationText(from - path.start)} ms after the start`;
  return {
    length,
    share: `${Math.round((100 * time) / Math.max(1, path.end - path.start))} %`,
    title: [`${name} ${length}`, ...notes, after].join("; "),
    style: styleOf(reachOf({ from, to }, scale)),
  };
}

type Gap = Extract<CriticalPathPart, { kind: "gap" }>;

function isBusy({ from, to, idle }: Gap): boolean {
  return idle < to - from;
}

/** The name of a gap: the request that ran for most of it, "idle" if none ran for most of it, else "other requests". */
function gapName({ from, to, idle, longest }: Gap, path: CriticalPathRecord): string {
  if (longest !== null) return `meanwhile ${nameOf(longest, path)}`;
  return 2 * idle >= to - from ? "idle" : "other requests";
}

/** "idle 529 ms, with other requests 687 ms, the longest /api/orders/1" */
function gapText({ from, to, idle, longest }: Gap, path: CriticalPathRecord): string {
  const which = longest === null ? "" : `, the longest ${nameOf(longest, path)}`;
  const others = `with other requests ${durationText(to - from - idle)} ms${which}`;
  return idle <= 0 ? others : `idle ${durationText(idle)} ms, ${others}`;
}

/** The name in a sentence: the first request of a page is "document". */
function nameOf({ id, method, target }: PathRequest, { isPage, parts }: CriticalPathRecord): string {
  const first = parts[0];
  if (isPage && first?.kind === "exchange" && first.request.id === id) return "document";
  return named(method, fileOf({ target }));
}

/** A file's name; of any other request the path. */
function fileOf({ target }: Pick<PathRequest, "target">): string {
  const path = pathOf(target);
  const file = path.slice(path.lastIndexOf("/") + 1);
  const name = /.\.[a-z\d]{1,8}$/i.test(file) ? file : path;
  return name.length > LONGEST_NAME ? `…${name.slice(1 - LONGEST_NAME)}` : name;
}

function named(method: string, name: string): string {
  return method === "GET" ? name : `${method} ${name}`;
}

/** `method`: "" for a gap. */
function methodOf(method: string): Pick<PathStep, "method" | "changes"> {
  return { method, changes: method !== "" && !isSafeMethod(method) };
}

interface Reach {
  readonly left: number;
  readonly right: number;
}

/** The visible extent of a part, in px; `null` if the part is outside the visible range. */
function reachOf(part: TimeRange, scale: Scale): Reach | null {
  const from = xOf(part.from, scale);
  const to = Math.max(xOf(part.to, scale), from + NARROWEST);
  if (to <= 0 || from >= scale.width) return null;
  return { left: Math.max(0, from), right: Math.min(scale.width, to) };
}

function styleOf(reach: Reach | null): PathStep["style"] {
  const { left, right } = reach ?? { left: 0, right: 0 };
  return Object.freeze({ left: `${tenth(left)}px`, width: `${tenth(right - left)}px` });
}
