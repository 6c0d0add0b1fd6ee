import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import type { Watch } from "../../../src/engine/hub/watcher.ts";
import { describe } from "../../support/describe.ts";
import { NODE_20 } from "../../support/node-20.ts";
import type { Place } from "../../support/proof.ts";
import { assertRefused, assertRejected, proveWith } from "../../support/proof.ts";
import { runTool, TOOL_PATH, TOOLS_FOLDER } from "../../support/tool.ts";

const skip = existsSync(join(TOOLS_FOLDER, "next")) ? null : "needs next in tests/e2e/tools";
const START_LIMIT = 60_000;

const ROUTE = "nextjs/route-handler";
const ENVIRONMENT = "nextjs/environment#sh";
const FALLBACK = "nextjs/instrumentation@Node.js 20 to 22.20";

interface Visit {
  readonly watch: Watch;
  /** What the dev server printed. */
  readonly output: string;
}

/**
 * Runs the hub's route in a project next to the tools with `next dev`, started by the hub's block, and opens it once.
 */
async function visited(place: Place, enough: (watch: Watch) => boolean, node: string | null = null): Promise<Visit> {
  const block = place.textOf(ENVIRONMENT);
  const project = await mkdtemp(join(dirname(TOOLS_FOLDER), "probe-"));
  const stop = new AbortController();
  try {
    mkdirSync(join(project, "app/api/probe"), { recursive: true });
    writeFileSync(join(project, "app/api/probe/route.js"), place.textOf(ROUTE));
    if (node !== null) writeFileSync(join(project, "instrumentation.js"), place.textOf(FALLBACK));
    const path = node === null ? TOOL_PATH : `${dirname(node)}:${TOOL_PATH}`;
    const env = { HOME: place.folder, PATH: path, PORT: "0", NEXT_TELEMETRY_DISABLED: "1" };
    let served: (url: string) => void = () => {};
    const url = new Promise<string>((resolve) => {
      served = resolve;
    });
    const onOutput = (output: string) => {
      const local = /Local:\s+(http:\/\/localhost:\d+)/.exec(output)?.[1];
      if (local !== undefined && output.includes("Ready")) served(local);
    };
    const running = runTool(["sh", "-c", block], project, { env, limit: START_LIMIT, signal: stop.signal, onOutput });
    const address = await Promise.race([url, running.then(({ output }) => Promise.reject(new Error(output)))]);
    const answered = fetch(`${address}/api/probe`).then((response) => response.text());
    const state = await place.until(enough, START_LIMIT);
    await answered;
    stop.abort();
    return { watch: state, output: (await running).output };
  } finally {
    stop.abort();
    await rm(project, { recursive: true, force: true });
  }
}

describe("Next.js, in dev mode with the hub's route handler", (test) => {
  const version = [
    process.execPath,
    "-p",
    `require(${JSON.stringify(join(TOOLS_FOLDER, "next/package.json"))}).version`,
  ];
  const isConfirmed = (watch: Watch) => watch.state === "confirmed";
  const hasSighting = (watch: Watch) => watch.state === "watching" && watch.sightings.length > 0;

  for (const form of [ROUTE, ENVIRONMENT]) {
    proveWith(test, { form, skip, version }, "ok", "is captured", async (place) => {
      const { watch, output } = await visited(place, isConfirmed);
      assert.is(watch.state, "confirmed", output);
    });
  }

  const oldSkip = skip ?? (NODE_20 === null ? "needs Node.js 20" : null);
  proveWith(test, { form: FALLBACK, skip: oldSkip, version }, "ok", "is captured", async (place) => {
    const { watch, output } = await visited(place, isConfirmed, NODE_20);
    assert.is(watch.state, "confirmed", output);
  });

  proveWith(test, { form: ENVIRONMENT, skip }, "wrong", "with another root fails as documented", async (place) => {
    await assertRejected(place, (await visited(place, hasSighting)).output);
  });

  proveWith(test, { form: ENVIRONMENT, skip }, "off", "with the proxy off fails as documented", async (place) => {
    assertRefused(place, (await visited(place, () => true)).output);
  });
});
