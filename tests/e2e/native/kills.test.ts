import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { describe } from "../../support/describe.ts";
import {
  extensionPid,
  gone,
  isAlive,
  isOpen,
  type NativeWeir,
  nativeWeir,
  needsFake,
  needsShell,
  newExtensionPid,
  startedOnDisk,
} from "../../support/native-weir.ts";
import type { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** A window whose page has connected, and a server behind its proxy. `/never` is never answered. */
interface Stage {
  readonly weir: NativeWeir;
  readonly page: PageClient;
  readonly pid: number;
  readonly port: number;
  ask(path: string): Promise<unknown>;
}

async function withWindow(body: (stage: Stage) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url !== "/never") response.end("now");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const override = `server.test=127.0.0.1:${(server.address() as AddressInfo).port}`;
  await withFolder(async (folder) => {
    const weir = await nativeWeir({ dataDir: join(folder, "data"), words: ["--host-override", override] });
    try {
      const { proxy } = await weir.ready;
      const page = await weir.page();
      await page.heard("welcome");
      const ask = (path: string) =>
        new ProxiedClient({ port: proxy.port, ca: "" }, "http://server.test").ask("GET", path);
      await body({ weir, page, pid: extensionPid(weir.dataDir), port: proxy.port, ask });
      page.close();
    } finally {
      await weir.end("SIGKILL");
      server.closeAllConnections();
      server.close();
    }
  });
}

/** Kills the engine's process until the window is told that it failed. */
async function fail({ weir, page, pid }: Stage): Promise<void> {
  process.kill(pid, "SIGKILL");
  await page.heard("welcome");
  process.kill(await newExtensionPid(weir.dataDir, pid), "SIGKILL");
  assert.match((await page.heard("shutdown")).reason, /^Weir's engine has ended unexpectedly/);
}

describe("native window and engine after a kill", (test) => {
  const skip = needsFake ?? needsShell;

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    test(
      `given ${signal} to the engine, as by weir stop, the window closes with it and the session is complete`,
      () =>
        withWindow(async ({ weir, pid, port, ask }) => {
          await ask("/");
          const ended = once(weir.shell, "exit");
          process.kill(pid, signal);
          await ended;
          await gone(pid);
          assert.not(await isOpen(port));
          assert.equal(
            listSessions(weir.dataDir).map(({ state, exchanges }) => [state, exchanges]),
            [["completed", 1]],
          );
        }),
      { skip },
    );

  for (const signal of ["SIGKILL", "SIGSEGV"] as const)
    test(
      `given ${signal} to the engine, it is started again with its session, port and pause, and the terminal says so`,
      () =>
        withWindow(async (stage) => {
          const { weir, page, pid, port, ask } = stage;
          await ask("/before");
          await page.value({ view: "summary" }, ({ counted }) => counted === 1);
          const unanswered = ask("/never").catch(() => null);
          await page.value({ view: "summary" }, ({ inFlight }) => inFlight === 1);
          await page.command({ type: "set-recording", on: false });
          await page.value({ view: "status" }, ({ pause }) => pause !== null);
          // What was captured is on disk within a second (docs/security.md R6).
          while (startedOnDisk(weir.dataDir) !== 2) await new Promise((resolve) => setTimeout(resolve, 20));
          process.kill(pid, signal);
          await unanswered;
          await page.heard("welcome");
          const { notices } = await page.value(
            { view: "status" },
            ({ pause, proxy }) => pause !== null && proxy.running,
          );
          assert.match(notices.map(({ text }) => text).join(), "was started again");
          await page.command({ type: "set-recording", on: true });
          await page.value({ view: "status" }, ({ pause }) => pause === null);
          await ask("/after");
          const summary = await page.value(
            { view: "summary" },
            ({ exchanges, inFlight }) => exchanges + inFlight === 3,
          );
          assert.equal([summary.exchanges, summary.inFlight], [3, 0], "what was in flight has ended");
          assert.match(weir.complaints(), "Weir's engine ended unexpectedly, and was started again.");
          const ended = once(weir.shell, "exit");
          process.kill(await newExtensionPid(weir.dataDir, pid), "SIGTERM");
          await ended;
          assert.not(await isOpen(port));
          assert.equal(
            listSessions(weir.dataDir).map(({ state, exchanges }) => [state, exchanges]),
            [["completed", 3]],
          );
        }),
      { skip },
    );

  test(
    "given an engine that is killed twice, the window offers a new start, which works; a second start opens no further window",
    () =>
      withWindow(async (stage) => {
        const { weir, page } = stage;
        await fail(stage);
        assert.match(weir.complaints(), "The window offers a new start.");
        const second = await nativeWeir({ dataDir: weir.dataDir });
        await once(second.shell, "exit");
        while (weir.calls("window.focus").length === 0) await once(weir.shell.stdout ?? process.stdin, "data");
        page.startAgain();
        await page.heard("welcome");
        assert.ok((await page.value({ view: "status" }, ({ proxy }) => proxy.running)).proxy.running);
        await weir.end("SIGTERM");
      }),
    { skip },
  );

  test(
    "given weir stop while the window offers a new start, the window closes",
    () =>
      withWindow(async (stage) => {
        await fail(stage);
        const pid = await newExtensionPid(stage.weir.dataDir, stage.pid);
        const ended = once(stage.weir.shell, "exit");
        process.kill(pid, "SIGTERM");
        await ended;
        await gone(pid);
      }),
    { skip },
  );

  test(
    "given a window that is killed while it offers a new start, nothing is left",
    () =>
      withWindow(async (stage) => {
        await fail(stage);
        const pid = await newExtensionPid(stage.weir.dataDir, stage.pid);
        await stage.weir.end("SIGKILL");
        await gone(pid);
        assert.not(isAlive(pid));
      }),
    { skip },
  );
});
