import * as assert from "uvu/assert";
import { SessionChanges } from "../../../../extensions/proxy/engine-thread/commands/session-changes.ts";
import { failure, success } from "../../../../src/engine/model/result.ts";
import { describe } from "../../../support/describe.ts";

const pairOf = (left: string) => ({ dataDir: "", left, right: "current" });

describe("changes between sessions", (test) => {
  test("given a pair while another is compared, compares it once that one has ended, also if it failed", async () => {
    const begun: string[] = [];
    const endings: ((fails: boolean) => void)[] = [];
    const changes = new SessionChanges(({ left }) => {
      begun.push(left);
      return new Promise((resolve) => {
        endings.push((fails) => resolve(fails ? failure(`${left} is gone.`) : success([{ title: left, items: [] }])));
      });
    });
    const first = changes.of(pairOf("a")).catch((error: Error) => error.message);
    const second = changes.of(pairOf("b"));
    await Promise.resolve();
    assert.equal(begun, ["a"]);
    endings[0]?.(true);
    assert.is(await first, "a is gone.");
    await Promise.resolve();
    assert.equal(begun, ["a", "b"]);
    endings[1]?.(false);
    assert.equal(await second, [{ title: "b", items: [] }]);
  });
});
