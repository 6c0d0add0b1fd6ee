import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, existsSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { PREFERRED_PORT } from "../../../extensions/proxy/process/arguments.ts";
import { CA_UNUSABLE } from "../../../extensions/proxy/process/exit-codes.ts";
import { NODE_FLAGS } from "../../../extensions/proxy/process/node-flags.ts";
import { openDataFolder } from "../../../extensions/proxy/storage/data-folder.ts";
import { takeLock } from "../../../extensions/proxy/storage/lock.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { collected, START, withLaunch } from "../../support/launched-weir.ts";
import { extensionPid, gone, isOpen } from "../../support/native-weir.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { builtApp, type Ready } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const ENGINE = fileURLToPath(new URL("../../../build/extensions/proxy/main.mjs", import.meta.url));

/** Preloaded module that writes to standard error once it has found the data folder's lock taken. */
const LOCK_SEEN = new URL("../../support/lock-seen.ts", import.meta.url).href;

/** Larger than the size below which `scripts/native-binary.ts` takes a download for an error page. */
const ENOUGH = 1_100_000;

const needsLinux = process.platform === "linux" ? null : "needs Linux, where displays and browsers can be taken away";
const needsSignals = process.platform === "win32" ? "needs POSIX signals" : null;

/** The first part of Node's own program: executable, but killed by the system at once. */
function torn(folder: string, mode: number): string {
  const bytes = Buffer.alloc(ENOUGH);
  const whole = openSync(process.execPath, "r");
  readSync(whole, bytes, 0, ENOUGH, 0);
  closeSync(whole);
  const path = join(folder, "neutralino");
  writeFileSync(path, bytes, { mode });
  return path;
}

function isOneLine(output: string, { ui }: Ready): void {
  assert.is(output.split("\n").length, 2, output);
  assert.match(output, ui);
}

describe("npm start", (test) => {
  test("given an unknown option, exits with code 2, says where the options are listed and starts nothing", async () => {
    const child = spawn(process.execPath, [START, "--prot"], { stdio: ["ignore", "pipe", "pipe"] });
    const exit = once(child, "close");
    const [said, complaint] = [collected(child.stdout, exit), collected(child.stderr, exit)];
    assert.is((await exit)[0], 2);
    assert.is(said.text(), "");
    assert.match(complaint.text(), /^Unknown option '--prot'.*\nweir help start lists its options\.$/m);
  });

  for (const word of ["--help", "-h"]) {
    test(`given ${word}, lists the options and starts nothing`, async () => {
      const child = spawn(process.execPath, [START, word], { stdio: ["ignore", "pipe", "pipe"] });
      const exit = once(child, "close");
      const [said, complaint] = [collected(child.stdout, exit), collected(child.stderr, exit)];
      assert.is((await exit)[0], 0);
      const told = said.text();
      assert.is(complaint.text(), "");
      for (const one of ["--native", "--no-open", "--listen", "--ca-key", "--host-override NAME=ADDR:PORT", "--demo"])
        assert.match(told, one);
    });
  }

  test("given a build that is up to date, runs without Node's reader of TypeScript", async () => {
    await builtApp();
    const { status, stderr } = spawnSync(process.execPath, ["--no-strip-types", START, "--help"], { encoding: "utf8" });
    assert.is(status, 0, stderr);
  });

  test("given that the packages are not installed, says what to run", () =>
    withFolder((folder) => {
      for (const part of ["scripts", "src", "extensions"])
        cpSync(join(ROOT, part), join(folder, part), { recursive: true });
      const start = join(folder, "scripts", "start.mjs");
      const { status, stderr } = spawnSync(process.execPath, [start, "--no-open"], { encoding: "utf8" });
      assert.is(status, 70);
      assert.match(
        stderr,
        /^Building Weir, .*\nA package that Weir needs is not installed\. Run npm install, then npm start again\.\n.*\n$/,
      );
    }));

  for (const [what, mode] of [
    ["is ended by a signal", 0o755],
    ["cannot be executed", 0o644],
  ] as const) {
    test(
      `given a native window's program that ${what}, opens in a browser and prints one line of JSON`,
      () =>
        withLaunch(
          [],
          (folder) => ({ WEIR_NEUTRALINO: torn(folder, mode) }),
          async ({ ready, complaint, output }) => {
            await complaint("Weir opens in a browser: the native window did not appear");
            const { ui } = await ready();
            await complaint(`No browser window: there is no display. Open ${ui}`);
            isOneLine(output(), await ready());
          },
        ),
      { skip: needsLinux },
    );

    test(
      `given --native and a native window's program that ${what}, exits with code 70`,
      () =>
        withLaunch(
          ["--native"],
          (folder) => ({ WEIR_NEUTRALINO: torn(folder, mode) }),
          async ({ exit, output }) => {
            assert.is(await exit, 70);
            assert.is(output(), "");
          },
        ),
      { skip: needsLinux },
    );
  }

  test(
    "given an engine that a closed native window left behind, waits for its end, then opens in a browser",
    () => {
      const left = { release: () => {} };
      return withLaunch(
        [],
        (folder) => {
          const dataDir = join(folder, "data");
          openDataFolder(dataDir);
          const lock = unwrap(takeLock(dataDir));
          if (lock.kind === "held") left.release = () => lock.lock.release();
          return { WEIR_NEUTRALINO: torn(folder, 0o755), NODE_OPTIONS: `--import=${LOCK_SEEN}` };
        },
        async ({ ready, complaint }) => {
          await complaint("the lock is taken");
          left.release();
          await complaint(`Open ${(await ready()).ui}`);
        },
      );
    },
    { skip: needsLinux },
  );

  test("given a running Weir, a second engine whose window is gone does not signal it", async () => {
    await builtApp();
    await withFolder(async (folder) => {
      openDataFolder(folder);
      const held = unwrap(takeLock(folder));
      const child = spawn(process.execPath, [ENGINE], {
        env: { ...process.env, WEIR_ARGUMENTS: JSON.stringify(["--data-dir", folder]) },
        stdio: ["pipe", "ignore", "pipe"],
      });
      const exit = once(child, "close").then(([code]) => code as number | null);
      const { text } = collected(child.stderr, exit);
      // Port 0: nothing can listen there.
      child.stdin.end(
        JSON.stringify({ nlPort: "0", nlToken: "a.b", nlConnectToken: "b", nlExtensionId: "weir.proxy" }),
      );
      assert.is(await exit, 0);
      assert.match(text(), /Weir already runs/);
      assert.not(readdirSync(folder).includes("knock"));
      if (held.kind === "held") held.lock.release();
    });
  });

  for (const [what, script, end] of [
    ["ends at once", "exit 1", "code 1"],
    ["crashes", "kill -SEGV $$", "SIGSEGV"],
  ] as const) {
    test(
      `given a browser that ${what}, says why there is no window, prints the address and goes on`,
      () =>
        withLaunch(
          ["--browser"],
          (folder) => {
            writeFileSync(join(folder, "chromium"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
            return { DISPLAY: ":none" };
          },
          async ({ ready, complaint, output, dataDir }) => {
            const { ui, proxy } = await ready();
            const program = join(dataDir, "..", "chromium");
            await complaint(`No browser window: ${program} ended with ${end}. Open ${ui}\n`);
            assert.ok(await isOpen(proxy.port));
            isOneLine(output(), await ready());
          },
        ),
      { skip: needsLinux },
    );
  }

  test("given --dev, runs the engine from its sources", () =>
    withLaunch(
      ["--dev", "--no-open"],
      () => ({}),
      async ({ ready }) => {
        assert.is((await fetch((await ready()).ui)).status, 200);
      },
    ));

  test("given --native with --no-open, says that --native has no effect", () =>
    withLaunch(
      ["--native", "--no-open"],
      () => ({}),
      async ({ ready, complaint }) => {
        await complaint("--native has no effect with --no-open: no native window is opened.\n");
        await ready();
      },
    ));

  test("given --background, returns when ready and runs on until weir stop", () =>
    withLaunch(
      ["--background"],
      () => ({}),
      async ({ ready, exit, dataDir, complaint }) => {
        const { proxy } = await ready();
        assert.is(await exit, 0);
        const lock = unwrap(takeLock(dataDir));
        assert.ok(lock.kind === "taken" && lock.owner !== null);
        await complaint(`Weir runs in the background, as process ${lock.owner.pid}, with its window at http://`);
        assert.ok(await isOpen(proxy.port));
        const words = [join(ROOT, "scripts/weir.mjs"), "stop", "--data-dir", dataDir];
        const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
        assert.equal([status, stderr], [0, ""]);
        assert.not(await isOpen(proxy.port));
      },
    ));

  test("given a second start, says which Weir runs and which options do nothing, and gives --json exit code 4", () =>
    withLaunch(
      ["--background"],
      () => ({}),
      async ({ ready, exit, dataDir }) => {
        const { proxy, ui } = await ready();
        await exit;
        const again = (...words: readonly string[]) => {
          const all = [join(ROOT, "scripts/weir.mjs"), ...words, "--data-dir", dataDir];
          const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: "utf8" });
          return { status, stdout, stderr };
        };
        const lock = unwrap(takeLock(dataDir));
        const pid = lock.kind === "taken" ? lock.owner?.pid : null;
        const runs = `Weir already runs with the data folder ${dataDir}, as process ${pid}. Its proxy listens on 127.0.0.1:${proxy.port}. Its window is at ${new URL("/", ui)}\n`;
        assert.equal(again("start", "--background"), { status: 0, stdout: "", stderr: runs });
        assert.equal(again("--port", "0", "--reverse=9001=http://a.test", "--no-open"), {
          status: 0,
          stdout: "",
          stderr: `${runs}The running Weir was not changed: --port, --reverse apply only to a new start. weir stop ends the running Weir.\n`,
        });
        assert.equal(again("start", "--background", "--json"), { status: 4, stdout: "", stderr: runs });
        assert.is(again("stop").status, 0);
      },
    ));

  test("given --background, ends with the engine's sentence and exit code where it cannot start", () =>
    withLaunch(
      ["--background", "--ca-cert", "/nowhere/ca.pem", "--ca-key", "/nowhere/ca.key"],
      () => ({}),
      async ({ exit, complaint, output }) => {
        assert.is(await exit, CA_UNUSABLE);
        await complaint("/nowhere/ca.pem");
        assert.is(output(), "");
      },
    ));

  test("given --background with --demo, refuses with exit code 2", () =>
    withLaunch(
      ["--background", "--demo"],
      () => ({}),
      async ({ exit, complaint }) => {
        assert.is(await exit, 2);
        await complaint("--demo sends its traffic from this terminal");
      },
    ));

  test("given a taken preferred port, says which port is taken and which is used instead", async () => {
    // If another program has the port already, it is taken as well.
    const other = createServer().listen(PREFERRED_PORT, "127.0.0.1");
    await Promise.race([once(other, "listening"), once(other, "error")]).catch(() => {});
    try {
      await withLaunch(
        ["--no-open"],
        () => ({}),
        async ({ ready, complaint }) => {
          const { port } = (await ready()).proxy;
          await complaint(
            `Port ${PREFERRED_PORT} is taken, so the proxy listens on ${port}; --port chooses another port.\n`,
          );
        },
        [],
      );
    } finally {
      other.close();
    }
  });

  test(
    "given --demo with --listen, the demo's clients use the address on which the proxy listens",
    () =>
      withLaunch(
        ["--no-open", "--demo", "--listen", "127.0.0.2"],
        () => ({}),
        async ({ ready }) => {
          const page = await PageClient.open(await ready());
          await page.value({ view: "summary" }, ({ exchanges }) => exchanges > 0);
          page.close();
        },
      ),
    { skip: needsLinux },
  );

  test(
    "given a SIGTERM from npm that ends only the shell in between, the engine ends too",
    () =>
      withFolder(async (folder) => {
        await builtApp();
        const dataDir = join(folder, "data");
        // A shell with a further command does not replace itself with the program that it runs.
        const words = ["-c", '"$@"; :', "sh", process.execPath, START, "--json", "--no-open", "--port", "0"];
        const shell = spawn("/bin/sh", [...words, "--data-dir", dataDir], {
          env: { ...process.env, npm_lifecycle_event: "start" },
          stdio: ["ignore", "pipe", "inherit"],
        });
        const ended = once(shell.stdout, "close");
        await once(shell.stdout, "data");
        const engine = extensionPid(dataDir);
        shell.kill("SIGTERM");
        await ended;
        await gone(engine);
      }),
    { skip: needsSignals },
  );

  test(
    "given a browser, its arguments have a code that opens the window once, and not the ticket",
    () => {
      const seen = { path: "" };
      return withLaunch(
        ["--browser"],
        (folder) => {
          seen.path = join(folder, "arguments");
          const browser = `#!/bin/sh\nfor word; do case $word in --app=*) echo "$word" > "${seen.path}.new";; esac; done\n`;
          writeFileSync(join(folder, "chromium"), `${browser}/bin/mv "${seen.path}.new" "${seen.path}"\n`, {
            mode: 0o755,
          });
          return { DISPLAY: ":none" };
        },
        async ({ ready }) => {
          const { ui } = await ready();
          while (!existsSync(seen.path)) await new Promise((resolve) => setTimeout(resolve, 20));
          const address = readFileSync(seen.path, "utf8").trim().replace("--app=", "");
          const ticket = new URL(ui).hash.replace("#ticket=", "");
          assert.not.ok(address.includes(ticket));
          (await PageClient.open({ ui: address })).close();
          assert.match(await PageClient.open({ ui: address }).then(String, String), "closed the page's socket");
        },
      );
    },
    { skip: needsLinux },
  );

  test(
    "given a page in a browser, becomes the supervisor of the engine, and ends with it",
    () =>
      withLaunch(
        ["--no-open"],
        () => ({}),
        async ({ ready, dataDir, process: launcher, exit }) => {
          await ready();
          if (process.platform === "linux") {
            const wordsOf = (pid = 0) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
            assert.match(wordsOf(launcher.pid), "supervisor.mjs foreground");
            assert.match(wordsOf(extensionPid(dataDir)), ` ${NODE_FLAGS.join(" ")} `);
          }
          const engine = extensionPid(dataDir);
          launcher.kill("SIGTERM");
          assert.is(await exit, 0);
          await gone(engine);
        },
      ),
    { skip: needsSignals },
  );

  test(
    "given SIGINT and SIGTERM at once, counts them as one signal and lets open exchanges end",
    async () => {
      const server = createServer((_, response) => server.emit("waits", response));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      try {
        await withLaunch(
          ["--no-open", "--host-override", `server.test=127.0.0.1:${port}`],
          () => ({}),
          async ({ ready, process: launcher, exit }) => {
            const { proxy } = await ready();
            const answered = new ProxiedClient({ port: proxy.port, ca: "" }, "http://server.test").ask("GET", "/");
            const [waiting] = (await once(server, "waits")) as [ServerResponse];
            // Two signals of one kind could be delivered as one.
            launcher.kill("SIGINT");
            launcher.kill("SIGTERM");
            while (await isOpen(proxy.port));
            waiting.end("late");
            assert.is((await answered).status, 200);
            assert.is(await exit, 0);
          },
        );
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
    { skip: needsSignals },
  );
});
