import * as assert from "uvu/assert";
import { pathText, soonerText, whatIfTextsOf, withoutText } from "../../../../src/engine/insights/what-if/gain-text.ts";
import type { LoadGain } from "../../../../src/engine/model/load-gain.ts";
import { describe } from "../../../support/describe.ts";

const agreed = (time: number) => ({ byLinks: time, atMost: time });
const gain = (part: Partial<LoadGain>): LoadGain => ({
  unit: "load",
  units: 14,
  onPath: 12,
  perhaps: 0,
  duration: 16_400,
  median: agreed(150),
  sum: { byLinks: 300, atMost: 2_100 },
  ...part,
});

describe("gain text", (test) => {
  test("given a gain, says how much sooner, one figure where both calculations agree", () => {
    assert.is(soonerText(agreed(190)), "190 ms sooner");
    assert.is(soonerText({ byLinks: 0, atMost: 190 }), "at most 190 ms sooner");
    assert.is(soonerText({ byLinks: 0, atMost: 0.9 }), "no sooner");
    assert.is(soonerText(agreed(-40)), "at least 40 ms later");
  });

  test("given units, says in how many the requests are on the path, and what they save", () => {
    assert.is(pathText(gain({})), "On the path in 12 of 14 loads: at most 2.1 s of 16.4 s");
    assert.is(
      pathText(gain({ perhaps: 2, sum: agreed(2_100) })),
      "On the path in 12 of 14 loads, perhaps in 2 more: 2.1 s of 16.4 s",
    );
    assert.is(
      pathText(gain({ onPath: 0, perhaps: 3, unit: "walk" })),
      "Perhaps on the path in 3 of 14 walks: at most 2.1 s of 16.4 s",
    );
    assert.is(pathText(gain({ sum: agreed(0.4) })), "Beside the path: saves nothing for the loads");
    assert.is(pathText(gain({ units: 1, sum: agreed(0) })), "Beside the path: saves nothing for the load");
    assert.is(withoutText(gain({ sum: agreed(0) })), pathText(gain({ sum: agreed(0) })));
    assert.match(withoutText(gain({})), /of 16\.4 s, if these requests took no time$/);
  });

  test("given changes, names them, and says what loads and walks gain", () => {
    const changes = [
      { endpoint: "GET /v1/prices", to: 50, requests: 14 },
      { endpoint: "GET /stock", to: 0, requests: 14 },
    ];
    assert.equal(whatIfTextsOf({ changes, loads: gain({}), walks: null }), {
      title: "What if GET /v1/prices took 50 ms and GET /stock took 0 ms",
      items: [
        "14 page loads together would end at most 2.1 s sooner (of 16.4 s), a median of 150 ms sooner each.",
        "On the path in 12 of 14 loads.",
      ],
    });
    const { items } = whatIfTextsOf({ changes, loads: gain({ units: 1, onPath: 0 }), walks: gain({ unit: "walk" }) });
    assert.is(items[0], "The page load would end at most 2.1 s sooner (of 16.4 s).");
    assert.is(items[1], "Beside the path in 1 load.");
    assert.match(items[2] ?? "", /^14 walks together/);
    assert.match(whatIfTextsOf({ changes, loads: null, walks: null }).items[0] ?? "", /nothing can be calculated/);
  });
});
