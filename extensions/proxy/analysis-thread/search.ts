import { setImmediate } from "node:timers/promises";
import type { Side } from "../../../src/engine/capture/event.ts";
import { withWholeTarget } from "../../../src/engine/interchange/whole-target.ts";
import type { SearchHit, SearchPart } from "../../../src/engine/messages/session-messages.ts";
import { type Exchange, statusOf } from "../../../src/engine/model/exchange.ts";
import { headerOf } from "../../../src/engine/model/head.ts";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import { shownUtf8, textOf } from "../../../src/engine/quoting/utf8.ts";
import { isStoredDecoded, storedBodyOf } from "../../../src/engine/report/stored-body.ts";
import { type Literal, literal } from "../../../src/engine/session/filter/literal.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { commandPause } from "../process/timeslicer.ts";
import type { SessionReader } from "../storage/session-reader.ts";
import type { WorkMessage } from "./analysis-messages.ts";

/** The most hits of a search (session-messages.ts). */
const MOST_HITS = 1_000;
/** The most characters before and after a match (session-messages.ts). */
const AROUND = 80;
/** The most characters of a hit's target (session-messages.ts). */
const LONGEST_TARGET = 512;

const HITS_AT_ONCE = 50;
/** The time between messages about progress. */
const PROGRESS_EVERY: Milliseconds = 200;

/** The most WebSocket messages that are searched per exchange. */
const MOST_MESSAGES = 10_000;

export interface SearchSource {
  readonly session: Session;
  /** `null` if nothing was captured. */
  readonly reader: SessionReader | null;
}

/** Running searches. Each runs until it is done or cancelled. */
export class Searches {
  readonly #running = new Set<number>();

  start(searchNumber: number, source: SearchSource, text: string, send: (message: WorkMessage) => void): void {
    this.#running.add(searchNumber);
    void this.#run(searchNumber, source, literal(text), send);
  }

  cancel(searchNumber: number): void {
    this.#running.delete(searchNumber);
  }

  async #run(
    searchNumber: number,
    { session, reader }: SearchSource,
    pattern: Literal,
    send: (message: WorkMessage) => void,
  ): Promise<void> {
    // The reply must be sent first: it contains the number of this search.
    await setImmediate();
    const { table } = session;
    const pause = commandPause();
    const newest = table.nextRow;
    let hits: SearchHit[] = [];
    let found = 0;
    let told = performance.now();
    const say = (row: number, done: boolean) => {
      const progress = done ? 1 : (newest - row) / Math.max(1, newest - table.firstRow);
      send({ type: "search-hits", searchNumber, hits, progress, done, cut: found === MOST_HITS, problem: null });
      hits = [];
      told = performance.now();
    };
    for (let row = newest - 1; row >= table.firstRow && found < MOST_HITS; row -= 1) {
      const hit = await hitIn(table.exchangeAt(row), reader, pattern, pause);
      if (hit !== null) {
        hits.push(hit);
        found += 1;
      }
      await pause();
      if (!this.#running.has(searchNumber)) break;
      if (hits.length === HITS_AT_ONCE || performance.now() - told > PROGRESS_EVERY) say(row, false);
    }
    this.#running.delete(searchNumber);
    say(0, true);
  }
}

/** The first match in an exchange; `null` if there is none. */
async function hitIn(
  exchange: Exchange,
  reader: SessionReader | null,
  pattern: Literal,
  pause: () => Promise<void>,
): Promise<SearchHit | null> {
  const { id, method, origin } = exchange;
  const heads = reader?.headsOf(id) ?? null;
  const { target } = withWholeTarget(exchange, heads);
  const inUrl = foundIn(`${method} ${origin}${target}`, pattern);
  if (inUrl !== null) return hitOf(exchange, "url", inUrl);
  if (reader === null) return null;
  const request = heads?.request ?? "";
  const response = heads?.response ?? "";
  const inRequest = foundIn(textOfHead(request), pattern);
  if (inRequest !== null) return hitOf(exchange, "request-headers", inRequest);
  const inResponse = foundIn(textOfHead(response), pattern);
  if (inResponse !== null) return hitOf(exchange, "response-headers", inResponse);
  const inRequestBody = foundIn(await bodyText(reader, exchange, "request", request), pattern);
  if (inRequestBody !== null) return hitOf(exchange, "request-body", inRequestBody);
  const inGiven = foundIn(await bodyText(reader, exchange, "response", response), pattern);
  if (inGiven !== null) return hitOf(exchange, "response-body", inGiven);
  const inMessage = exchange.tags.includes("websocket")
    ? await foundInMessages(reader, exchange, pattern, pause)
    : null;
  return inMessage === null ? null : hitOf(exchange, "message", inMessage);
}

/** The head as the inspector shows it: each line is decoded by itself, as UTF-8 or latin1. */
function textOfHead(head: string): string {
  return head.split("\n").map(textOf).join("\n");
}

type Found = Pick<SearchHit, "before" | "match" | "after">;

function foundIn(text: string, pattern: Literal): Found | null {
  const match = pattern.find(text);
  if (match === null) return null;
  const { index } = match;
  const end = index + match.length;
  return {
    before: text.slice(Math.max(0, index - AROUND), index),
    match: text.slice(index, end),
    after: text.slice(end, end + AROUND),
  };
}

/** The first match in the messages of a WebSocket; `null` if there is none. */
export async function foundInMessages(
  reader: SessionReader,
  { id }: Exchange,
  pattern: Literal,
  pause: () => Promise<void>,
): Promise<Found | null> {
  const count = Math.min(MOST_MESSAGES, reader.messageCount(id));
  for (let index = 0; index < count; index += 1) {
    const part = reader.readMessage(id, index);
    const found = part.ok ? foundIn(part.value.toString("utf8"), pattern) : null;
    if (found !== null) return found;
    await pause();
  }
  return null;
}

/** A body as text, decoded as far as possible; "" for images, sound, films and fonts. */
export async function bodyText(reader: SessionReader, exchange: Exchange, side: Side, head: string): Promise<string> {
  const size = side === "request" ? exchange.requestBodySize : exchange.encodedBodySize;
  // The size is 0 while an exchange is in flight, because it is not known yet.
  const isEmpty = size === 0 && exchange.outcome !== null && !isStoredDecoded(exchange);
  if (isEmpty || /^(?:image\/(?!svg)|audio\/|video\/|font\/)/i.test(headerOf(head, "content-type") ?? "")) return "";
  return shownUtf8((await storedBodyOf(reader, exchange, side, head)).bytes);
}

function hitOf(exchange: Exchange, part: SearchPart, found: Found): SearchHit {
  const { id, method, origin, target, outcome, instants } = exchange;
  return Object.freeze({
    exchange: id,
    method,
    origin,
    target: target.slice(0, LONGEST_TARGET),
    status: statusOf(outcome),
    startTime: instants.startTime,
    part,
    ...found,
  });
}
