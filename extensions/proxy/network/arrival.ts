import type { Instant } from "../../../src/engine/model/units.ts";
import type { RequestHead } from "./http1/message.ts";

/** A request head and when it came. */
export interface Arrival {
  readonly head: RequestHead;
  readonly at: Instant;
  readonly headReceived: Instant;
}
