import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import * as assert from "uvu/assert";
import { limitThreadsByThemselves, NODE_FLAGS, NODE_VARIABLES } from "../../../extensions/proxy/process/node-flags.ts";
import { describe } from "../../support/describe.ts";

const CONFIG = new URL("../../../neutralino.config.json", import.meta.url);

/** Makes objects and keeps them; tells the most bytes of V8's space for new ones. */
const GROWS = `
  const { getHeapSpaceStatistics } = require("node:v8");
  const kept = [];
  let most = 0;
  while (kept.length < 300_000) {
    kept.push({ at: [kept.length] });
    if (kept.length % 10_000 > 0) continue;
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    most = Math.max(most, space.space_size);
  }
  require("node:worker_threads").parentPort.postMessage(most);
`;

/** Bytes, with semi-spaces of 2 MB as in `NODE_FLAGS`. */
const TWO_SEMI_SPACES = 2 * 2 * 1024 * 1024;

describe("Node.js flags", (test) => {
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

  test("given threads with limits of their own, the flag limits only the main thread", async () => {
    const mostOf = async (maxYoungGenerationSizeMb: number): Promise<number> => {
      const worker = new Worker(GROWS, { eval: true, resourceLimits: { maxYoungGenerationSizeMb } });
      const [most] = await once(worker, "message");
      return most as number;
    };
    setFlagsFromString("--max-semi-space-size=2");
    assert.ok((await mostOf(48)) <= TWO_SEMI_SPACES);
    limitThreadsByThemselves();
    assert.ok((await mostOf(6)) <= TWO_SEMI_SPACES);
    assert.ok((await mostOf(48)) > TWO_SEMI_SPACES);
  });
});
