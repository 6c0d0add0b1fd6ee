import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { formKeys } from "../../support/proof.ts";

const PROOFS = join(import.meta.dirname, "../../e2e/targets");

describe("labels of tested snippets", (test) => {
  test("given any snippet, labels it as run exactly if an end-to-end test names its key", () => {
    const sources = readdirSync(PROOFS)
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(PROOFS, name), "utf8"))
      .join("\n");
    for (const [key, { ran }] of formKeys()) assert.is(sources.includes(`"${key}"`), ran !== null, key);
  });
});
