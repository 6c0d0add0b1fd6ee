import type { Instant } from "../../../../src/engine/model/units.ts";
import type { RequestHead } from "../http1/message.ts";

/** A request head and its time of arrival. */
export interface ReceivedHead {
  readonly head: RequestHead;
  readonly at: Instant;
  readonly headReceived: Instant;
}
