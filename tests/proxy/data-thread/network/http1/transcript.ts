import { Buffer } from "node:buffer";
import {
  LIMITS,
  type Problem,
  type ReadEvent,
  type RequestHead,
  type ResponseHead,
} from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { RequestReader } from "../../../../../extensions/proxy/data-thread/network/http1/request-reader.ts";
import { ResponseReader } from "../../../../../extensions/proxy/data-thread/network/http1/response-reader.ts";
import type { Repair } from "../../../../../src/engine/model/exchange.ts";

/** One message as a reader emitted it, its pieces joined (latin1). */
export interface ReadMessage<H> {
  readonly head: H;
  wire: string;
  data: string;
  /** The bytes that ended the framing; `null` while it has not ended. */
  ending: string | null;
}

export interface Transcript<H> {
  readonly messages: ReadMessage<H>[];
  problem: Problem | null;
}

/** The forwarded form of these messages. */
export function forwardedOf({ messages }: Transcript<RequestHead | ResponseHead>): string {
  return messages.map(({ head, wire, ending }) => head.text + wire + (ending ?? "")).join("");
}

/** What a request reader emits for `pieces`, fed one after the other. */
export function requestsIn(pieces: readonly Buffer[]): Transcript<RequestHead> {
  const reader = new RequestReader(LIMITS);
  const told: Transcript<RequestHead> = { messages: [], problem: null };
  for (const piece of pieces) {
    reader.feed(piece);
    drain(() => reader.next(), told);
  }
  return told;
}

/** The same with input fed ahead of reading: per turn, `true` feeds a piece and `false` reads one event. */
export function requestsAhead(pieces: readonly Buffer[], turns: readonly boolean[]): Transcript<RequestHead> {
  const reader = new RequestReader(LIMITS);
  const told: Transcript<RequestHead> = { messages: [], problem: null };
  const waiting = [...pieces];
  const feed = (): void => {
    const piece = waiting.shift();
    if (piece !== undefined) reader.feed(piece);
  };
  for (const comes of turns) {
    if (comes) feed();
    else tell(reader.next(), told);
  }
  while (waiting.length > 0) feed();
  drain(() => reader.next(), told);
  return told;
}

/** What a response reader emits, including the end. The first response answers `method`, later ones GET. */
export function responsesIn(
  pieces: readonly Buffer[],
  method: string,
): Transcript<ResponseHead> & { readonly repairs: ReadonlySet<Repair> } {
  const reader = new ResponseReader(LIMITS);
  const told = { messages: [], problem: null, repairs: reader.repairs };
  reader.expect(method);
  for (const piece of pieces) {
    reader.feed(piece);
    drain(() => reader.next(), told);
  }
  if (reader.finish() === "complete") drain(() => reader.next(), told);
  return told;
}

/** Latin1 text cut at the given offsets. */
export function cutAt(text: string, places: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, "latin1");
  const edges = [0, ...places.map((position) => position % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

function drain<H extends RequestHead | ResponseHead>(next: () => ReadEvent<H> | null, told: Transcript<H>): void {
  while (tell(next(), told));
}

/** Whether there was an event. */
function tell<H extends RequestHead | ResponseHead>(event: ReadEvent<H> | null, told: Transcript<H>): boolean {
  if (event === null) return false;
  const last = told.messages.at(-1);
  if (event.kind === "head") told.messages.push({ head: event.head, wire: "", data: "", ending: null });
  else if (event.kind === "refused") told.problem = event.problem;
  else if (last === undefined) throw new Error(`${event.kind} before any head`);
  else if (event.kind === "end") last.ending = event.wire.toString("latin1");
  else {
    last.wire += event.wire.toString("latin1");
    for (const data of event.data) last.data += data.toString("latin1");
  }
  return true;
}
