import type { ExchangeEnded, RequestStarted, ResponseStarted } from "../../../src/engine/capture/event.ts";
import { ERROR_TYPES, type Outcome, TAGS, type Tag } from "../../../src/engine/model/exchange.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";

/** What is known of an exchange: the three events that tell it, without its bodies and messages. */
export interface Telling {
  readonly started: RequestStarted;
  readonly answered: ResponseStarted | null;
  readonly ended: ExchangeEnded | null;
}

/** How a telling lies in the database: figures packed, words as JSON, heads as they are. */
export interface ExchangeRow {
  readonly id: number;
  /** Float64, little-endian: `FIGURES`, `INSTANTS`, and since version 3 `CARRIERS`; NaN = null. */
  readonly numbers: NodeJS.TypedArray;
  /** method, origin, target, client address, protocol, tags; once it has ended: its tags, outcome, reused, what it waited for. */
  readonly words: string;
  readonly requestHead: string;
  readonly responseHead: string | null;
}

/** started at, answered at, status, ended at, request body size, encoded body size, connection */
const FIGURES = 7;
const INSTANTS = [
  "startTime",
  "headReceived",
  "domainLookupStart",
  "domainLookupEnd",
  "connectStart",
  "secureConnectionStart",
  "connectEnd",
  "requestStart",
  "requestEnd",
  "responseStart",
  "responseForwarded",
  "responseEnd",
] as const satisfies readonly (keyof Instants)[];
const BEFORE_CARRIERS = FIGURES + INSTANTS.length;
/** stream, client's connection, its stream */
const CARRIERS = 3;
/** How many figures an exchange has. */
export const NUMBERS = BEFORE_CARRIERS + CARRIERS;

/** What `rowOf` packs the figures into, again and again: to allocate it costs as much as to insert the row. */
export type Scratch = Float64Array<ArrayBuffer>;

export function newScratch(): Scratch {
  return new Float64Array(NUMBERS);
}

/** The row; its `numbers` lie in `numbers` and hold until that is used again. */
export function rowOf(telling: Telling, numbers: Scratch): ExchangeRow {
  packNumbers(telling, numbers, 0);
  return {
    id: telling.started.id,
    numbers,
    words: JSON.stringify(wordsOf(telling)),
    requestHead: telling.started.head,
    responseHead: telling.answered?.head ?? null,
  };
}

/** Puts the `NUMBERS` figures of an exchange into `numbers`, from place `from`. */
export function packNumbers({ started, answered, ended }: Telling, numbers: Float64Array, from: number): void {
  numbers.fill(Number.NaN, from, from + NUMBERS);
  numbers[from] = started.at;
  const carriers = from + BEFORE_CARRIERS;
  numbers[carriers + 1] = started.clientConnection ?? Number.NaN;
  numbers[carriers + 2] = started.clientStream ?? Number.NaN;
  if (answered !== null) {
    numbers[from + 1] = answered.at;
    numbers[from + 2] = answered.status;
  }
  if (ended === null) return;
  numbers[from + 3] = ended.at;
  numbers[from + 4] = ended.requestBodySize;
  numbers[from + 5] = ended.encodedBodySize;
  numbers[from + 6] = ended.connection ?? Number.NaN;
  packInstants(ended.instants, numbers, from + FIGURES);
  numbers[carriers] = ended.stream ?? Number.NaN;
}

/** In the order of INSTANTS; one by one, since what is looked up by a name in a variable costs several times as much. */
function packInstants(at: Instants, numbers: Float64Array, from: number): void {
  numbers[from] = at.startTime;
  numbers[from + 1] = at.headReceived ?? Number.NaN;
  numbers[from + 2] = at.domainLookupStart ?? Number.NaN;
  numbers[from + 3] = at.domainLookupEnd ?? Number.NaN;
  numbers[from + 4] = at.connectStart ?? Number.NaN;
  numbers[from + 5] = at.secureConnectionStart ?? Number.NaN;
  numbers[from + 6] = at.connectEnd ?? Number.NaN;
  numbers[from + 7] = at.requestStart ?? Number.NaN;
  numbers[from + 8] = at.requestEnd ?? Number.NaN;
  numbers[from + 9] = at.responseStart ?? Number.NaN;
  numbers[from + 10] = at.responseForwarded ?? Number.NaN;
  numbers[from + 11] = at.responseEnd ?? Number.NaN;
}

/** Where `wordsOf` has the target. */
export const TARGET = 2;

/** What is to be said of it in words, as data for JSON. */
export function wordsOf({ started, ended }: Telling): unknown[] {
  const { method, origin, target, clientAddress, protocol, tags } = started;
  if (ended === null) return [method, origin, target, clientAddress, protocol, tags];
  const { outcome, reused, waitedFor } = ended;
  return [method, origin, target, clientAddress, protocol, tags, ended.tags, outcome, reused, waitedFor];
}

/** `null` for a row that is damaged. */
export function tellingOf(row: ExchangeRow): Telling | null {
  const numbers = numbersOf(row.numbers);
  const words = arrayOf(row.words);
  // What an earlier version wrote has no carriers: they are absent.
  if ((numbers.length !== NUMBERS && numbers.length !== BEFORE_CARRIERS) || words === null) return null;
  return told(row.id as ExchangeId, numbers, words, row.requestHead, row.responseHead);
}

/** The exchange of that id with those figures, words and heads; `null` where they are damaged. */
export function told(
  id: ExchangeId,
  numbers: Float64Array,
  words: readonly unknown[],
  requestHead: string,
  responseHead: string | null,
): Telling | null {
  const started = startedOf(id, numbers, words, requestHead);
  if (started === null) return null;
  const [at, status] = [instantAt(numbers, 1), numberAt(numbers, 2)];
  const answered =
    at === null || status === null || responseHead === null
      ? null
      : Object.freeze({ type: "response-started" as const, id, at, status, head: responseHead });
  return { started, answered, ended: endedOf(id, numbers, words) };
}

/** The numbers that lie in those bytes (Float64, little-endian). Copied, since what was read may begin anywhere. */
export function numbersOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Float64Array {
  return new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength - (byteLength % 8)));
}

function startedOf(
  id: ExchangeId,
  numbers: Float64Array,
  words: readonly unknown[],
  head: string,
): RequestStarted | null {
  const [method, origin, target, clientAddress, protocol, tags] = words;
  const at = instantAt(numbers, 0);
  if (typeof method !== "string" || typeof origin !== "string" || typeof target !== "string") return null;
  if (typeof clientAddress !== "string" || typeof protocol !== "string" || at === null) return null;
  return Object.freeze({
    type: "request-started",
    id,
    at,
    method,
    origin,
    target,
    head,
    clientAddress,
    protocol,
    clientConnection: numberAt(numbers, BEFORE_CARRIERS + 1),
    clientStream: numberAt(numbers, BEFORE_CARRIERS + 2),
    tags: tagsOf(tags),
  });
}

function endedOf(id: ExchangeId, numbers: Float64Array, words: readonly unknown[]): ExchangeEnded | null {
  const [at, startTime] = [instantAt(numbers, 3), instantAt(numbers, FIGURES)];
  const outcome = outcomeOf(words[7]);
  if (at === null || startTime === null || outcome === null) return null;
  const reused = words[8];
  const instants: Record<string, Instant | null> = {};
  let index = FIGURES;
  for (const name of INSTANTS) {
    instants[name] = instantAt(numbers, index);
    index += 1;
  }
  return Object.freeze({
    type: "exchange-ended",
    id,
    at,
    instants: Object.freeze(instants) as unknown as Instants,
    outcome,
    requestBodySize: numberAt(numbers, 4) ?? 0,
    encodedBodySize: numberAt(numbers, 5) ?? 0,
    connection: numberAt(numbers, 6),
    reused: typeof reused === "boolean" ? reused : null,
    stream: numberAt(numbers, BEFORE_CARRIERS),
    waitedFor: WAITED_FOR.find((one) => one === words[9]) ?? null,
    tags: tagsOf(words[6]),
  });
}

function outcomeOf(value: unknown): Outcome | null {
  if (typeof value !== "object" || value === null) return null;
  const { kind, status, errorType, detail } = value as Record<string, unknown>;
  if (kind === "responded") return typeof status === "number" ? Object.freeze({ kind, status }) : null;
  const known = ERROR_TYPES.find((one) => one === errorType);
  if (kind !== "failed" || known === undefined || typeof detail !== "string") return null;
  return Object.freeze({ kind, errorType: known, detail, status: typeof status === "number" ? status : null });
}

function tagsOf(value: unknown): readonly Tag[] {
  return Object.freeze(TAGS.filter((tag) => Array.isArray(value) && value.includes(tag)));
}

/** The array whose JSON this is; `null` for anything else. */
export function arrayOf(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function numberAt(numbers: Float64Array, index: number): number | null {
  const number = numbers[index];
  return number === undefined || Number.isNaN(number) ? null : number;
}

function instantAt(numbers: Float64Array, index: number): Instant | null {
  return numberAt(numbers, index) as Instant | null;
}
