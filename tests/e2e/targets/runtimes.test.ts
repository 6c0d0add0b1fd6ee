import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe } from "../../support/describe.ts";
import { interpreterFor } from "../../support/interpreter.ts";
import { prove } from "../../support/proof.ts";
import { TOOLS_FOLDER } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const installed = (name: string, path: string) =>
  existsSync(join(TOOLS_FOLDER, path)) || needs(name) === null ? null : `needs ${name} in tests/e2e/tools`;

describe("PHP", (test) => {
  const curl = interpreterFor(["php"], "-r", "exit(extension_loaded('curl') ? 0 : 1);");
  prove(test, {
    form: "php/curl",
    skip: curl === null ? "needs PHP with curl" : null,
    run: ({ text, saved }) => ["php", saved("probe.php", text)],
    version: ["php", "--version"],
  });
  prove(test, {
    form: "php/streams",
    skip: needs("php"),
    run: ({ text, saved }) => ["php", saved("probe.php", text)],
    version: ["php", "--version"],
    fails: true,
  });
});

describe("Deno", (test) => {
  const skip = installed("deno", "@deno/linux-x64-glibc/deno");
  prove(test, {
    form: "deno/fetch",
    skip,
    run: ({ text, saved }) => ["deno", "run", "--allow-net", "--allow-read", saved("probe.ts", text)],
    version: ["deno", "--version"],
    fails: true,
  });
  prove(test, {
    form: "deno/environment#sh",
    skip,
    // It would win over the variables of the scheme.
    env: { ALL_PROXY: "http://127.0.0.1:1", all_proxy: "http://127.0.0.1:1" },
    run: ({ text }) => ["sh", "-c", text],
    version: ["deno", "--version"],
  });
});

describe("Bun", (test) => {
  const skip = installed("bun", "@oven/bun-linux-x64/bin/bun");
  prove(test, {
    form: "bun/fetch",
    skip,
    run: ({ text, saved }) => ["bun", "run", saved("probe.ts", text)],
    version: ["bun", "--version"],
    fails: true,
  });
  prove(test, {
    form: "bun/environment#sh",
    skip,
    run: ({ text }) => ["sh", "-c", text],
    version: ["bun", "--version"],
  });
});
