import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { lanAddress } from "../../support/network-address.ts";
import { PageClient } from "../../support/page-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

const lan = lanAddress() ?? "";
const skip = lan === "" ? "needs a network address" : null;

async function withWeir(
  body: (weir: RunningWeir, page: PageClient) => Promise<void>,
  ...words: readonly string[]
): Promise<void> {
  const weir = await runningWeir(words);
  const page = await PageClient.open(weir);
  try {
    await body(weir, page);
  } finally {
    page.close();
    await weir.stop();
  }
}

/** The response's status, or the code of the refused connection. */
async function answerOf(host: string, port: number, path: string, method = "GET", headers = {}): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ host, port, path, method, headers, agent: false }, (response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    asked.on("upgrade", (_, socket) => {
      socket.destroy();
      resolve("upgraded");
    });
    asked.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    asked.end();
  });
}

/** The pages and sockets of the UI, which the proxy's port must not serve to another machine. */
const NOT_THERE = ["/index.html", "/hub.html", "/main.js", "/channel", "/weir-ca.key", "/../weir-ca.key"];

/** The body of a response to a request from the network for a server on this machine. */
async function throughProxy(port: number, target: number): Promise<string> {
  const socket = connect({ host: lan, port });
  socket.end(`GET http://127.0.0.1:${target}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

describe("proxy on the local network", (test) => {
  for (const words of [[], ["--allow-private-targets"]])
    test(
      `given --listen 0.0.0.0 ${words.join("")}, ${words.length === 0 ? "is refused" : "reaches"} private addresses, and is told so`,
      async () => {
        const server = createServer((_, response) => response.end("inside"));
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        const { port } = server.address() as AddressInfo;
        const isAllowed = words.length > 0;
        try {
          await withWeir(
            async ({ proxy }, page) => {
              const answer = await throughProxy(proxy.port, port);
              assert.match(
                answer,
                isAllowed ? /^HTTP\/1\.1 200 .*inside$/s : /^HTTP\/1\.1 403 .*--allow-private-targets/s,
              );
              const { notices } = await page.value({ view: "status" }, (now) => now.lan !== null);
              assert.ok(
                notices.some(({ text: told }) => told.startsWith("Devices on your network can use this proxy")),
              );
              assert.is(
                notices.some(({ text: told }) => told.includes("--allow-private-targets")),
                isAllowed,
              );
            },
            ...["--listen", "0.0.0.0"],
            ...words,
          );
        } finally {
          server.close();
        }
      },
      { skip },
    );

  test("given --listen 0.0.0.0, a start at a terminal warns that others can use the proxy", () =>
    withFolder(async (folder) => {
      const words = ["start", "--background", "--port", "0", "--listen", "0.0.0.0", "--data-dir", folder];
      const run = promisify(execFile);
      const { stdout } = await run(process.execPath, [WEIR, ...words, "--allow-private-targets"]);
      await run(process.execPath, [WEIR, "stop", "--data-dir", folder]);
      assert.match(stdout, /Others on the network can send requests through this proxy.*--allow-private-targets/);
    }));

  test(
    "given the switch for the local network, opens only the proxy to it, and only while the switch is on",
    () =>
      withWeir(async ({ proxy, ui }, page) => {
        const uiPort = Number(new URL(ui).port);
        assert.is(await answerOf(lan, proxy.port, "/"), "ECONNREFUSED", "off by default");
        assert.is((await page.value({ view: "status" })).lan, null);
        await page.command({ type: "set-reach", lan: true });
        const status = await page.value({ view: "status" }, (now) => now.lan !== null);
        assert.equal([status.proxy.address, status.proxy.port], ["0.0.0.0", proxy.port]);
        assert.ok(status.notices.some(({ text }) => text.includes(`${status.lan}:${proxy.port}`)));
        assert.is(await answerOf(lan, proxy.port, "/"), "200", "the phone page");
        assert.is(await answerOf("127.0.0.1", proxy.port, "/"), "200");
        assert.is(await answerOf(lan, uiPort, "/index.html"), "ECONNREFUSED", "the UI's server stays on loopback");
        await page.command({ type: "set-reach", lan: false });
        await page.value({ view: "status" }, (now) => now.lan === null && now.proxy.address === "127.0.0.1");
        assert.is(await answerOf(lan, proxy.port, "/"), "ECONNREFUSED");
        assert.is(await answerOf("127.0.0.1", proxy.port, "/"), "200");
      }),
    { skip },
  );

  test(
    "given a request to the proxy's own port, serves the certificate's page and the echo, but neither the window nor the key",
    () =>
      withWeir(async ({ proxy }, page) => {
        await page.command({ type: "set-reach", lan: true });
        await page.value({ view: "status" }, (now) => now.lan !== null);
        const ask = (path: string, method?: string, headers?: object) =>
          answerOf(lan, proxy.port, path, method, headers);
        for (const path of ["/", "/weir-ca.pem", "/weir-ca.cer", "/anything/weir/curl"])
          assert.is(await ask(path), "200", path);
        for (const path of NOT_THERE) assert.is(await ask(path), "404", path);
        assert.is(await ask("/", "POST"), "405");
        const upgrade = {
          Connection: "Upgrade",
          Upgrade: "websocket",
          "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        };
        assert.is(await ask("/channel", "GET", { ...upgrade, "Sec-WebSocket-Version": "13" }), "404");
        // Private addresses reached indirectly, through the proxy itself.
        for (const host of ["127.0.0.1", "192.168.1.1", "169.254.169.254"])
          assert.is(await ask(`http://${host}:1/`), "403", host);
      }),
    { skip },
  );

  test(
    "given a client from the local network, disconnects it when the switch is turned off",
    () =>
      withWeir(async ({ proxy }, page) => {
        await page.command({ type: "set-reach", lan: true });
        await page.value({ view: "status" }, (now) => now.lan !== null);
        const client = connect({ host: lan, port: proxy.port });
        await once(client, "connect");
        const closed = once(client, "close");
        client.on("error", () => {});
        client.resume();
        await page.command({ type: "set-reach", lan: false });
        await closed;
      }),
    { skip },
  );
});
