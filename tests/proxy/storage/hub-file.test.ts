import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  type HubMemory,
  NOTHING_YET,
  readHubMemory,
  writeHubMemory,
} from "../../../extensions/proxy/storage/hub-file.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const MEMORY: HubMemory = {
  folder: "/home/ada/weir",
  copies: { curl: [{ form: "command#sh", at: 5 as Instant, port: 8686, fingerprint: "AA:BB" }] },
  confirmed: { python: 7 as Instant },
};

describe("Setup Hub file", (test) => {
  test("given a stored memory, reads it at the next start from a file that only its owner can read", () =>
    withFolder((folder) => {
      assert.equal(readHubMemory(folder), { memory: NOTHING_YET, problem: null });
      assert.is(writeHubMemory(folder, MEMORY), null);
      assert.equal(readHubMemory(folder), { memory: MEMORY, problem: null });
      if (process.platform !== "win32") assert.is(statSync(join(folder, "hub.json")).mode & 0o777, 0o600);
    }));

  for (const [what, text] of [
    ["no JSON", "{"],
    ["a newer version", JSON.stringify({ ...MEMORY, version: 2 })],
    ["another shape", JSON.stringify({ version: 1, folder: 3, copies: {}, confirmed: {} })],
    ["a list", "[]"],
  ] as const)
    test(`given a file with ${what}, sets it aside, says so and starts with an empty memory`, () =>
      withFolder((folder) => {
        writeFileSync(join(folder, "hub.json"), text);
        const { memory, problem } = readHubMemory(folder);
        assert.equal(memory, NOTHING_YET);
        assert.not(existsSync(join(folder, "hub.json")));
        const [kept] = readdirSync(folder);
        assert.is(readFileSync(join(folder, kept ?? ""), "utf8"), text);
        assert.ok(problem?.endsWith(`It is kept as ${join(folder, kept ?? "")}.`), problem ?? "");
      }));

  test("given a folder that cannot be written, returns a sentence", () => {
    assert.match(writeHubMemory("/no/such/folder", MEMORY) ?? "", "cannot be written");
  });
});
