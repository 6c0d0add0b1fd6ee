import * as assert from "uvu/assert";
import { TRANSPARENT_REFUSALS } from "../../../../../extensions/proxy/data-thread/network/client/transparent-refusals.ts";
import { describe } from "../../../../support/describe.ts";

describe("refusals at transparent ports", (test) => {
  test("given any refusal, its reason is a sentence, and its alert is a fatal one in a record of its own", () => {
    for (const [kind, { reason, alert, status }] of Object.entries(TRANSPARENT_REFUSALS)) {
      assert.match(reason, /^[A-Z].*\.$/, kind);
      if (alert !== null) assert.equal([...alert.subarray(0, 6)], [21, 3, 3, 0, 2, 2], kind);
      assert.ok(status === null || (status >= 400 && status < 600), kind);
    }
  });
});
