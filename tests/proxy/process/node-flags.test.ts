import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { NODE_FLAGS, NODE_VARIABLES } from "../../../extensions/proxy/process/node-flags.ts";
import { describe } from "../../support/describe.ts";

const CONFIG = new URL("../../../neutralino.config.json", import.meta.url);

describe("the flags of Node", (test) => {
  test("given a native window, are in the command of every system", () => {
    const { extensions } = JSON.parse(readFileSync(CONFIG, "utf8")) as {
      readonly extensions: readonly Readonly<Record<string, string>>[];
    };
    const commands = extensions.flatMap((extension) =>
      Object.entries(extension).filter(([name]) => name.startsWith("command")),
    );
    assert.is(commands.length, 3);
    for (const [, command] of commands) assert.match(command, `" ${NODE_FLAGS.join(" ")} "`);
    const linux = commands.find(([name]) => name === "commandLinux")?.[1] ?? "";
    for (const [name, value] of Object.entries(NODE_VARIABLES)) assert.match(linux, `${name}=${value} `);
  });
});
