import { Buffer } from "node:buffer";
import type { Bytes } from "../../../src/engine/model/units.ts";
import type { Batch } from "./batch.ts";

/** Our choice: what a room begins with. */
const FIGURES = 16 * 1024;
export const ROOM_BYTES: Bytes = 512 * 1024;
/** Our choice, bytes: a room that grew beyond this is not used again. */
const LARGEST_ROOM = 1024 * 1024;
/** Our choice: so many rooms wait to be used again; under load some dozen batches are on their way to the disk. */
const MOST_ROOMS = 32;

/** Where a batch is packed: memory that both threads see. To be given new memory costs more than to fill it. */
interface Room {
  readonly figures: Float64Array<SharedArrayBuffer>;
  readonly bytes: Buffer<SharedArrayBuffer>;
}

/** Gives rooms, first those that nobody reads any more. */
export class BatchRooms {
  readonly #free: Room[] = [];

  take(): Room {
    return this.#free.pop() ?? { figures: newFigures(FIGURES), bytes: newBytes(ROOM_BYTES) };
  }

  /** Nobody reads that batch any more, nor a view of it: its room may be packed anew. */
  giveBack({ figures: { buffer: figures }, bytes: { buffer: bytes } }: Batch): void {
    const isLarge = figures.byteLength > LARGEST_ROOM || bytes.byteLength > LARGEST_ROOM;
    if (isLarge || this.#free.length >= MOST_ROOMS) return;
    this.#free.push({ figures: new Float64Array(figures), bytes: Buffer.from(bytes) });
  }
}

export function newFigures(count: number): Room["figures"] {
  return new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));
}

export function newBytes(length: number): Room["bytes"] {
  return Buffer.from(new SharedArrayBuffer(length));
}
