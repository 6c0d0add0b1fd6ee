import * as assert from "uvu/assert";
import { modelSamplesOf } from "../../../../src/engine/insights/models/model-samples.ts";
import { describe } from "../../../support/describe.ts";
import { callOfModel } from "../../../support/model-calls.ts";
import { Scene, times } from "../../../support/scene.ts";

describe("language model samples", (test) => {
  test("given calls among other requests, keeps those of calls, with their models", () => {
    const scene = new Scene();
    scene.ask({ at: 0 });
    scene.ask({ at: 1, model: callOfModel({ model: "large", firstToken: 700 }) });
    scene.ask({ at: 2, model: callOfModel({ model: null, firstToken: null, rate: null }) });
    scene.ask({ at: 3, model: callOfModel({ model: "large" }) });
    const { ids, models, firstTokens, rates, names } = modelSamplesOf(scene.facts);
    assert.equal([...ids], [2, 3, 4]);
    assert.equal(
      [...models].map((position) => names[position]),
      ["large", "not named", "large"],
    );
    assert.equal([...firstTokens], [700, Number.NaN, 400]);
    assert.equal([...rates], [50, Number.NaN, 50]);
  });

  test("given very many models, those beyond 1,000 count together", () => {
    const scene = new Scene();
    for (const index of times(1_200)) scene.ask({ at: index, model: callOfModel({ model: `m${index}` }) });
    assert.is(modelSamplesOf(scene.facts).names.length, 1_001);
  });
});
