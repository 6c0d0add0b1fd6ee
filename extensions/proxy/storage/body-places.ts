import type { BodyCaptured } from "../../../src/engine/capture/event.ts";
import type { BodyWriter } from "./bodies.ts";
import { type Extent, NOWHERE } from "./extents.ts";
import type { Body, PendingExchange } from "./session-rows.ts";
import type { Lost } from "./store-status.ts";

/**
 * Once this many bytes of a body are gathered, they become an extent. A flush
 * also turns fewer bytes into an extent.
 */
const GATHERED = 64 * 1024;

/** Places captured bodies and messages in segments, and counts those that had to be dropped. */
export class BodyPlaces {
  readonly #bodies: BodyWriter;
  readonly #makeRoom: () => boolean;
  #lostMessages = 0;
  #lostBodies = 0;

  /** `makeRoom`: writes what is buffered; returns false if the disk cannot be written. */
  constructor(bodies: BodyWriter, makeRoom: () => boolean) {
    this.#bodies = bodies;
    this.#makeRoom = makeRoom;
  }

  get lost(): Pick<Lost, "messages" | "bodies"> {
    return { messages: this.#lostMessages, bodies: this.#lostBodies };
  }

  gather(kept: PendingExchange, { side, bytes }: BodyCaptured): void {
    const body: Body = kept[side] ?? { extents: [], gathered: [], length: 0 };
    kept[side] = body;
    body.gathered.push(bytes);
    body.length += bytes.length;
    if (body.length >= GATHERED) this.#place(body);
  }

  /** Places the gathered bytes of the exchange's request body and response body. */
  placeAll(kept: PendingExchange): void {
    if (kept.request !== null) this.#place(kept.request);
    if (kept.response !== null) this.#place(kept.response);
  }

  /** Places the payload of a message; returns `null` if it is empty. */
  placeMessage(bytes: Uint8Array): Extent | null {
    if (bytes.length === 0) return null;
    const extent = this.#placeOf([bytes]);
    if (extent.segment === NOWHERE) this.#lostMessages += 1;
    return extent;
  }

  #place(body: Body): void {
    if (body.length === 0) return;
    const extent = this.#placeOf(body.gathered);
    const isFirstLost = extent.segment === NOWHERE && !body.extents.some(({ segment }) => segment === NOWHERE);
    if (isFirstLost) this.#lostBodies += 1;
    body.extents.push(extent);
    body.gathered = [];
    body.length = 0;
  }

  /**
   * Places the pieces in a segment. If memory is full, writes the buffer first, so that bytes are dropped only while
   * the disk cannot be written.
   */
  #placeOf(pieces: readonly Uint8Array[]): Extent {
    const extent = this.#bodies.place(pieces);
    return extent.segment === NOWHERE && this.#makeRoom() ? this.#bodies.place(pieces) : extent;
  }
}
