import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { VERSION } from "../extensions/proxy/version.ts";
import { describe } from "./support/describe.ts";

const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

describe("conventions", (test) => {
  test("one version stands in package.json, in the shell's config and in the program", () => {
    assert.is(JSON.parse(text("package.json")).version, VERSION);
    assert.is(JSON.parse(text("neutralino.config.json")).version, VERSION);
  });

  test("the shell may only do what is used", () => {
    const allowed: readonly string[] = JSON.parse(text("neutralino.config.json")).nativeAllowList;
    const strong = allowed.filter((name) => name.includes("*") || /^(os|filesystem)\./.test(name));
    // The hub's window is a process of its own and gets its ticket through the environment, where no other user sees it.
    assert.equal(strong, ["os.getEnv"]);
  });

  test("a property draws as many as it says", () => {
    const lengths = fc
      .sample(fc.array(fc.nat(), { maxLength: 400 }), { numRuns: 200, seed: 1 })
      .map(({ length }) => length);
    assert.ok(Math.max(...lengths) > 300);
  });

  // npm installs for a system what is locked for it, and nothing else: a build tool would be missing there.
  test("every system finds its part of each package in the lock file", () => {
    const locked: Record<string, { optionalDependencies?: object }> = JSON.parse(text("package-lock.json")).packages;
    const missing = Object.values(locked)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !Object.keys(locked).some((path) => path.endsWith(`node_modules/${name}`)));
    assert.equal(missing, []);
  });

  test("the README begins with the two commands", () => {
    const commands = [...text("README.md").matchAll(/^npm install && npm \w+$/gm)].map(([line]) => line);
    assert.equal(commands.slice(0, 2), ["npm install && npm start", "npm install && npm test"]);
  });
});
