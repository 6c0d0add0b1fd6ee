import * as assert from "uvu/assert";
import {
  ERROR_TYPES,
  failedAfterOf,
  isLasting,
  type Outcome,
  statusOf,
  timedLatencyOf,
} from "../../../src/engine/model/exchange.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

function failed(errorType: (typeof ERROR_TYPES)[number], status: number | null): Outcome {
  return { kind: "failed", errorType, detail: "It is gone.", status };
}

describe("exchange durations", (test) => {
  test("given a complete response, has a latency; given a failure, has a time to failure instead", () => {
    const whole = exchange({ start: 10, end: 90, status: 504 });
    assert.equal([timedLatencyOf(whole), failedAfterOf(whole)], [80, null]);
    // Where Weir responded instead of the server, its response was sent whole, too.
    for (const errorType of ERROR_TYPES) {
      for (const status of [null, 200, 502]) {
        const one = exchange({ start: 10, end: 90, outcome: failed(errorType, status) });
        assert.equal([timedLatencyOf(one), failedAfterOf(one)], [null, 80], errorType);
      }
    }
    const running = exchange({ end: null });
    assert.equal([timedLatencyOf(running), failedAfterOf(running)], [null, null]);
  });

  test("given a stream or tunnel, has neither latency nor time to failure, unless its opening failed", () => {
    const tags = ["websocket", "event-stream", "stream", "tunnel"] as const;
    for (const lasting of [{ status: 101 }, ...tags.map((tag) => ({ tags: [tag] }))]) {
      const ended = exchange({ end: 90, ...lasting });
      assert.equal(
        [isLasting(ended.tags, statusOf(ended.outcome)), timedLatencyOf(ended), failedAfterOf(ended)],
        [true, null, null],
      );
      const cut = exchange({ end: 90, ...lasting, outcome: failed("server-reset", 101) });
      assert.is(failedAfterOf(cut), null);
    }
    const refused = { end: 90, outcome: failed("connection-timeout", 504), instants: { responseStart: null } };
    assert.is(failedAfterOf(exchange({ ...refused, tags: ["websocket"] })), 90);
  });

  test("given an exchange in flight when its session was cut off, has no time to failure", () => {
    const instants = { headReceived: null, requestStart: null, requestEnd: null, responseStart: null };
    const one = exchange({ end: 90, outcome: failed("proxy-stopped", null), instants });
    assert.is(failedAfterOf(one), null);
  });
});
