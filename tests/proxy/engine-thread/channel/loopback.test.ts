import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect as connectTo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as assert from "uvu/assert";
import { WebSocket } from "ws";
import { Admission } from "../../../../extensions/proxy/engine-thread/channel/admission.ts";
import {
  LoopbackServer,
  pageFiles,
  type UiSocket,
} from "../../../../extensions/proxy/engine-thread/channel/loopback.ts";
import { WindowKeys } from "../../../../extensions/proxy/storage/window-keys.ts";
import { describe } from "../../../support/describe.ts";
import { RawPeer } from "../../../support/raw-peer.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

/** The most connections that Linux lets wait for a socket that listens (listen(2)). */
const SOMAXCONN = "/proc/sys/net/core/somaxconn";

const TICKET = "0123456789abcdef0123456789abcdef";

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A server for a small page; its parent folder contains a secret that must not be served. */
async function withServer(
  use: (port: number, pages: UiSocket[], resources: string) => Promise<void>,
  theme: "system" | "dark" = "system",
  hostName: string | null = null,
) {
  const folder = mkdtempSync(join(tmpdir(), "weir-page-"));
  const resources = join(folder, "resources");
  mkdirSync(join(resources, "icons"), { recursive: true });
  writeFileSync(join(folder, "secret.html"), "secret");
  writeFileSync(join(resources, "index.html"), '<!doctype html><html lang="en"><title>Weir</title></html>');
  writeFileSync(join(resources, "main.js"), "export {};");
  writeFileSync(join(resources, "icons/icon.svg"), "<svg/>");
  writeFileSync(join(resources, "weir-ca.key"), "secret");
  if (process.platform !== "win32") symlinkSync(join(folder, "secret.html"), join(resources, "link.html"));
  const pages: UiSocket[] = [];
  const server = new LoopbackServer({
    resources,
    admission: new Admission({
      ticket: TICKET,
      keys: new WindowKeys(folder, (problem) => assert.is(problem, null)),
      version: "1",
      now: () => Date.now(),
    }),
    theme: () => theme,
    origins: () => [],
    hostName,
    onPage: (page) => {
      pages.push(page);
      page.onMessage((text) => page.send(text));
    },
  });
  const port = await server.start();
  try {
    await use(port, pages, resources);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Sends the path unchanged: a URL object would normalize it. */
function ask(port: number, path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: "127.0.0.1", port, path, method, headers: { Host: `127.0.0.1:${port}`, ...headers } },
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

/**
 * The result of a connection attempt: "talks" if it was accepted as a page, else the status or close code of the
 * refusal.
 */
function connect(port: number, headers: Record<string, string>, first: string, path = "/channel"): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on("open", () => {
      socket.send(first);
      socket.send("ping");
    });
    socket.on("message", () => {
      socket.terminate();
      resolve("talks");
    });
    socket.on("unexpected-response", (_, response) => {
      resolve(String(response.statusCode));
      response.destroy();
    });
    socket.on("close", (code) => resolve(String(code)));
    socket.on("error", () => {});
  });
}

const UPGRADE = "GET /channel HTTP/1.1\r\nHost: evil.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

const hello = (ticket: string) => JSON.stringify({ type: "hello", ticket });

describe("loopback server", (test) => {
  test("given more silent connections than it takes, ends the oldest for each further one, but no window", () =>
    withServer(async (port, pages) => {
      const window = new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin: `http://127.0.0.1:${port}` });
      await once(window, "open");
      window.send(hello(TICKET));
      window.send("still here");
      await once(window, "message");
      const silent: RawPeer[] = [];
      for (let count = 0; count < 255; count += 1) silent.push(await RawPeer.to(port));
      assert.is((await ask(port, "/")).status, 200);
      const [oldest, ...others] = silent;
      assert.ok(["end", "close", "ECONNRESET"].includes((await oldest?.over) ?? ""));
      assert.is((await ask(port, "/")).status, 200);
      window.send("still here");
      await once(window, "message");
      assert.is(pages.length, 1);
      window.terminate();
      for (const peer of others) peer.socket.destroy();
    }));

  test("given 1,000 connections at once, lets all of them wait, so that none has to try again", async () => {
    const most = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, "utf8")) : 0;
    if (most < 1_000) return; // not Linux, or the system allows fewer
    await withServer(async (port) => {
      const sockets = Array.from({ length: 1_000 }, () => connectTo(port, "127.0.0.1").on("error", () => {}));
      // Node connects in the next tick. The server accepts none before this turn of the event loop has ended.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
      const states = readFileSync("/proc/net/tcp", "utf8")
        .split("\n")
        .flatMap((line) => (line.trim().split(/\s+/)[2] === remote ? [line.trim().split(/\s+/)[3]] : []));
      for (const socket of sockets) socket.destroy();
      const [SYN_SENT, ESTABLISHED] = ["02", "01"];
      assert.ok(states.filter((state) => state === ESTABLISHED).length >= 1_000, `${states.length} connections`);
      assert.not(states.includes(SYN_SENT));
    });
  });

  test("given pipelined requests, answers none of them, however they are cut; given one in single bytes, answers it", () =>
    withServer(async (port) => {
      const one = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
      for (const text of [one.repeat(1_500), `${one}G`]) {
        const peer = await RawPeer.to(port);
        peer.send(text);
        assert.ok(["end", "close", "ECONNRESET", "EPIPE"].includes(await peer.over));
        assert.is(peer.received.length, 0);
      }
      const slow = await RawPeer.to(port);
      for (const character of one) {
        slow.send(character);
        await setImmediate();
      }
      assert.match(await slow.head(), /^HTTP\/1\.1 200 /);
      await slow.over;
      const long = await RawPeer.to(port);
      long.send(`GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}`);
      assert.ok(["end", "close", "ECONNRESET", "EPIPE"].includes(await long.over));
    }));

  test("given a first message of 1 MB, does not parse it, and refuses it", () =>
    withServer(async (port, pages) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin: `http://127.0.0.1:${port}` });
      await once(socket, "open");
      const { parse } = JSON;
      let parsed = 0;
      JSON.parse = (text, reviver) => {
        parsed += text.length;
        return parse(text, reviver);
      };
      try {
        socket.send(`${hello(TICKET)}${" ".repeat(1_000_000)}`);
        assert.is((await once(socket, "close"))[0], 4403);
      } finally {
        JSON.parse = parse;
      }
      assert.equal([parsed, pages.length], [0, 0]);
    }));

  test("given the page and its files, serves them with the security headers", async () => {
    await withServer(async (port) => {
      for (const path of ["/", "/index.html", "/main.js", "/icons/icon.svg", "/__neutralino_globals.js"]) {
        const { status, headers } = await ask(port, path);
        assert.is(status, 200, path);
        assert.is(headers["x-content-type-options"], "nosniff");
        assert.is(headers["referrer-policy"], "no-referrer");
        assert.is(headers["cross-origin-resource-policy"], "same-origin");
        assert.is(headers["content-security-policy"], "frame-ancestors 'none'");
        assert.is(headers["access-control-allow-origin"], undefined);
      }
    });
  });

  test("given a chosen theme, writes it into the page's html element", async () => {
    await withServer(
      async (port) => assert.match((await ask(port, "/")).text, '<html data-theme="dark" lang="en">'),
      "dark",
    );
    await withServer(async (port) => assert.match((await ask(port, "/")).text, '<html lang="en">'));
  });

  test("given a page that another site has led to, does not mark it as the user's own", async () => {
    await withServer(async (port) => {
      for (const site of ["none", "same-origin", "cross-site", "same-site", "x"]) {
        const { text } = await ask(port, "/", { "Sec-Fetch-Site": site });
        assert.is(text.includes("<html data-own"), ["none", "same-origin"].includes(site), site);
      }
      assert.ok(!(await ask(port, "/")).text.includes("data-own"));
    });
  });

  test("given a page that reads nothing, disconnects it before 100 MB wait for it", () =>
    withServer(async (port, pages) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin: `http://127.0.0.1:${port}` });
      await once(socket, "open");
      socket.send(JSON.stringify({ type: "hello", ticket: TICKET }));
      socket.send("ping");
      await once(socket, "message");
      socket.pause();
      let isGone = false;
      pages[0]?.onClose(() => {
        isGone = true;
      });
      const [megabyte, most] = ["x".repeat(1024 ** 2), 100];
      for (let sent = 0; sent < most && !isGone; sent += 1) {
        pages[0]?.send(megabyte);
        await setImmediate();
      }
      assert.ok(isGone);
      pages[0]?.send("nobody hears it");
      socket.terminate();
    }));

  test("given a path that leaves the page's folder, responds with 404", async () => {
    const up = ["..", "%2e%2e", "..%2f", "%2e%2e%2f", "..%5c", "%5c..", "..;", ".%00.", "%c0%ae%c0%ae", "..%252f"];
    const paths = up.flatMap((step) => [
      `/${step}/secret.html`,
      `/icons/${step}/${step}/secret.html`,
      `//${step}/secret.html`,
      `/./${step}/secret.html`,
    ]);
    const others = [
      "/link.html",
      "/weir-ca.key",
      "/C:/secret.html",
      "/secret.html",
      "/index.html%00",
      "/INDEX.HTML/..",
      "//",
      "/icons",
    ];
    assert.ok(paths.length + others.length >= 40);
    await withServer(async (port) => {
      for (const path of [...paths, ...others]) {
        const { status, text } = await ask(port, path);
        assert.is(status, 404, path);
        assert.not.match(text, "secret");
      }
    });
  });

  test("given a method other than GET and HEAD, responds with 405", async () => {
    await withServer(async (port) => {
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
        assert.is((await ask(port, "/", {}, method)).status, 405);
      assert.is((await ask(port, "/", {}, "HEAD")).text, "");
    });
  });

  test("given a foreign Host header, responds with 403", async () => {
    await withServer(async (port) => {
      for (const host of [
        "evil.test",
        `evil.test:${port}`,
        "127.0.0.1",
        "127.0.0.1:1",
        `127.0.0.2:${port}`,
        `localhost.evil.test:${port}`,
      ]) {
        assert.is((await ask(port, "/", { Host: host })).status, 403, host);
      }
      for (const host of [`localhost:${port}`, `[::1]:${port}`])
        assert.is((await ask(port, "/", { Host: host })).status, 200, host);
    });
  });

  test("given many messages in one read, one is handled in each turn of the event loop", () =>
    withServer(async (port, pages) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin: `http://127.0.0.1:${port}` });
      await once(socket, "open");
      socket.send(hello(TICKET));
      socket.send("ping");
      await once(socket, "message");
      let [turn, handled] = [0, 0];
      const turns = new Set<number>();
      const all = new Promise<void>((resolve) => {
        pages[0]?.onMessage(() => {
          turns.add(turn);
          handled += 1;
          if (handled === 500) resolve();
        });
      });
      let isOver = false;
      void all.then(() => {
        isOver = true;
      });
      for (let message = 0; message < 500; message += 1) socket.send(String(message));
      while (!isOver) {
        await setImmediate();
        turn += 1;
      }
      assert.ok(turns.size >= 499, `${turns.size} turns`);
      socket.terminate();
    }));

  test("given the ticket and the page's own Origin, accepts the WebSocket", async () => {
    await withServer(async (port, pages) => {
      assert.is(await connect(port, { Origin: `http://127.0.0.1:${port}` }, hello(TICKET)), "talks");
      assert.is(pages.length, 1);
    });
  });

  test("given a wrong ticket, Origin, Host or path, refuses the WebSocket", async () => {
    await withServer(async (port, pages) => {
      const origin = `http://127.0.0.1:${port}`;
      const refused: readonly (readonly [headers: Record<string, string>, first: string, path?: string])[] = [
        [{ Origin: origin }, hello("")],
        [{ Origin: origin }, hello(TICKET.slice(1))],
        [{ Origin: origin }, hello(`${TICKET}0`)],
        [{ Origin: origin }, JSON.stringify({ type: "subscribe", ticket: TICKET })],
        [{ Origin: origin }, JSON.stringify({ type: "hello", ticket: [TICKET] })],
        [{ Origin: origin }, "not json"],
        [{}, hello(TICKET)],
        [{ Origin: "http://evil.test" }, hello(TICKET)],
        [{ Origin: `http://127.0.0.1:${port + 1}` }, hello(TICKET)],
        [{ Origin: "null" }, hello(TICKET)],
        [{ Origin: `http://evil.test:${port}`, Host: `evil.test:${port}` }, hello(TICKET)],
        [{ Origin: origin, Host: "evil.test" }, hello(TICKET)],
        [{ Origin: origin }, hello(TICKET), "/other"],
      ];
      for (const [headers, first, path] of refused) {
        const end = await connect(port, headers, first, path);
        assert.ok(end === "403" || end === "4403", `${JSON.stringify(headers)} ${first}: ${end}`);
      }
      assert.is(pages.length, 0);
    });
  });

  test("given --ui-host-name, takes exactly that Host and its origins, with the ticket", async () => {
    const name = "box.example:8443";
    const use = async (port: number) => {
      assert.is((await ask(port, "/", { Host: name })).status, 200);
      for (const host of ["box.example", "box.example:8444", "a.box.example:8443", "box.example:8443.evil.test"])
        assert.is((await ask(port, "/", { Host: host })).status, 403, host);
      const own = `127.0.0.1:${port}`;
      for (const [origin, host, ticket, expected] of [
        [`https://${name}`, name, TICKET, "talks"],
        [`http://${name}`, name, TICKET, "talks"],
        // Some forwarders replace Host alone.
        [`https://${name}`, own, TICKET, "talks"],
        [`https://${name}`, name, "x", "4403"],
        ["https://box.example", name, TICKET, "403"],
        ["https://evil.test", name, TICKET, "403"],
        [`https://${name}`, "evil.test", TICKET, "403"],
      ] as const)
        assert.is(await connect(port, { Origin: origin, Host: host }, hello(ticket)), expected, `${origin} ${host}`);
    };
    await withServer(use, "system", name);
    await withServer(async (port) => assert.is((await ask(port, "/", { Host: name })).status, 403));
  });

  test("given a port that is taken, listens on the next free one", async () => {
    await withServer(async (taken, _, resources) => {
      const server = new LoopbackServer({
        resources,
        admission: new Admission({ ticket: TICKET, keys: null as never, version: "1", now: () => 0 }),
        theme: () => "system",
        origins: () => [],
        hostName: null,
        onPage: () => {},
      });
      try {
        const port = await server.start(taken);
        assert.is.not(port, taken);
        assert.is((await ask(port, "/", { Host: `127.0.0.1:${taken}` })).status, 403);
      } finally {
        await server.stop();
      }
    });
  });

  test("given a known key from another Origin or Host, gives not even a challenge", async () => {
    await withServer(async (port, pages) => {
      const origin = `http://127.0.0.1:${port}`;
      const socket = new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin });
      await once(socket, "open");
      socket.send(JSON.stringify({ type: "hello", ticket: TICKET, keyed: true }));
      const { salt } = JSON.parse(String((await once(socket, "message"))[0]));
      socket.terminate();
      const again = JSON.stringify({ type: "hello", key: salt, nonce: "n".repeat(43) });
      assert.is(await connect(port, { Origin: origin }, again), "talks", "it is challenged at its own origin");
      for (const [headers, expected] of [
        [{ Origin: "http://evil.test" }, "403"],
        [{ Origin: `http://127.0.0.1:${port + 1}` }, "403"],
        [{}, "403"],
        [{ Origin: origin, Host: "evil.test" }, "403"],
        // Ours, but not the key's: "localhost" may lead to another program's ::1.
        [{ Origin: `http://localhost:${port}`, Host: `localhost:${port}` }, "4403"],
      ] as const)
        assert.is(await connect(port, headers, again), expected, JSON.stringify(headers));
      assert.is(pages.length, 1);
    });
  });

  test("given a refused WebSocket that the client resets, serves on without an error", async () => {
    await withServer(async (port) => {
      const errors: unknown[] = [];
      const note = (error: unknown) => errors.push(error);
      process.on("uncaughtException", note);
      try {
        for (let round = 0; round < 20; round += 1) {
          const peer = await RawPeer.to(port);
          peer.send(UPGRADE);
          await peer.until("403 Forbidden");
          peer.socket.resetAndDestroy();
          await once(peer.socket, "close");
        }
        assert.is((await ask(port, "/")).status, 200);
      } finally {
        process.off("uncaughtException", note);
      }
      assert.equal(errors, []);
    });
  });

  for (const when of ["before it has said hello", "afterwards"]) {
    test(`given a page that breaks the protocol ${when}, disconnects it and keeps the others`, async () => {
      await withServer(async (port) => {
        const errors: unknown[] = [];
        const note = (error: unknown) => errors.push(error);
        process.on("uncaughtException", note);
        try {
          const origin = `http://127.0.0.1:${port}`;
          const other = new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin });
          await once(other, "open");
          other.send(hello(TICKET));
          const broken = new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin });
          broken.on("error", () => {});
          await once(broken, "open");
          if (when === "afterwards") broken.send(hello(TICKET));
          broken.send("x".repeat(1024 * 1024 + 1));
          await once(broken, "close");
          other.send("ping");
          assert.is(String((await once(other, "message"))[0]), "ping");
          other.terminate();
        } finally {
          process.off("uncaughtException", note);
        }
        assert.equal(errors, []);
      });
    });
  }

  for (const [who, words, answer] of [
    ["has asked for half a page", "GET / HTTP/1.1\r\n", null],
    ["keeps its end after it was refused a socket", UPGRADE, "403 Forbidden"],
    ["has a socket and has not said hello", "", null],
  ] as const) {
    test(`given a client that ${who}, stops all the same`, async () => {
      const peers: RawPeer[] = [];
      await withServer(async (port) => {
        const peer = await RawPeer.to(port);
        peers.push(peer);
        if (words === "")
          await once(new WebSocket(`ws://127.0.0.1:${port}/channel`, { origin: `http://127.0.0.1:${port}` }), "open");
        peer.send(words);
        if (answer !== null) await peer.until(answer);
        // Later requests are answered later, so the first has been read by now.
        await ask(port, "/");
      });
      for (const { socket } of peers) socket.destroy();
    });
  }
});

describe("page files of the loopback server", (test) => {
  test("given a folder, serves its files of known types by their path, and the index as / too", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, "icons", "folder.js"), { recursive: true });
      for (const name of [
        "index.html",
        "hub.html",
        "main.js",
        "app.css",
        "icons/a.svg",
        "icons/a.png",
        "weir-ca.key",
        "js",
      ])
        await writeFile(join(folder, name), `of ${name}`);
      // The folder may be given with a trailing separator.
      for (const named of [folder, join(folder, "/")]) {
        const files = pageFiles(named);
        assert.equal([...files].map(([path, { type, html, bytes }]) => [path, type, html, bytes.toString()]).sort(), [
          ["/", "text/html; charset=utf-8", true, "of index.html"],
          ["/app.css", "text/css; charset=utf-8", false, "of app.css"],
          ["/hub.html", "text/html; charset=utf-8", true, "of hub.html"],
          ["/icons/a.png", "image/png", false, "of icons/a.png"],
          ["/icons/a.svg", "image/svg+xml", false, "of icons/a.svg"],
          ["/index.html", "text/html; charset=utf-8", true, "of index.html"],
          ["/main.js", "text/javascript; charset=utf-8", false, "of main.js"],
        ]);
      }
    }));

  test("given a link and no index, serves no file", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "secret.html"), "secret");
      await mkdir(join(folder, "page"));
      await symlink(join(folder, "secret.html"), join(folder, "page", "link.html"), "file");
      assert.equal([...pageFiles(join(folder, "page")).keys()], []);
    }));
});
