import { describe } from "../../support/describe.ts";
import { prove } from "../../support/proof.ts";
import { needs, toolFor } from "../../support/which.ts";

describe("PHP", (test) => {
  const curl = toolFor(["php"], ["-r", "exit(extension_loaded('curl') ? 0 : 1);"]);
  prove(test, {
    form: "php/curl",
    skip: curl === null ? "needs PHP with curl" : null,
    run: ({ text, saved }) => [curl ?? "php", saved("probe.php", text)],
    version: [curl ?? "php", "--version"],
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
  const skip = needs("deno");
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
    // Unless the block unsets it, ALL_PROXY takes precedence over the variables of a scheme.
    env: { ALL_PROXY: "http://127.0.0.1:1", all_proxy: "http://127.0.0.1:1" },
    run: ({ text }) => ["sh", "-c", text],
    version: ["deno", "--version"],
  });
});

describe("Bun", (test) => {
  const skip = needs("bun");
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
