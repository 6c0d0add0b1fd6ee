import * as assert from "uvu/assert";
import { compressionText } from "../../../src/ui/format/compression.ts";
import { describe } from "../../support/describe.ts";

describe("compression format", (test) => {
  test("given a compression ratio, says how much smaller the body became, or how much larger", () => {
    assert.is(compressionText(4.2), "76 % smaller (4.2x)");
    assert.is(compressionText(0.8), "25 % larger (0.8x)");
    assert.is(compressionText(1 / 21), "21x as large");
    assert.is(compressionText(300), "99.7 % smaller (300.0x)");
    assert.is(compressionText(5_000), "> 99.9 % smaller (5000.0x)");
  });
});
