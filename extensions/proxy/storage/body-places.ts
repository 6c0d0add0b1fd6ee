import type { BodyCaptured } from "../../../src/engine/capture/event.ts";
import type { BodyWriter } from "./bodies.ts";
import { type Extent, NOWHERE } from "./extents.ts";
import type { Body, Kept } from "./session-rows.ts";
import type { Lost } from "./store-status.ts";

/** Our choice: so much of a body is gathered before it becomes one extent; a flush takes what there is. */
const GATHERED = 64 * 1024;

/** Gives what is captured of bodies and messages its place on disk, and counts what there was no room for. */
export class BodyPlaces {
  readonly #bodies: BodyWriter;
  readonly #makeRoom: () => boolean;
  #lostMessages = 0;
  #lostBodies = 0;

  /** `makeRoom`: writes what waits; false where the disk cannot be written. */
  constructor(bodies: BodyWriter, makeRoom: () => boolean) {
    this.#bodies = bodies;
    this.#makeRoom = makeRoom;
  }

  get lost(): Pick<Lost, "messages" | "bodies"> {
    return { messages: this.#lostMessages, bodies: this.#lostBodies };
  }

  gather(kept: Kept, { side, bytes }: BodyCaptured): void {
    const body: Body = kept[side] ?? { extents: [], gathered: [], length: 0 };
    kept[side] = body;
    body.gathered.push(bytes);
    body.length += bytes.length;
    if (body.length >= GATHERED) this.#place(body);
  }

  /** What was gathered of an exchange. */
  placeAll(kept: Kept): void {
    if (kept.request !== null) this.#place(kept.request);
    if (kept.response !== null) this.#place(kept.response);
  }

  /** `null`: it says nothing. */
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

  /** While the disk can be written, nothing is given up only because much comes at once. */
  #placeOf(pieces: readonly Uint8Array[]): Extent {
    const extent = this.#bodies.place(pieces);
    return extent.segment === NOWHERE && this.#makeRoom() ? this.#bodies.place(pieces) : extent;
  }
}
