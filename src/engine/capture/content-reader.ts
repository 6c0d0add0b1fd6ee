import type { Problem, Result } from "../model/result.ts";
import type { Bytes, ExchangeId } from "../model/units.ts";
import type { HarFields, MessageCaptured, Side } from "./event.ts";

/** The heads of an exchange, and its target as on the wire. */
export interface Heads {
  readonly target: string;
  readonly request: string;
  /** `null` if there is no response. */
  readonly response: string | null;
}

/** A message as it is listed; its payload is read separately. */
export type StoredMessage = Omit<MessageCaptured, "bytes" | "type"> & { readonly index: number; readonly kept: Bytes };

export interface DecodedBody {
  /**
   * The decoded bytes, within the limits; of a truncated body, the part that can be decoded. Undecodable bytes, and
   * bytes after the end of a coding, stay encoded.
   */
  readonly bytes: Uint8Array;
  /** The length of `bytes`; the length of the whole decoded body if `problem` is `null`. */
  readonly total: Bytes;
  /** Why the body is not fully decoded, in words; `null` if it is fully decoded. */
  readonly problem: string | null;
}

/**
 * The content of a session's exchanges, which is not in memory as its table is: heads, bodies, messages. Its methods
 * never throw. It also brings what JavaScript alone cannot do: codings and hashes.
 */
export interface ContentReader {
  /** What could not be read so far, in words; `null` if nothing was damaged. */
  readonly problem: Problem | null;
  /** True once nothing can be read. */
  readonly isClosed: boolean;
  headsOf(id: ExchangeId): Heads | null;
  /** The fields of the exchange's HAR entry that were kept; `null` if there are none. */
  fieldsOf(id: ExchangeId): HarFields | null;
  /** At most `count` bytes of an encoded body, from `from`. */
  readBody(id: ExchangeId, side: Side, from: number, count: number): Result<Uint8Array>;
  /** The first `count` bytes of an encoded body; of a large one, each turn of the event loop reads a part. */
  readBodyInTurns(id: ExchangeId, side: Side, count: number): Promise<Result<Uint8Array>>;
  /** How many bytes of a body can be read. */
  keptOf(id: ExchangeId, side: Side): Bytes;
  messageCount(id: ExchangeId): number;
  /** At most `count` messages, from the index `from`. */
  readMessages(id: ExchangeId, from: number, count: number): readonly StoredMessage[];
  /** The stored payload of one message. */
  readMessage(id: ExchangeId, index: number): Result<Uint8Array>;
  /** Announces the exchanges that are read next. `ids`: ascending and close together; exchanges that have ended. */
  readAhead(ids: readonly ExchangeId[]): void;
  decode(body: Uint8Array, contentEncoding: string): Promise<DecodedBody>;
  /** Text that is equal for equal bytes, and else differs. */
  hashOf(bytes: Uint8Array): string;
  /** The size that these bytes have in gzip at its usual level. */
  gzipSizeOf(bytes: Uint8Array): Promise<Bytes>;
}
