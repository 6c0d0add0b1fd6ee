import type { SessionReader } from "../../extensions/proxy/storage/session-reader.ts";
import { SessionStore } from "../../extensions/proxy/storage/sessions.ts";
import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";
import { Session } from "../../src/engine/session/session.ts";
import { eventsOf, instant } from "./capture.ts";
import { type ExchangeSketch, exchange } from "./exchange.ts";
import { withFolder } from "./temporary-folder.ts";

/** What an exchange contains beside its figures: more header lines, and bodies. */
export interface Said {
  readonly sketch: ExchangeSketch;
  readonly requestHeaders?: readonly string[];
  readonly requestBody?: string | Uint8Array;
  readonly responseHeaders?: readonly string[];
  readonly responseBody?: string | Uint8Array;
}

export interface Stored {
  readonly session: Session;
  readonly reader: SessionReader;
  /** Records more events, in memory and on disk. */
  readonly capture: (events: readonly CaptureEvent[]) => void;
  /** Comments an exchange on disk only. */
  readonly comment: (id: ExchangeId, comment: string) => void;
  readonly end: () => void;
}

/**
 * Records the exchanges in memory and on disk and calls `body` with the session, which `body` may end. Removes the
 * session afterwards.
 */
export async function withStored(conversation: readonly Said[], body: (stored: Stored) => unknown): Promise<void> {
  await withFolder(async (folder) => {
    const store = SessionStore.open(folder, 1024 ** 3);
    const session = new Session();
    const capture = (events: readonly CaptureEvent[]) => {
      session.apply(events);
      store.append(events);
      store.flush();
    };
    store.startSession(instant(0));
    for (const said of conversation) capture(eventsWith(said));
    const reader = store.writer?.reader() ?? null;
    if (reader === null) throw new Error("nothing was stored");
    const comment = (id: ExchangeId, text: string) => {
      store.annotate([[id, { mark: null, comment: text }]]);
      store.flush();
    };
    const end = () => void store.endSession(instant(1), null);
    try {
      await body({ session, reader, capture, comment, end });
    } finally {
      end();
    }
  });
}

function eventsWith(said: Said): readonly CaptureEvent[] {
  const request = bytesOf(said.requestBody);
  const response = bytesOf(said.responseBody);
  const { requestHeaders = [], responseHeaders = [] } = said;
  const made = exchange({ requestBodySize: request.length, encodedBodySize: response.length, ...said.sketch });
  return eventsOf(made).flatMap((event): readonly CaptureEvent[] => {
    if (event.type === "request-started") {
      return [{ ...event, head: withHeaders(event.head, requestHeaders) }, ...piece(made, "request", request)];
    }
    if (event.type === "response-started") {
      return [{ ...event, head: withHeaders(event.head, responseHeaders) }, ...piece(made, "response", response)];
    }
    return [event];
  });
}

function piece({ id }: Exchange, side: "request" | "response", bytes: Uint8Array): readonly CaptureEvent[] {
  return bytes.length === 0 ? [] : [{ type: "body-captured", id, side, bytes }];
}

function withHeaders(head: string, headers: readonly string[]): string {
  return head.replace(/\r\n$/, `${headers.map((line) => `${line}\r\n`).join("")}\r\n`);
}

function bytesOf(body: string | Uint8Array = ""): Uint8Array {
  return typeof body === "string" ? Buffer.from(body) : body;
}
