import type { TimelineRecord } from "../../../../src/engine/messages/timeline-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";

/** An exchange as the timeline gets it, with plain defaults. */
export function timelineRecord(change: Partial<TimelineRecord> = {}): TimelineRecord {
  return {
    id: 7 as ExchangeId,
    startTime: new Date(2026, 10, 20, 12, 36, 22, 233).getTime() as Instant,
    endTime: new Date(2026, 10, 20, 12, 36, 24, 200).getTime() as Instant,
    sessionEnd: null,
    method: "POST",
    origin: "https://api.shop.test",
    target: "/v1/checkout",
    operation: null,
    status: 200,
    errorType: null,
    latency: 1_967,
    spans: [
      { phase: "ttfb", from: 1, to: 1_870 },
      { phase: "transfer", from: 1_870, to: 1_967 },
    ],
    wait: null,
    slowed: [],
    reused: true,
    connection: 3,
    stream: null,
    clientConnection: 2,
    clientStream: null,
    slow: false,
    client: "shopper",
    group: null,
    chain: null,
    follows: null,
    ...change,
  };
}
