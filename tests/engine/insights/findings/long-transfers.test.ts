import * as assert from "uvu/assert";
import { longTransfersOf } from "../../../../src/engine/insights/findings/long-transfers.ts";
import { describe } from "../../../support/describe.ts";
import { type Asked, Scene, times } from "../../../support/scene.ts";

const causeOf = (sketch: Partial<Asked>, hasOthers: boolean) => {
  const scene = new Scene();
  scene.ask({ at: 0, target: "/body", ...sketch });
  for (const index of times(hasOthers ? 8 : 0))
    scene.ask({ at: 50_000 + index * 3_000, target: `/f${index}`, bytes: 80_000, transfer: 80 });
  const traffic = scene.traffic();
  return longTransfersOf(traffic).get(traffic.requests[0]?.endpointKey ?? "")?.cause ?? null;
};

describe("long transfers", (test) => {
  test("given other bodies to compare with, rate and size decide", () => {
    assert.is(causeOf({ bytes: 900_000, transfer: 900 }, true), "large");
    assert.is(causeOf({ bytes: 90_000, transfer: 900 }, true), "late");
    assert.is(causeOf({ bytes: 900_000, transfer: 900, type: "application/zip" }, true), "download");
    assert.is(causeOf({ bytes: 90_000, transfer: 900, type: "application/zip" }, true), "late");
  });

  test("given none, a body of one flight or at a low rate comes late", () => {
    assert.is(causeOf({ bytes: 3_000, transfer: 900 }, false), "late");
    assert.is(causeOf({ bytes: 90_000, transfer: 900 }, false), "late");
    assert.is(causeOf({ bytes: 900_000, transfer: 900 }, false), "large");
  });

  test("given a transfer below 500 ms, or less than half of the latency, it is not long", () => {
    assert.is(causeOf({ bytes: 3_000, transfer: 450 }, false), null);
    assert.is(causeOf({ bytes: 3_000, server: 900, transfer: 800 }, false), null);
  });
});
