import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { GOLDEN_FOLDER, goldenFiles, goldenTexts } from "../../../scripts/golden.ts";
import { describe } from "../../support/describe.ts";

describe("golden snippets", (test) => {
  const texts = goldenTexts();

  test("there is one file for each variant, version and shell, and no other (npm run golden rewrites them)", () => {
    assert.equal([...goldenFiles()].sort(), [...texts.keys()].sort());
  });

  test("every text is the one in its file", () => {
    for (const [name, text] of texts) assert.fixture(text, readFileSync(join(GOLDEN_FOLDER, name), "utf8"), name);
  });
});
