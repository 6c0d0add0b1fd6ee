import * as assert from "uvu/assert";
import { describe } from "../support/describe.ts";
import { withFolder } from "../support/temporary-folder.ts";
import { needs } from "../support/which.ts";
import { Draw } from "./draw.ts";
import { caseNames, caseOf, runCase } from "./run.ts";

/** The whole suite takes too long here. */
const DRAWN = 3;

/** Of one of them on a busy computer, ms. */
const LONGEST = 120_000;

const seed = Number(process.env["WEIR_TESTS_SEED"] ?? Math.floor(Math.random() * 1e6)) % 1e6;
const names = new Draw(seed).shuffled(caseNames()).slice(0, DRAWN);
const skips = await Promise.all(names.map(async (name) => (await caseOf(name)).skip?.() ?? null));

describe("live services", (test) => {
  for (const [index, name] of names.entries())
    test(
      `given the session ${name} of seed ${seed}, records every request and proves no false link`,
      () =>
        withFolder(async (folder) => {
          const { causes, links, missing } = await runCase(name, 1, { seed, folder, isPaired: false });
          assert.equal(missing, [], "requests that are not in the recording");
          assert.is(links.wrongProven, 0, links.examples.join("\n"));
          for (const cause of causes)
            assert.ok(cause.logged === null || cause.logged > 100, `${cause.name} cost nothing`);
        }),
      { skip: skips[index] ?? needs("openssl"), limit: LONGEST },
    );
});
