import type { ExchangeEnded, HarFields, RequestStarted, ResponseStarted } from "../../../src/engine/capture/event.ts";
import { ERROR_TYPES, type Outcome, TAGS, type Tag } from "../../../src/engine/model/exchange.ts";
import { OPERATION_KINDS, type Operation } from "../../../src/engine/model/operation.ts";
import type { Instants } from "../../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";

/** An exchange without its bodies and messages: the three events that describe it. */
export interface StoredExchange {
  readonly started: RequestStarted;
  readonly answered: ResponseStarted | null;
  readonly ended: ExchangeEnded | null;
}

/** An exchange as stored in a row: numbers packed, other facts (`words`) as JSON, heads as text. */
export interface ExchangeRow {
  readonly id: number;
  /**
   * The figures, the instants and the carriers, in this order (Float64, little-endian). NaN stands for `null`.
   */
  readonly numbers: NodeJS.TypedArray;
  /**
   * A JSON array: method, origin, target, client address, protocol, tags. Once the exchange has ended, then also: the
   * tags of its end, its outcome, reuse, the reason of a wait, its uncertainty unless that is 0, and the operation if
   * the request names one. If a HAR file names a page, that comes next, and fields of its entry come last.
   */
  readonly words: string;
  readonly requestHead: string;
  readonly responseHead: string | null;
}

/**
 * The number of figures: started at, answered at, status, ended at, request body size, encoded body size, connection.
 */
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
/** The number of carriers: the server's stream, the client's connection, the client's stream. */
const CARRIERS = 3;
/** How many numbers are stored per exchange. */
export const NUMBERS = BEFORE_CARRIERS + CARRIERS;

/**
 * The buffer in which `rowOf` packs numbers. It is reused, because allocating one costs as much as inserting the row.
 */
export type Scratch = Float64Array<ArrayBuffer>;

export function newScratch(): Scratch {
  return new Float64Array(NUMBERS);
}

/** The row of an exchange. Its numbers are in the given buffer, and valid until the buffer is used again. */
export function rowOf(exchange: StoredExchange, numbers: Scratch): ExchangeRow {
  packNumbers(exchange, numbers, 0);
  return {
    id: exchange.started.id,
    numbers,
    words: JSON.stringify(textFieldsOf(exchange)),
    requestHead: exchange.started.head,
    responseHead: exchange.answered?.head ?? null,
  };
}

/** Packs an exchange's `NUMBERS` numbers into the array `numbers`, from index `from`. */
export function packNumbers({ started, answered, ended }: StoredExchange, numbers: Float64Array, from: number): void {
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

/**
 * Packs the instants in the order of `INSTANTS`. Written out, because dynamic property access is several times slower.
 */
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

/** Index of the target in the result of `textFieldsOf`. */
export const TARGET = 2;

/** The values of `ExchangeRow.words`, in the order described there. */
export function textFieldsOf({ started, ended }: StoredExchange): unknown[] {
  const { method, origin, target, clientAddress, protocol, tags, page, fields } = started;
  const named: unknown[] = page === undefined ? [] : [page];
  if (fields !== undefined) named.push(fields);
  if (ended === null) return [method, origin, target, clientAddress, protocol, tags, ...named];
  const { outcome, reused, waitedFor, uncertainty } = ended;
  const words: unknown[] = [
    method,
    origin,
    target,
    clientAddress,
    protocol,
    tags,
    ended.tags,
    outcome,
    reused,
    waitedFor,
  ];
  if (uncertainty !== 0) words.push(uncertainty);
  if (ended.operation != null) words.push([ended.operation.kind, ended.operation.name]);
  return [...words, ...named];
}

/** Decodes a row; `null` if it is damaged. */
export function storedExchangeOf(row: ExchangeRow): StoredExchange | null {
  const numbers = numbersOf(row.numbers);
  const words = arrayOf(row.words);
  if (numbers.length !== NUMBERS || words === null) return null;
  return exchangeFrom(row.id as ExchangeId, numbers, words, row.requestHead, row.responseHead);
}

/** Decodes an exchange from its stored parts; `null` if they are damaged. */
export function exchangeFrom(
  id: ExchangeId,
  numbers: Float64Array,
  words: readonly unknown[],
  requestHead: string,
  responseHead: string | null,
): StoredExchange | null {
  const started = startedOf(id, numbers, words, requestHead);
  if (started === null) return null;
  const [at, status] = [instantAt(numbers, 1), numberAt(numbers, 2)];
  const answered =
    at === null || status === null || responseHead === null
      ? null
      : Object.freeze({ type: "response-started" as const, id, at, status, head: responseHead });
  return { started, answered, ended: endedOf(id, numbers, words) };
}

/** The Float64 numbers (little-endian) in these bytes. Copied, because the bytes may be unaligned. */
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
  const optional = words.slice(words.length < OPTIONAL ? UNENDED : OPTIONAL);
  const page = optional.find((word) => typeof word === "string");
  const fields = fieldsIn(words);
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
    ...(page === undefined ? {} : { page }),
    ...(fields === null ? {} : { fields }),
  });
}

/** The fields of a HAR entry in the `words` of an exchange; `null` if there are none. */
export function fieldsIn(words: readonly unknown[]): HarFields | null {
  const last = words.length > UNENDED ? words.at(-1) : null;
  return typeof last === "object" && last !== null && !Array.isArray(last) ? Object.freeze(last as HarFields) : null;
}

/** How many `words` an exchange in flight has, without the optional ones (its page, the fields of a HAR entry). */
const UNENDED = 6;

/** Index in the `words` of an ended exchange at which the optional values begin: its uncertainty, its operation. */
const OPTIONAL = 10;

function endedOf(id: ExchangeId, numbers: Float64Array, words: readonly unknown[]): ExchangeEnded | null {
  const [at, startTime] = [instantAt(numbers, 3), instantAt(numbers, FIGURES)];
  const outcome = outcomeOf(words[7]);
  if (at === null || startTime === null || outcome === null) return null;
  const reused = words[8];
  const [uncertainty] = words.slice(OPTIONAL).filter((word) => typeof word === "number");
  const operation = operationOf(words.slice(OPTIONAL).find(Array.isArray));
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
    uncertainty: uncertainty ?? 0,
    tags: tagsOf(words[6]),
    ...(operation === null ? {} : { operation }),
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

function operationOf(value: unknown): Operation | null {
  if (!Array.isArray(value)) return null;
  const [kind, name] = value;
  const known = OPERATION_KINDS.find((one) => one === kind);
  return known === undefined ? null : Object.freeze({ kind: known, name: typeof name === "string" ? name : null });
}

function tagsOf(value: unknown): readonly Tag[] {
  return Object.freeze(TAGS.filter((tag) => Array.isArray(value) && value.includes(tag)));
}

/** Parses `text` as a JSON array; `null` if it is anything else. */
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
