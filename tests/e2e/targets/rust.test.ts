import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildCache } from "../../support/build-cache.ts";
import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { prove } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

/** Debian's crates: librust-reqwest-dev. */
const REGISTRY = "/usr/share/cargo/registry";

const reqwest = existsSync(REGISTRY) && readdirSync(REGISTRY).find((name) => /^reqwest-0\.11/.test(name));
const skip = needs("cargo") ?? (reqwest ? null : "needs librust-reqwest-dev");

/** Nothing is downloaded: crates come from Debian's folder. */
const CONFIG = `[source.crates-io]
replace-with = "debian"

[source.debian]
directory = ${JSON.stringify(REGISTRY)}

[net]
offline = true
`;

const MANIFEST = `[package]
name = "probe"
version = "0.0.0"
edition = "2021"

[dependencies]
reqwest = { version = "0.11", features = ["blocking"] }
`;

function built({ folder, saved, text }: Place): readonly (readonly string[])[] {
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, ".cargo"));
  saved(".cargo/config.toml", CONFIG);
  saved("Cargo.toml", MANIFEST);
  saved("src/main.rs", text);
  return [["cargo", "build", "--quiet"]];
}

describe("Rust, with the real client", (test) => {
  const target = buildCache("rust");
  prove(test, {
    form: "rust/reqwest@0.11",
    skip,
    env: { CARGO_TARGET_DIR: target },
    before: built,
    run: () => [join(target, "debug/probe")],
    version: ["echo", String(reqwest)],
    fails: true,
  });
});
