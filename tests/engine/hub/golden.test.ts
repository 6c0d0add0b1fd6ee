import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { GOLDEN_FOLDER, goldenFiles, goldenTexts } from "../../../scripts/golden.ts";
import { describe } from "../../support/describe.ts";

describe("golden snippets", (test) => {
  const texts = goldenTexts();

  test("given all snippets, each has exactly one golden file and no file is left over (npm run golden rewrites them)", () => {
    assert.equal([...goldenFiles()].sort(), [...texts.keys()].sort());
  });

  test("given a golden file, the generated snippet is identical", () => {
    for (const [name, text] of texts) assert.fixture(text, readFileSync(join(GOLDEN_FOLDER, name), "utf8"), name);
  });
});
