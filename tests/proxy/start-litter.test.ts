import * as assert from "uvu/assert";
import { clearStartLitter } from "../../extensions/proxy/start-litter.ts";
import { describe } from "../support/describe.ts";

/** Resolves once something that nobody holds has been collected. Old enough that only a whole collection finds it. */
function collected(): Promise<void> {
  return new Promise((resolve) => {
    const registry = new FinalizationRegistry(() => {
      resolve();
      registry.unregister(registry);
    });
    registry.register({ litter: new Array(1_000).fill("litter") }, null, registry);
    // The registry itself must live until then.
    setTimeout(() => registry.unregister(registry), 60_000).unref();
  });
}

describe("what starting leaves behind", (test) => {
  test("is collected once nobody is kept waiting by it, and not before", async () => {
    const asked: boolean[] = [];
    const gone = collected();
    clearStartLitter(() => {
      asked.push(asked.length >= 3);
      return asked.length > 3;
    }, 1);
    await gone;
    assert.equal(asked, [false, false, false, true]);
  });
});
