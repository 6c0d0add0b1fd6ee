import * as assert from "uvu/assert";
import type { TrafficRecord } from "../../../../src/engine/messages/traffic-messages.ts";
import { barScaleOf } from "../../../../src/ui/views/traffic/barred-rows.ts";
import { describe } from "../../../support/describe.ts";

function record(to: number, tags: TrafficRecord["tags"] = []): TrafficRecord {
  return { tags, failedAfter: null, spans: [{ phase: "ttfb", from: 0, to }] } as unknown as TrafficRecord;
}

describe("scale of the visible phase bars", (test) => {
  test("given rows, includes the longest one and grows at once for a longer one", () => {
    const scale = barScaleOf([record(80), record(430)], 1);
    assert.ok(scale >= 430 && scale < 2 * 430, `${scale}`);
    assert.ok(barScaleOf([record(80), record(4_300)], scale) >= 4_300);
  });

  test("given a failed exchange, includes the time until its failure", () => {
    const failed = { ...record(2), failedAfter: 4_300 };
    assert.ok(barScaleOf([record(80), failed], 1) >= 4_300);
  });

  test("given shorter rows, shrinks only once all are far shorter", () => {
    const scale = barScaleOf([record(400)], 1);
    assert.is(barScaleOf([record(200)], scale), scale);
    assert.ok(barScaleOf([record(20)], scale) < scale);
  });

  test("given a WebSocket of an hour, ignores it beside other rows, and fits it where it is alone", () => {
    const socket = record(3_600_000, ["websocket"]);
    assert.is(barScaleOf([socket, record(430)], 1), barScaleOf([record(430)], 1));
    assert.ok(barScaleOf([socket], 1) >= 3_600_000);
  });

  test("given no rows, shrinks a scale that is far too long", () => {
    assert.ok(barScaleOf([], 60_000) < 60_000);
  });
});
