import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { areSlowByDelay, delayedBodiesOf } from "../../../../src/engine/insights/findings/delayed-bodies.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

/** Whether a body is delayed, and how long the server takes. */
const answers = fc.array(fc.record({ isDelayed: fc.boolean(), server: fc.integer({ min: 1, max: 400 }) }), {
  minLength: 5,
  maxLength: 60,
});

describe("delayed bodies", (test) => {
  test("given prompt and delayed bodies, exactly the delayed ones are found, from five on", () => {
    fc.assert(
      fc.property(answers, (list) => {
        const scene = new Scene();
        const delayed = list.flatMap(({ isDelayed, server }, index) => {
          const id = scene.ask({ at: index * 900, server, transfer: isDelayed ? 41 : 1, bytes: 200 });
          return isDelayed ? [id] : [];
        });
        const found = delayedBodiesOf(scene.traffic());
        const isOften = delayed.length >= 5 && delayed.length >= 0.2 * list.length;
        assert.equal(
          found.map(({ requests }) => requests.map(({ id }) => id)),
          isOften ? [delayed] : [],
        );
        if (isOften) assert.is(found[0]?.usual, delayed.length === list.length ? 0 : 1);
      }),
    );
  });

  test("given slow requests, the delay explains them only if they are quick without it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 900 }), (more) => {
        const scene = new Scene();
        for (let index = 0; index < 40; index += 1)
          scene.ask({
            at: index * 2_000,
            target: index < 20 ? "/a" : "/b",
            server: 5,
            transfer: index % 2 === 0 ? 42 : 1,
          });
        for (let index = 40; index < 50; index += 1)
          scene.ask({ at: index * 2_000, target: "/b", server: 5 + more, transfer: 42 });
        const { requests } = scene.traffic();
        const isDelayed = (one: (typeof requests)[number]) => one.transfer > 40;
        const ids = new Set(requests.filter(isDelayed).map(({ id }) => id));
        const prompt = requests.filter((one) => !isDelayed(one));
        assert.ok(areSlowByDelay(requests.slice(0, 40).filter(isDelayed), prompt, ids));
        assert.not.ok(areSlowByDelay(requests.slice(40), prompt, ids));
        assert.not.ok(areSlowByDelay(prompt, requests.slice(40), ids));
      }),
    );
  });
});
