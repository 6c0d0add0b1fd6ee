import type { Instant } from "../../../../src/engine/model/units.ts";
import type { DialTimes } from "../dial.ts";
import type { Allows, ConnectResult } from "../upstream.ts";

/** An exchange that waits for a connection, or for a stream of one. */
export interface Waiter {
  readonly since: Instant;
  readonly allows: Allows;
  /** Whether it may be sent once more, should it be lost with its connection. */
  readonly isRepeatable: boolean;
  readonly done: (result: ConnectResult) => void;
  /** Ends its waiting, wherever it waits. */
  cancel: () => void;
}

/** The part of a connection's making that lies after `since`. */
export function waitedFor(times: DialTimes, since: Instant): DialTimes {
  const { domainLookupStart, domainLookupEnd, connectStart, secureConnectionStart, connectEnd } = times;
  const [lookedUpFrom, lookedUpTo] = within(domainLookupStart, domainLookupEnd, since);
  const [connectFrom] = within(connectStart, secureConnectionStart ?? connectEnd, since);
  const [securedFrom, end] = within(secureConnectionStart, connectEnd, since);
  return {
    domainLookupStart: lookedUpFrom,
    domainLookupEnd: lookedUpTo,
    connectStart: connectFrom,
    secureConnectionStart: securedFrom,
    connectEnd: end ?? (connectFrom === null ? null : connectEnd),
  };
}

function within(from: Instant | null, to: Instant | null, since: Instant): [Instant | null, Instant | null] {
  if (from === null || (to !== null && to <= since)) return [null, null];
  return [from < since ? since : from, to];
}
