import type {
  CaptureEvent,
  ExchangeEnded,
  MessageCaptured,
  RequestStarted,
  ResponseStarted,
  Side,
} from "../../../src/engine/capture/event.ts";
import type { ErrorType, Tag } from "../../../src/engine/model/exchange.ts";
import { NOTHING_AT_END } from "../../../src/engine/model/exchange-fields.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";

const START = 1_795_176_000_000;

export function idOf(number: number): ExchangeId {
  return number as ExchangeId;
}

/** This many ms after the story's start, with the fraction that a real clock has. */
export function moment(offset: number): Instant {
  return (START + offset + 0.123) as Instant;
}

export function started(number: number, changes: Partial<RequestStarted> = {}): RequestStarted {
  return {
    type: "request-started",
    id: idOf(number),
    at: moment(number),
    method: "GET",
    origin: "https://shop.example",
    target: `/items/${number}?q=1`,
    head: `GET /items/${number}?q=1 HTTP/1.1\r\nHost: shop.example\r\n\r\n`,
    clientAddress: "127.0.0.1",
    protocol: "http/1.1",
    clientConnection: 2,
    clientStream: null,
    tags: [],
    ...changes,
  };
}

export function answered(number: number, status = 200): ResponseStarted {
  const head = `HTTP/1.1 ${status} \xc4rger\r\nX: ${number}\r\n\r\n`;
  return { type: "response-started", id: idOf(number), at: moment(number + 5), status, head };
}

export function piece(number: number, bytes: Uint8Array, side: Side = "response"): CaptureEvent {
  return { type: "body-captured", id: idOf(number), side, bytes };
}

export function message(number: number, bytes: Uint8Array, side: Side = "request"): MessageCaptured {
  const at = moment(number + 6);
  return {
    type: "message-captured",
    id: idOf(number),
    at,
    side,
    kind: "binary",
    size: bytes.length,
    bytes,
    cut: false,
  };
}

export function ended(number: number, errorType: ErrorType | null = null, tags: readonly Tag[] = []): ExchangeEnded {
  const [start, end] = [moment(number), moment(number + 9.5)];
  return {
    type: "exchange-ended",
    id: idOf(number),
    at: end,
    instants: {
      startTime: start,
      headReceived: moment(number + 0.25),
      domainLookupStart: null,
      domainLookupEnd: null,
      connectStart: null,
      secureConnectionStart: null,
      connectEnd: null,
      requestStart: moment(number + 0.5),
      requestEnd: moment(number + 0.6),
      responseStart: errorType === null ? moment(number + 5) : null,
      responseForwarded: errorType === null ? moment(number + 5.1) : null,
      responseEnd: errorType === null ? end : null,
    },
    outcome:
      errorType === null
        ? { kind: "responded", status: 200 }
        : { kind: "failed", errorType, detail: "It did not work (ECONNRESET).", status: null },
    requestBodySize: 0,
    encodedBodySize: 1234,
    ...NOTHING_AT_END,
    connection: errorType === null ? 7 : null,
    reused: errorType === null ? true : null,
    uncertainty: 0,
    tags,
  };
}

/** One small, complete exchange. */
export function exchange(number: number, body: Uint8Array = Buffer.from(`body ${number}`)): readonly CaptureEvent[] {
  return [started(number), answered(number), piece(number, body), ended(number)];
}
