import { createHash } from "node:crypto";
import * as assert from "uvu/assert";
import { FORMAT, RECORD } from "../../../src/engine/capture/record.ts";
import { describe } from "../../support/describe.ts";

describe("format number of stored events", (test) => {
  test("given another layout of stored events, the format has another number", () => {
    const layout = createHash("sha256").update(JSON.stringify(RECORD)).digest("hex").slice(0, 16);
    assert.equal([layout, FORMAT], ["64ee2406f61f7a93", 11]);
  });
});
