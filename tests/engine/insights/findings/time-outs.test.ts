import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { timedOutIn } from "../../../../src/engine/insights/findings/time-outs.ts";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

const ABORTED = { kind: "failed", errorType: "client-aborted", detail: "gone", status: null } as const;

describe("client time-outs", (test) => {
  test("given waits of any length and pauses of any length, a request sent again soon after 100 ms had a time-out", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 5_000 }), (wait, pause) => {
        const scene = new Scene();
        scene.ask({ at: 0, target: "/a", outcome: ABORTED, server: wait, transfer: 0 });
        scene.ask({ at: wait + pause, target: "/a" });
        const traffic = trafficOf(scene.facts, []);
        const [request, again] = traffic.requests;
        assert.ok(request !== undefined && again !== undefined);
        assert.is(timedOutIn(traffic)(request, again), wait >= 100 && pause < 1_000);
      }),
    );
  });
});
