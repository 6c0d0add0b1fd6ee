import type { ContentReader, DecodedBody, Heads, StoredMessage } from "../capture/content-reader.ts";
import type {
  BodyCaptured,
  CaptureEvent,
  HarFields,
  MessageCaptured,
  RequestStarted,
  ResponseStarted,
  Side,
} from "../capture/event.ts";
import { failure, type Result, success } from "../model/result.ts";
import type { Bytes, ExchangeId } from "../model/units.ts";
import { joinedBytes } from "../quoting/utf8.ts";

/** What the content of an exchange is read from. */
interface Kept {
  readonly started: RequestStarted;
  answered: ResponseStarted | null;
  readonly bodies: BodyCaptured[];
  readonly messages: MessageCaptured[];
}

/** The content of a HAR file's exchanges in memory. Its bodies have no coding. */
export class MemoryContent implements ContentReader {
  readonly problem = null;
  readonly isClosed = false;
  readonly #exchanges = new Map<ExchangeId, Kept>();
  readonly #gzipSizeOf: (bytes: Uint8Array) => Promise<Bytes>;

  /** `gzipSizeOf`: as in `ContentReader`. */
  constructor(gzipSizeOf: (bytes: Uint8Array) => Promise<Bytes>) {
    this.#gzipSizeOf = gzipSizeOf;
  }

  append(events: readonly CaptureEvent[]): void {
    for (const event of events) {
      if (event.type === "request-started")
        this.#exchanges.set(event.id, { started: event, answered: null, bodies: [], messages: [] });
      else if (event.type === "response-started") {
        const kept = this.#exchanges.get(event.id);
        if (kept !== undefined) kept.answered = event;
      } else if (event.type === "body-captured") this.#exchanges.get(event.id)?.bodies.push(event);
      else if (event.type === "message-captured") this.#exchanges.get(event.id)?.messages.push(event);
    }
  }

  headsOf(id: ExchangeId): Heads | null {
    const kept = this.#exchanges.get(id);
    if (kept === undefined) return null;
    const { started, answered } = kept;
    return { target: started.target, request: started.head, response: answered?.head ?? null };
  }

  fieldsOf(id: ExchangeId): HarFields | null {
    return this.#exchanges.get(id)?.started.fields ?? null;
  }

  readBody(id: ExchangeId, side: Side, from: number, count: number): Result<Uint8Array> {
    const pieces = this.#exchanges.get(id)?.bodies.flatMap((body) => (body.side === side ? [body.bytes] : [])) ?? [];
    return success(joinedBytes(pieces).subarray(from, from + count));
  }

  async readBodyInTurns(id: ExchangeId, side: Side, count: number): Promise<Result<Uint8Array>> {
    return this.readBody(id, side, 0, count);
  }

  keptOf(id: ExchangeId, side: Side): Bytes {
    const bodies = this.#exchanges.get(id)?.bodies ?? [];
    return bodies.reduce((kept, { bytes, side: of }) => (of === side ? kept + bytes.length : kept), 0);
  }

  messageCount(id: ExchangeId): number {
    return this.#messagesOf(id).length;
  }

  readMessages(id: ExchangeId, from: number, count: number): readonly StoredMessage[] {
    return this.#messagesOf(id)
      .slice(from, from + count)
      .map(({ type: _, bytes, ...message }, at) => ({ ...message, index: from + at, kept: bytes.length }));
  }

  readMessage(id: ExchangeId, index: number): Result<Uint8Array> {
    const message = this.#messagesOf(id)[index];
    return message === undefined ? failure("there is no such message") : success(message.bytes);
  }

  readAhead(): void {}

  async decode(body: Uint8Array, contentEncoding: string): Promise<DecodedBody> {
    return { bytes: body, total: body.length, problem: `the coding "${contentEncoding}" is not known` };
  }

  hashOf(bytes: Uint8Array): string {
    return `${bytes.length} ${hashOf(bytes)}`;
  }

  gzipSizeOf(bytes: Uint8Array): Promise<Bytes> {
    return this.#gzipSizeOf(bytes);
  }

  #messagesOf(id: ExchangeId): readonly MessageCaptured[] {
    return this.#exchanges.get(id)?.messages ?? [];
  }
}

/**
 * 64 bits that tell bytes apart, though not if somebody means to mislead: two multiplicative hashes of 32-bit words.
 */
function hashOf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = bytes.length - (bytes.length % 4);
  let [one, other] = [0x9747b28c | 0, 0x2c1b3c6d | 0];
  for (let at = 0; at < bytes.length; at += at < last ? 4 : 1) {
    const part = at < last ? view.getInt32(at, true) : view.getUint8(at);
    one = Math.imul(one ^ part, 0x85ebca6b);
    // The multiplication moves bits only upwards.
    one ^= one >>> 15;
    other = Math.imul(other ^ part, 0xc2b2ae35);
    other ^= other >>> 13;
  }
  return `${(one >>> 0).toString(36)}.${(other >>> 0).toString(36)}`;
}
