import type { BodyCaptured, CaptureEvent, ExchangeEnded, RequestStarted } from "../capture/event.ts";
import { InFlight } from "../capture/exchange-folder.ts";
import { isApplicationError } from "../insights/facts/facts-maker.ts";
import { operationOf } from "../insights/facts/operations.ts";
import { queryPairsOf } from "../insights/facts/query-pairs.ts";
import { SentText } from "../insights/facts/sent-text.ts";
import { fieldsOf, headerOf } from "../model/head.ts";
import type { Operation } from "../model/operation.ts";
import type { Bytes } from "../model/units.ts";
import { joinedBytes, shownUtf8 } from "../quoting/utf8.ts";

/**
 * The most bytes that are read of an exchange's two bodies together. If there are more, the operation is taken from the
 * head only, and whether the response reports an error stays unknown.
 */
export const MOST_READ: Bytes = 256 * 1024;

/** The parts read so far of an exchange whose request may name an operation. */
interface Read {
  readonly started: RequestStarted;
  responseHead: string | null;
  readonly request: Uint8Array[];
  readonly response: Uint8Array[];
  /** Bytes of both bodies received so far. */
  size: Bytes;
}

/**
 * Adds to `exchange-ended` events the operation that the request names, and a tag if the response reports an error.
 * Leaves encoded responses to `DecodingQueue`.
 */
export class OperationReader {
  readonly #open = new InFlight<Read>();

  /** The same events, with operations and tags added. */
  read(events: readonly CaptureEvent[]): readonly CaptureEvent[] {
    let changed: CaptureEvent[] | null = null;
    for (const [index, event] of events.entries()) {
      const read = this.#readOne(event);
      if (read === event) continue;
      changed ??= [...events];
      changed[index] = read;
    }
    return changed ?? events;
  }

  #readOne(event: CaptureEvent): CaptureEvent {
    switch (event.type) {
      case "request-started":
        if (mayNameOperation(event)) {
          this.#open.set(event.id, { started: event, responseHead: null, request: [], response: [], size: 0 });
        }
        return event;
      case "response-started": {
        const read = this.#open.get(event.id);
        if (read !== null) read.responseHead = event.head;
        return event;
      }
      case "body-captured":
        this.#addBody(event);
        return event;
      case "exchange-ended":
        return this.#end(event);
      default:
        return event;
    }
  }

  #addBody({ id, side, bytes }: BodyCaptured): void {
    const read = this.#open.get(id);
    if (read === null || (side === "response" && isCoded(read))) return;
    read.size += bytes.length;
    // Copied, because a view would keep the memory of the whole batch.
    if (read.size <= MOST_READ) read[side].push(bytes.slice());
  }

  #end(ended: ExchangeEnded): ExchangeEnded {
    const read = this.#open.get(ended.id);
    if (read === null) return ended;
    this.#open.delete(ended.id);
    const operation = operationIn(read);
    const failed = isApplicationError(operation?.kind ?? null, lowered(read.responseHead ?? ""), textOf(read.response));
    if (operation === null && !failed) return ended;
    const tags = failed ? [...ended.tags, "application-error" as const] : ended.tags;
    return Object.freeze({ ...ended, operation, tags });
  }
}

/**
 * Whether the request may name an operation, by method, target and headers alone. Most exchanges name none, and are not
 * read further.
 */
function mayNameOperation({ method, target, head }: RequestStarted): boolean {
  if (method === "GET") return /[?&](?:query|operationName|extensions)=/.test(target);
  const type = headerOf(head, "content-type");
  return type === null ? headerOf(head, "soapaction") !== null : /json|graphql|soap|xml|grpc/i.test(type);
}

function operationIn({ started, request, size }: Read): Operation | null {
  const { method, target, head } = started;
  const isReadable = size <= MOST_READ && (headerOf(head, "content-encoding") ?? "identity") === "identity";
  const body = new SentText(isReadable ? textOf(request) : "");
  return operationOf({ method, query: queryPairsOf(target), fields: lowered(head), body });
}

/**
 * Whether the response body is stored encoded. Bodies of HAR files are stored decoded, whatever their Content-Encoding
 * says.
 */
function isCoded({ started, responseHead }: Read): boolean {
  if (started.tags.includes("imported")) return false;
  return (headerOf(responseHead ?? "", "content-encoding") ?? "identity") !== "identity";
}

function lowered(head: string): ReturnType<typeof fieldsOf> {
  return fieldsOf(head).map(({ name, value }) => ({ name: name.toLowerCase(), value }));
}

function textOf(pieces: readonly Uint8Array[]): string {
  return shownUtf8(joinedBytes(pieces));
}
