import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { NODE_20, NODES } from "../../support/node-20.ts";
import { formKeys, type Place, type Proof, prove, proveWith, shellOf } from "../../support/proof.ts";
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

/** As `module`, but the folder's got is version 14. */
function moduleWithGot14({ text, saved, folder }: Place): string {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(TOOLS_FOLDER, "got-14"), join(folder, "node_modules/got"));
  symlinkSync(join(TOOLS_FOLDER, "hpagent"), join(folder, "node_modules/hpagent"));
  return saved("probe.mjs", text);
}

const nodeOf = (major: 20 | 22 | 24 | 26) => (major === 26 ? NODE : NODES[major]);

const without = (major: 20 | 22 | 24 | 26) => (nodeOf(major) === null ? `needs Node.js ${major}` : null);

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
    form: "nodejs/fetch",
    skip: having("undici"),
    run: (place) => [NODE, module(place)],
    version: [NODE, "-p", `require(${JSON.stringify(join(TOOLS_FOLDER, "undici/package.json"))}).version`],
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
    form: "nodejs/node-https@Node.js 22.21, 24.5 and newer",
    skip: null,
    run: (place) => [NODE, module(place)],
    version: [NODE, "--version"],
    fails: true,
  });

  const gotVersion = (name: string) => [
    NODE,
    "-p",
    `JSON.parse(require("fs").readFileSync(${JSON.stringify(join(TOOLS_FOLDER, name, "package.json"))})).version`,
  ];

  prove(test, {
    form: "nodejs/got@Node.js 22 and newer",
    skip: having("got", "hpagent"),
    run: (place) => [NODE, module(place)],
    version: gotVersion("got"),
    fails: true,
  });

  prove(test, {
    form: "nodejs/got@Node.js 20 and newer",
    skip: having("got-14", "hpagent") ?? without(20),
    run: (place) => [NODE_20 ?? "", moduleWithGot14(place)],
    version: gotVersion("got-14"),
  });

  for (const [form, skip] of [
    ["nodejs/axios", having("axios", "hpagent")],
    ["nodejs/fetch", having("undici")],
    ["nodejs/node-https@Node.js 20 and newer", null],
    ["nodejs/node-https@Node.js 22.21, 24.5 and newer", null],
    ["nodejs/got@Node.js 22 and newer", having("got", "hpagent")],
  ] as const) {
    proveWith(test, { form, skip }, "ok", "sends http through the proxy, too", (place) => sendsInClear(place, form));
  }

  for (const [form, major, ...packages] of [
    ["nodejs/axios", 20, "axios", "hpagent"],
    ["nodejs/axios", 22, "axios", "hpagent"],
    ["nodejs/axios", 24, "axios", "hpagent"],
    ["nodejs/fetch", 20, "undici"],
    ["nodejs/fetch", 22, "undici"],
    ["nodejs/fetch", 24, "undici"],
    ["nodejs/node-https@Node.js 20 and newer", 20],
    ["nodejs/node-https@Node.js 20 and newer", 22],
    ["nodejs/node-https@Node.js 20 and newer", 24],
    ["nodejs/node-https@Node.js 22.21, 24.5 and newer", 22],
    ["nodejs/node-https@Node.js 22.21, 24.5 and newer", 24],
    ["nodejs/got@Node.js 22 and newer", 22, "got", "hpagent"],
    ["nodejs/got@Node.js 22 and newer", 24, "got", "hpagent"],
    ["nodejs/got@Node.js 20 and newer", 22, "got-14", "hpagent"],
    ["nodejs/got@Node.js 20 and newer", 24, "got-14", "hpagent"],
    ["nodejs/got@Node.js 20 and newer", 26, "got-14", "hpagent"],
  ] as const)
    proveWith(
      test,
      { form, skip: having(...packages) ?? without(major) },
      "ok",
      `is captured with a real Node.js ${major}`,
      async (place) => {
        const program = form === "nodejs/got@Node.js 20 and newer" ? moduleWithGot14(place) : module(place);
        const { output } = await runTool([nodeOf(major) ?? "", program], place.folder);
        assert.is((await place.until((watch) => watch.state === "confirmed")).state, "confirmed", output);
      },
    );

  const shellProof = (form: string, major: 20 | 22 | 24 | 26): Proof => {
    const node = nodeOf(major);
    return {
      form,
      skip: needs(shellOf(form)) ?? without(major),
      run: ({ text }) => [shellOf(form), "-c", text],
      env: { PATH: `${dirname(node ?? "/nowhere/node")}:${TOOL_PATH}` },
      version: [node ?? "", "--version"],
      fails: true,
    };
  };

  for (const form of [
    "nodejs/environment@Node.js 22.21, 24.5 and newer#sh",
    "nodejs/environment@Node.js 22.21, 24.5 and newer#fish",
  ])
    prove(test, shellProof(form, 24));

  const any = "nodejs/environment@Node.js 20 and newer#sh";
  prove(test, {
    ...shellProof(any, 20),
    skip: having("undici") ?? without(20),
    run: (place) => {
      module(place);
      return ["sh", "-c", place.text];
    },
  });
  for (const [form, major] of [
    [any, 22],
    [any, 24],
    [any, 26],
    ["nodejs/environment@Node.js 22.21, 24.5 and newer#sh", 22],
    ["nodejs/environment@Node.js 22.21, 24.5 and newer#sh", 26],
  ] as const)
    proveWith(
      test,
      { form, skip: shellProof(form, major).skip },
      "ok",
      `is captured with a real Node.js ${major}, without undici`,
      async (place) => {
        const { run, env = {} } = shellProof(form, major);
        const { output } = await runTool(run(place), place.folder, { env });
        assert.is((await place.until((watch) => watch.state === "confirmed")).state, "confirmed", output);
      },
    );
});
