import { constants as coding, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Bytes, ExchangeId } from "../../../src/engine/model/units.ts";
import { type Batch, eventsOf } from "../log/packing.ts";

/*
 * A stored batch is a log, and the bytes of its bodies and messages:
 *
 *   log    Zstandard frame (RFC 8878) of: length of the figures │ figures │ length of the texts │ texts │ words as JSON
 *   bytes  as captured, with a CRC-32
 *
 * Heads compress to a twentieth; most bodies are already compressed. The frame has a checksum.
 */

/** Level 1. Higher levels do not shrink heads further. */
const PARAMETERS = { [coding.ZSTD_c_compressionLevel]: 1, [coding.ZSTD_c_checksumFlag]: 1 };

/** The most bytes of a decompressed log. Batches of the largest heads are far smaller. */
const LARGEST: Bytes = 256 * 1024 * 1024;

const LENGTH: Bytes = 4;

export function logOf({ figures, texts, words }: Batch): Buffer {
  const numbers = Buffer.from(figures.buffer, figures.byteOffset, figures.byteLength);
  const parts = [
    lengthBytes(numbers.length),
    numbers,
    lengthBytes(texts.length),
    texts,
    Buffer.from(JSON.stringify(words)),
  ];
  return zstdCompressSync(Buffer.concat(parts), { params: PARAMETERS });
}

export interface StoredLog {
  readonly events: readonly CaptureEvent[];
  readonly byExchange: ReadonlyMap<ExchangeId, readonly CaptureEvent[]>;
}

/**
 * Decodes a log. Bodies and messages in its events have their length and their offset in the batch's bytes, and their
 * content only if these `bytes` are given. `size`: the number of these bytes. Throws if the log is damaged.
 */
export function storedLog(frame: Uint8Array, size: Bytes, bytes: Uint8Array | null = null): StoredLog {
  const log = zstdDecompressSync(frame, { maxOutputLength: LARGEST });
  const figuresEnd = LENGTH + log.readUInt32LE(0);
  const textsEnd = figuresEnd + LENGTH + log.readUInt32LE(figuresEnd);
  const events = eventsOf({
    figures: new Float64Array(new Uint8Array(log.subarray(LENGTH, figuresEnd)).buffer),
    texts: new Uint8Array(log.subarray(figuresEnd + LENGTH, textsEnd)),
    words: JSON.parse(log.toString("utf8", textsEnd)) as readonly string[],
    bytes: bytes === null ? new Uint8Array(size) : new Uint8Array(bytes), // untouched zeros take no memory
  });
  const byExchange = new Map<ExchangeId, CaptureEvent[]>();
  for (const event of events) {
    if (!isOfExchange(event)) continue;
    const known = byExchange.get(event.id);
    if (known === undefined) byExchange.set(event.id, [event]);
    else known.push(event);
  }
  return { events, byExchange };
}

/** An event between an exchange's start and its end. */
export type ExchangeEvent = Extract<
  CaptureEvent,
  {
    type:
      | "request-started"
      | "unit-joined"
      | "response-started"
      | "response-held"
      | "body-captured"
      | "message-captured"
      | "exchange-ended";
  }
>;

export function isOfExchange(event: CaptureEvent): event is ExchangeEvent {
  switch (event.type) {
    case "request-started":
    case "unit-joined":
    case "response-started":
    case "response-held":
    case "body-captured":
    case "message-captured":
    case "exchange-ended":
      return true;
    default:
      return false;
  }
}

export function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes);
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH);
  bytes.writeUInt32LE(length);
  return bytes;
}
