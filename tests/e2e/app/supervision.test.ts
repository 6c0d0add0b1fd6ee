import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { supervised } from "../../../scripts/supervision.ts";
import { describe } from "../../support/describe.ts";
import { type Launch, withLaunch } from "../../support/launched-weir.ts";
import { extensionPid, gone, isOpen, newExtensionPid, startedOnDisk } from "../../support/native-weir.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";

const needsSignals = process.platform === "win32" ? "needs POSIX signals" : null;

/** Signals that tell a program to end, and signals that a program does not get by a wish of its user. */
const TOLD = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
const KILLED = ["SIGKILL", "SIGSEGV", "SIGABRT"] as const;

/** How an engine ends: with a code, or by a signal. */
type End = number | NodeJS.Signals;

/** A program that ends in this way. */
function ending(end: End) {
  const script = typeof end === "number" ? `process.exit(${end})` : `process.kill(process.pid, "${end}")`;
  return spawn(process.execPath, ["--eval", `${script}; setInterval(() => {}, 1000)`], { stdio: "ignore" });
}

/** What comes of engines that end so, one after the other, each the given ms after the last. */
async function outcomeOf(ends: readonly End[], apart: number) {
  const runs: string[] = [];
  const said: string[] = [];
  let at = 0;
  const code = await supervised(
    (run) => {
      runs.push(run);
      at += apart;
      return ending(ends[runs.length - 1] ?? 0);
    },
    (sentence) => said.push(sentence),
    () => at,
  );
  return { code, runs, said };
}

describe("engine supervision", (test) => {
  test(
    "given an engine that ends by itself or is told to, takes its exit code",
    async () => {
      const end = fc.sample(fc.integer({ min: 0, max: 127 }), 2);
      for (const one of [0, ...end]) assert.equal(await outcomeOf([one], 1), { code: one, runs: ["first"], said: [] });
      for (const signal of TOLD) {
        const code = 128 + constants.signals[signal];
        assert.equal(await outcomeOf([signal], 1), { code, runs: ["first"], said: [] });
      }
    },
    { skip: needsSignals },
  );

  test(
    "given an engine that is killed, starts it again; killed again within a minute, it stays ended, with code 1",
    async () => {
      const apart = fc.sample(fc.integer({ min: 1, max: 59_999 }), KILLED.length);
      for (const [index, signal] of KILLED.entries()) {
        const { code, runs, said } = await outcomeOf([signal, signal], apart[index] ?? 1);
        assert.equal([code, runs], [1, ["first", "restarted"]]);
        assert.match(said.join(), `killed twice within a minute (${signal}), and stays ended`);
      }
    },
    { skip: needsSignals },
  );

  test(
    "given an engine that is killed while it ends, does not start it again",
    async () => {
      const script = `process.send("ending", () => process.kill(process.pid, "SIGKILL")); setInterval(() => {}, 1000)`;
      const start = () => spawn(process.execPath, ["--eval", script], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      assert.is(await supervised(start, assert.unreachable), 137);
    },
    { skip: needsSignals },
  );

  test(
    "given kills a minute and more apart, starts it again each time",
    async () => {
      const [apart = 0] = fc.sample(fc.integer({ min: 60_000, max: 1e9 }), 1);
      const { code, runs, said } = await outcomeOf(["SIGKILL", "SIGKILL", 5], apart);
      assert.equal([code, runs, said], [5, ["first", "restarted", "restarted"], []]);
    },
    { skip: needsSignals },
  );

  for (const words of [["--no-open"], ["--background"], ["--no-open", "--demo"]] as const)
    test(
      `given kill -9 to the engine of weir start ${words.join(" ")}, its session goes on at the same ports; twice, all ends`,
      () => withTraffic(words, (launch) => killedTwice(launch, words[0] === "--background")),
      { skip: needsSignals },
    );

  test(
    "given kill -9 to the supervisor, the engine ends as by a signal, and its session is complete",
    () =>
      withTraffic(["--no-open"], async ({ ready, dataDir, process: supervisor }) => {
        const { proxy } = await ready();
        await new ProxiedClient({ port: proxy.port, ca: "" }, "http://server.test").ask("GET", "/");
        const pid = extensionPid(dataDir);
        supervisor.kill("SIGKILL");
        await gone(pid);
        assert.equal(
          listSessions(dataDir).map(({ state, exchanges }) => [state, exchanges]),
          [["completed", 1]],
        );
      }),
    { skip: needsSignals },
  );
});

/** Weir with an origin behind it, at `http://server.test`. */
async function withTraffic(words: readonly string[], body: (launch: Launch) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.end("now"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const override = `server.test=127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await withLaunch([...words, "--host-override", override], () => ({}), body);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function killedTwice({ ready, dataDir, exit, output, complaint }: Launch, isBackground: boolean): Promise<void> {
  const { proxy, ui } = await ready();
  if (isBackground) assert.is(await exit, 0);
  const ask = (path: string) => new ProxiedClient({ port: proxy.port, ca: "" }, "http://server.test").ask("GET", path);
  const first = extensionPid(dataDir);
  await ask("/before");
  // What was captured is on disk within a second (docs/security.md R6).
  while (startedOnDisk(dataDir) < 1) await new Promise((resolve) => setTimeout(resolve, 20));
  process.kill(first, "SIGKILL");
  const second = await newExtensionPid(dataDir, first);
  const page = await PageClient.open({ ui });
  assert.match((await page.value({ view: "status" })).notices.map(({ text }) => text).join(), "was started again");
  await ask("/after");
  await page.value({ view: "summary" }, ({ exchanges }) => exchanges >= 2);
  page.close();
  assert.is(output().split("\n").length, 2, "one line of JSON, though it was started twice");
  process.kill(second, "SIGKILL");
  const log = () => readFileSync(join(dataDir, "weir.log"), "utf8");
  if (isBackground) {
    while (!log().includes("stays ended")) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.match(log(), "was started again");
  } else {
    await complaint("Weir's engine ended unexpectedly, and was started again.");
    await complaint("Weir's engine was killed twice within a minute (SIGKILL), and stays ended.");
    assert.is(await exit, 1);
  }
  assert.not(await isOpen(proxy.port));
  assert.is(listSessions(dataDir).length, 1);
}
