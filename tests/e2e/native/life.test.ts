import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type WebSocket, WebSocketServer } from "ws";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { describe } from "../../support/describe.ts";
import {
  appStartedBy,
  extensionAlone,
  extensionPid,
  gone,
  isAlive,
  isOpen,
  type NativeWeir,
  nativeWeir,
  needsFake,
  needsShell,
} from "../../support/native-weir.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const ROUNDS = process.env["WEIR_LONG_TESTS"] === "1" ? 50 : 20;

/** Runs Weir in its window with a new data folder, and removes both afterwards. */
async function withNativeWeir(body: (weir: NativeWeir) => Promise<void>, ...words: readonly string[]): Promise<void> {
  await withFolder(async (folder) => {
    const weir = await nativeWeir({ dataDir: join(folder, "data"), words });
    try {
      await body(weir);
    } finally {
      await weir.end("SIGKILL");
    }
  });
}

/** A server that responds to `/now` at once and to `/never` never. */
async function withServer(
  body: (override: readonly string[], asked: Promise<unknown>) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url === "/now") response.end("now");
    else server.emit("asked");
  });
  const asked = once(server, "asked");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await body(["--host-override", `server.test=127.0.0.1:${(server.address() as AddressInfo).port}`], asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("lifetime of the native window's extension", (test) => {
  for (const [how, signal] of [
    ["is closed", "SIGUSR2"],
    ["is ended by SIGTERM", "SIGTERM"],
    ["is killed", "SIGKILL"],
  ] as const) {
    const skip = signal === "SIGUSR2" ? (needsFake ?? needsShell) : needsShell;
    test(
      `given a window that ${how}, the extension ends within 2 s, frees its port and stores what it captured`,
      () =>
        withServer((override, asked) =>
          withNativeWeir(
            async (weir) => {
              const { proxy } = await weir.ready;
              const pid = extensionPid(weir.dataDir);
              const client = new ProxiedClient({ port: proxy.port, ca: "" }, "http://server.test");
              await client.ask("GET", "/now");
              const unanswered = client.ask("GET", "/never").catch(() => null);
              await asked;
              await weir.end(signal);
              await gone(pid);
              assert.not(await isOpen(proxy.port));
              await unanswered;
              const [session] = listSessions(weir.dataDir);
              assert.is(session?.exchanges, 2);
              assert.is(session?.state, "completed");
            },
            ...override,
          ),
        ),
      { skip },
    );
  }

  test(
    "given a window that is closed already, its extension exits with 0",
    () =>
      withFolder(async (folder) => {
        const dataDir = join(folder, "data");
        const weir = await nativeWeir({ dataDir });
        await weir.ready;
        const pid = extensionPid(dataDir);
        await weir.end("SIGKILL");
        await gone(pid);
        // Nothing listens there now, as when a window closes before its extension has started.
        assert.is(await extensionAlone(dataDir, Number(new URL(await weir.address()).port)), 0);
      }),
    { skip: needsFake ?? needsShell },
  );

  test("given an extension whose output is not read, ends when its window closes", () =>
    withFolder(async (folder) => {
      const dataDir = join(folder, "data");
      const window = new WebSocketServer({ host: "127.0.0.1", port: 0 });
      await once(window, "listening");
      const exit = extensionAlone(dataDir, (window.address() as AddressInfo).port);
      const [socket] = (await once(window, "connection")) as [WebSocket];
      // The extension writes its owner file right before it prints that it is ready.
      while (!existsSync(join(dataDir, "owner.json"))) await new Promise((resolve) => setTimeout(resolve, 10));
      socket.terminate();
      assert.is(await exit, 0);
      window.close();
    }));

  test(
    "given a second start on the same data folder, raises the first window and closes the second",
    () =>
      withNativeWeir(async (first) => {
        const { proxy } = await first.ready;
        // A window counts once its page has sent `hello`; the fake shows no page by itself.
        const page = needsFake === null ? await first.page() : null;
        await page?.heard("welcome");
        const second = await nativeWeir({ dataDir: first.dataDir });
        await once(second.shell, "exit");
        assert.match(second.complaints(), `Its proxy listens on 127.0.0.1:${proxy.port}.`);
        assert.ok(isAlive(extensionPid(first.dataDir)));
        if (page === null) return;
        const raised = process.platform === "linux" ? "window.setAlwaysOnTop" : "window.focus";
        const told = process.platform === "linux" ? [{ onTop: true }, { onTop: false }] : [{}];
        while (first.calls(raised).length < told.length) await once(first.shell.stdout ?? process.stdin, "data");
        assert.equal(first.calls(raised), told);
        assert.is(first.calls("window.focus").length, 1);
        page.close();
      }),
    { skip: needsShell },
  );

  test(
    "given a shell between the second start's window and its extension, the window still closes",
    () =>
      withNativeWeir(async (first) => {
        await first.ready;
        // A further shell between the window and its extension.
        const app = appStartedBy(join(first.dataDir, "..", "app"), (command) => `( ${command} ); true`);
        const second = await nativeWeir({ dataDir: first.dataDir, app });
        await once(second.shell, "exit");
        assert.match(second.complaints(), "Weir already runs");
        assert.ok(isAlive(extensionPid(first.dataDir)));
      }),
    { skip: needsShell },
  );

  test(
    "given a data folder that cannot be used, the window says so",
    () =>
      withFolder(async (folder) => {
        const dataDir = join(folder, "data");
        await writeFile(dataDir, "");
        const weir = await nativeWeir({ dataDir });
        const page = await weir.page();
        assert.match((await page.heard("shutdown")).reason, /^The data folder cannot be used: /);
        page.close();
        await weir.end("SIGKILL");
      }),
    { skip: needsFake ?? needsShell },
  );

  test(
    `given ${ROUNDS} starts and kills, leaves no process, open port or owner file behind`,
    () =>
      withFolder(async (folder) => {
        const dataDir = join(folder, "data");
        const pids: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const weir = await nativeWeir({ dataDir });
          const { proxy, ui } = await weir.ready;
          pids.push(extensionPid(dataDir));
          await weir.end("SIGKILL");
          await gone(pids.at(-1) ?? 0);
          for (const port of [proxy.port, Number(new URL(ui).port)]) assert.not(await isOpen(port));
        }
        assert.equal(pids.filter(isAlive), []);
        assert.not(existsSync(join(dataDir, "owner.json")));
      }),
    { skip: needsShell, limit: ROUNDS * 5_000 },
  );
});
