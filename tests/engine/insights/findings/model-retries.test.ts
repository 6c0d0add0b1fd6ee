import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { callOfModel } from "../../../support/model-calls.ts";
import { Scene } from "../../../support/scene.ts";

describe("retries of language model calls", (test) => {
  test("given refusals before a stream of the same body, each belongs to that stream, and no other request does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(429, 503, 529), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 100, max: 20_000 }),
        (statuses, pause) => {
          const scene = new Scene();
          const common = { method: "POST", target: "/v1/messages", sent: "one" };
          const refused = statuses.map((status, index) => scene.ask({ ...common, at: index * pause, status }));
          const stream = scene.ask({ ...common, at: statuses.length * pause, model: callOfModel() });
          scene.ask({ ...common, at: 0, sent: "other", status: 429 });
          scene.ask({ ...common, at: 0, target: "/v1/other", status: 429 });
          scene.ask({ ...common, at: 9 * pause, status: 429 });
          const { modelRetries } = scene.traffic();
          assert.equal(
            [...modelRetries].map(([id, request]) => [id, request.id]),
            refused.map((id) => [id, stream]),
          );
        },
      ),
    );
  });

  test("given two minutes and more until the stream, or a whole answer, the refusals are left to other kinds", () => {
    for (const [at, isStream] of [
      [120_001, true],
      [1_000, false],
    ] as const) {
      const scene = new Scene();
      const common = { method: "POST", target: "/v1/messages", sent: "one" };
      scene.ask({ ...common, at: 0, status: 429 });
      scene.ask({ ...common, at, model: callOfModel({ isStream }) });
      assert.is(scene.traffic().modelRetries.size, 0);
    }
  });
});
