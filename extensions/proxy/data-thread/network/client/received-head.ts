import type { Instant } from "../../../../../src/engine/model/units.ts";
import type { RequestHead } from "../http1/message.ts";

/** The head of a request, and when it arrived. */
export interface ReceivedHead {
  readonly head: RequestHead;
  readonly at: Instant;
  readonly headReceived: Instant;
}
