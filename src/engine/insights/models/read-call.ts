import { type ModelApi, modelApiOf, modelStreamFormOf } from "../../model/endpoint.ts";
import { isRecord, JsonElements, jsonOf } from "../../model/json.ts";
import type { Instant, Milliseconds } from "../../model/units.ts";
import { medianOf } from "../../stats/percentile.ts";
import { gapsOf, stallOf } from "../stalls.ts";
import { type Buffered, bufferedOf, FASTEST_PER_SECOND, type Pause } from "./buffered.ts";
import { type Prompt, promptOf } from "./prompt.ts";
import { SHAPES, type Told } from "./shapes.ts";

/** A call to a language model, read from its response. Names are captured text. */
export interface ModelCall {
  readonly api: ModelApi;
  /** `null` if the response names no model. */
  readonly model: string | null;
  /** Whether the answer came as events; a whole answer has no time to a first token. */
  readonly isStream: boolean;
  /** From the start of the request to the first event with generated content; `null` if there is none. */
  readonly firstToken: Milliseconds | null;
  /** When the first and the last event with generated content arrived; `null` if there is none. */
  readonly tokens: Pause | null;
  /** Tokens per second between the first and the last token; `null` if unknown, and for a buffered answer. */
  readonly rate: Rate | null;
  /** The longest pause between two tokens; `null` with fewer than two tokens. */
  readonly longestPause: Milliseconds | null;
  /** The median pause between two tokens; `null` with fewer than two tokens. */
  readonly usualPause: Milliseconds | null;
  /** The longest pauses that are far above the usual one, at most 100. */
  readonly stalls: readonly Pause[];
  /** The tokens as the response counts them; `null` if it does not. `input` includes `cached`. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cached: number | null;
  /** The names of the called tools in order, at most 20. */
  readonly tools: readonly string[];
  readonly finish: string | null;
  /** The name of the error that ended the answer; `null` without one. */
  readonly error: string | null;
  /** What something between server and client held back; `null` if nothing did. */
  readonly buffered: Buffered | null;
  /** What the request's prompt begins with; `null` if it is unknown. */
  readonly prompt: Prompt | null;
}

/** Tokens per second. `isAbout`: counted from events, because the response counts no tokens. */
export interface Rate {
  readonly perSecond: number;
  readonly isAbout: boolean;
}

/** The most stalls and tools that are kept of a call. */
const MOST_STALLS = 100;
const MOST_TOOLS = 20;

/** An exchange, as far as it shows a call to a language model. */
export interface CallContent {
  readonly target: string;
  /** The response's media type in lower case, without parameters. */
  readonly contentType: string | null;
  /** The decoded bodies; a cut response gives the facts of its beginning. */
  readonly requestText: string;
  readonly responseText: string;
  readonly start: Instant;
  /** When each event arrived; `null` if it is not known. */
  readonly arrivals: readonly Instant[] | null;
}

/**
 * Reads a call to a language model from its path and the shape of its events, whatever its host; `null` if it is none.
 * The work is linear in the bodies.
 */
export function modelCallOf(content: CallContent): ModelCall | null {
  const api = modelApiOf(content.target);
  if (api === null) return null;
  const { texts, isStream } = textsOf(content);
  const sum = new Sum();
  for (const [index, text] of texts.entries()) {
    const event = jsonOf(text);
    const told = isRecord(event) ? SHAPES[api](event) : null;
    if (told !== null) sum.add(told, isStream ? (content.arrivals?.[index] ?? null) : null);
  }
  // An error alone has no API's shape: only a stream of this path tells whose it is.
  const isCall = isStream ? !sum.isEmpty : sum.hasShape;
  return isCall ? sum.call(api, isStream, content) : null;
}

function textsOf({ target, contentType, responseText }: CallContent): {
  readonly texts: readonly string[];
  readonly isStream: boolean;
} {
  if (contentType === "text/event-stream") return { texts: dataOfEvents(responseText), isStream: true };
  const form = modelStreamFormOf(target, contentType);
  if (form === "lines") return { texts: linesOfJson(responseText), isStream: true };
  const elements = form === "elements" ? elementsOfJson(responseText) : [];
  return elements.length > 0 ? { texts: elements, isStream: true } : { texts: [responseText], isStream: false };
}

/** What the events say together: of each count the latest, since streams count so far. */
class Sum {
  isEmpty = true;
  /** Whether an event has the API's shape, which an error alone has not. */
  hasShape = false;
  #told: Told = {};
  #sawReasoning = false;
  readonly #tools: string[] = [];
  readonly #arrived: Instant[] = [];
  #events = 0;
  /** The counted tokens' events: all but summaries of hidden reasoning. */
  #counted: Pause | null = null;
  #countedEvents = 0;
  #made: [first: number, last: number] | null = null;

  add(told: Told, at: Instant | null): void {
    this.isEmpty = false;
    this.hasShape ||= told.isToken !== undefined;
    this.#sawReasoning ||= told.isReasoning ?? false;
    for (const name of told.tools ?? []) if (this.#tools.length < MOST_TOOLS) this.#tools.push(name);
    const said = Object.entries(told).filter(([, value]) => value !== null && value !== undefined);
    this.#told = { ...this.#told, ...Object.fromEntries(said) };
    if (told.isToken !== true) return;
    this.#events += 1;
    if (at !== null) this.#arrived.push(at);
    if (told.isSummary !== true) this.#countedEvents += 1;
    if (at !== null && told.isSummary !== true) this.#counted = { start: this.#counted?.start ?? at, end: at };
    if (told.madeAt != null) this.#made = [this.#made?.[0] ?? told.madeAt, told.madeAt];
  }

  call(api: ModelApi, isStream: boolean, { start, requestText }: CallContent): ModelCall {
    const {
      model = null,
      finish = null,
      error = null,
      input = null,
      output = null,
      cached = null,
      hidden = null,
    } = this.#told;
    const arrived = this.#arrived;
    const [first, last] = [arrived[0], arrived.at(-1)];
    const tokens = first === undefined || last === undefined ? null : { start: first, end: last };
    const gaps = gapsOf(arrived);
    const visible = output === null ? null : Math.max(0, output - (this.#sawReasoning ? 0 : (hidden ?? 0)));
    const made = this.#made === null ? null : this.#made[1] - this.#made[0];
    const generation = this.#told.generation ?? made;
    const buffered = tokens === null ? null : bufferedOf({ start, tokens, events: this.#events, visible, generation });
    return Object.freeze({
      api,
      model,
      isStream,
      input,
      output,
      cached,
      finish,
      error,
      buffered,
      firstToken: tokens === null ? null : Math.max(0, tokens.start - start),
      tokens,
      rate: buffered === null && this.#counted !== null ? rateOf(this.#counted, visible, this.#countedEvents) : null,
      longestPause: gaps.length === 0 ? null : longestOf(gaps),
      usualPause: gaps.length === 0 ? null : medianOf(gaps),
      stalls: Object.freeze(stallsIn(arrived, gaps)),
      tools: Object.freeze(this.#tools),
      prompt: promptOf(requestText),
    });
  }
}

/**
 * The rate after the first event, whose own time is no part of the span: its share of the tokens is left out. `null` if
 * no model is that quick, because the events then came together.
 */
function rateOf({ start, end }: Pause, visible: number | null, events: number): Rate | null {
  const tokens = ((visible ?? events) * (events - 1)) / events;
  const perSecond = (tokens * 1_000) / (end - start);
  if (end <= start || tokens < 1 || perSecond > FASTEST_PER_SECOND) return null;
  return Object.freeze({ perSecond, isAbout: visible === null });
}

function stallsIn(arrived: readonly Instant[], gaps: readonly Milliseconds[]): Pause[] {
  const from = stallOf(gaps);
  const stalls = gaps.flatMap((gap, index) =>
    gap >= from ? [{ start: arrived[index] as Instant, end: arrived[index + 1] as Instant }] : [],
  );
  if (stalls.length <= MOST_STALLS) return stalls;
  const longest = stalls.toSorted((one, other) => other.end - other.start - (one.end - one.start));
  return longest.slice(0, MOST_STALLS).sort((one, other) => one.start - other.start);
}

function longestOf(gaps: readonly Milliseconds[]): Milliseconds {
  let longest = 0;
  for (const gap of gaps) longest = Math.max(longest, gap);
  return longest;
}

/** The most events that are read of one response. */
const MOST_EVENTS = 100_000;

/** The data of each event of an event stream (WHATWG HTML, 9.2.6); an event without data is no event. */
export function dataOfEvents(text: string): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of linesOf(text)) {
    if (line === "") {
      if (data.length > 0) events.push(data.join("\n"));
      data = [];
      if (events.length >= MOST_EVENTS) return events;
    } else if (line === "data") data.push("");
    else if (line.startsWith("data:")) data.push(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5));
  }
  return events;
}

/** The lines of NDJSON that are not empty. */
export function linesOfJson(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    if (line.trim() !== "") lines.push(line);
    if (lines.length >= MOST_EVENTS) break;
  }
  return lines;
}

/** The objects of one JSON list; a last one that is cut off is none. */
export function elementsOfJson(text: string): readonly string[] {
  const elements = new JsonElements();
  const events: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length && events.length < MOST_EVENTS; at += 1) {
    const edge = elements.take(text.charCodeAt(at));
    if (edge === "first") from = at;
    if (edge === "last") events.push(text.slice(from, at + 1));
  }
  return events;
}

/** The lines, which end with CR LF, LF or CR. What follows the last end is a line if it is not empty. */
function* linesOf(text: string): Generator<string, void, undefined> {
  const ends = /\r\n|\n|\r/g;
  let from = text.startsWith("\ufeff") ? 1 : 0;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(from, end.index);
    from = ends.lastIndex;
  }
  if (from < text.length) yield text.slice(from);
}
