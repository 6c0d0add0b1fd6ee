import { existsSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { NODE_20 } from "../../support/node-20.ts";
import { formKeys, type Place, prove, proveWith, shellOf } from "../../support/proof.ts";
import { runTool, TOOL_PATH, TOOLS_FOLDER } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const NODE = process.execPath;

const having = (...packages: readonly string[]) => {
  const missing = packages.filter((name) => !existsSync(join(TOOLS_FOLDER, name)));
  return missing.length === 0 ? null : `needs ${missing.join(", ")} in tests/e2e/tools`;
};

/** The program's folder contains the packages it imports, as after npm install. */
function module({ text, saved, folder }: Place): string {
  if (!existsSync(join(folder, "node_modules")) && existsSync(TOOLS_FOLDER))
    symlinkSync(TOOLS_FOLDER, join(folder, "node_modules"));
  return saved("probe.mjs", text);
}

/** Users choose the sample URL, so a request for an http URL must go through the proxy too. */
async function sendsInClear(place: Place, form: string): Promise<void> {
  const url = place.values.url.replace("https:", "http:");
  const text =
    formKeys()
      .get(form)
      ?.text({ ...place.values, url }) ?? "";
  const { output } = await runTool([NODE, module({ ...place, text })], place.folder);
  const state = await place.until((watch) => watch.state === "watching" && watch.sightings.length > 0);
  const kinds = state.state === "watching" ? state.sightings.map(({ kind }) => kind) : state.state;
  assert.equal(kinds, ["without-tls"], output);
}

describe("Node.js, with the real clients", (test) => {
  prove(test, {
    form: "nodejs/axios",
    skip: having("axios", "hpagent"),
    run: (place) => [NODE, module(place)],
    version: [NODE, "-p", `require(${JSON.stringify(join(TOOLS_FOLDER, "axios/package.json"))}).version`],
    fails: true,
  });

  prove(test, {
    form: "nodejs/node-https@Node.js 20 and newer",
    skip: null,
    run: (place) => [NODE, module(place)],
    version: [NODE, "--version"],
    fails: true,
  });

  prove(test, {
    form: "nodejs/node-https@Node.js 24.5 and newer",
    skip: null,
    run: (place) => [NODE, module(place)],
    version: [NODE, "--version"],
    fails: true,
  });

  prove(test, {
    form: "nodejs/got",
    skip: having("got", "hpagent"),
    run: (place) => [NODE, module(place)],
    version: [
      NODE,
      "-p",
      `JSON.parse(require("fs").readFileSync(${JSON.stringify(join(TOOLS_FOLDER, "got/package.json"))})).version`,
    ],
    fails: true,
  });

  for (const [form, skip] of [
    ["nodejs/axios", having("axios", "hpagent")],
    ["nodejs/node-https@Node.js 20 and newer", null],
    ["nodejs/node-https@Node.js 24.5 and newer", null],
    ["nodejs/got", having("got", "hpagent")],
  ] as const) {
    proveWith(test, { form, skip }, "ok", "sends http through the proxy, too", (place) => sendsInClear(place, form));
  }

  for (const form of [
    "nodejs/environment@Node.js 22.21, 24.5 and newer#sh",
    "nodejs/environment@Node.js 22.21, 24.5 and newer#fish",
  ]) {
    prove(test, {
      form,
      skip: needs(shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["node", "--version"],
      fails: true,
    });
  }

  prove(test, {
    form: "nodejs/environment@Node.js 20 to 22.20#sh",
    skip: having("undici") ?? (NODE_20 === null ? "needs Node.js 20" : null),
    run: (place) => {
      module(place);
      return ["sh", "-c", place.text];
    },
    env: { PATH: `${dirname(NODE_20 ?? "node")}:${TOOL_PATH}` },
    version: [NODE_20 ?? "node", "--version"],
    fails: true,
  });
});
