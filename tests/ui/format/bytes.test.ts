import * as assert from "uvu/assert";
import { bytesPhrase } from "../../../src/ui/format/bytes.ts";
import { describe } from "../../support/describe.ts";

describe("byte format", (test) => {
  test("given byte counts, uses 1,024 B per KB, whole bytes, and one decimal in larger units below 100", () => {
    const sizes = [0, 418, 1023, 1024, 18_739, 201_728, 12_792_627, 5 * 1024 ** 3];
    assert.equal(sizes.map(bytesPhrase), [
      "0 B",
      "418 B",
      "1,023 B",
      "1.0 KB",
      "18.3 KB",
      "197 KB",
      "12.2 MB",
      "5.0 GB",
    ]);
  });
});
