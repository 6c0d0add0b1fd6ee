import { createHash } from "node:crypto";
import * as assert from "uvu/assert";
import { FORMAT, RECORD } from "../../../src/engine/capture/record.ts";
import { describe } from "../../support/describe.ts";

describe("format number of stored events", (test) => {
  test("given another layout of stored events, the format has another number", () => {
    const text = JSON.stringify(RECORD, (name, value) => (name === "about" || name === "least" ? undefined : value));
    const layout = createHash("sha256").update(text).digest("hex").slice(0, 16);
    assert.equal([layout, FORMAT], ["64ee2406f61f7a93", 11]);
  });
});
