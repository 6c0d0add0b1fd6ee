import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { unusedPort } from "../../support/reverse-port.ts";
import { builtApp, endingOf, type RunningWeir, runningWeir, startWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** Weir itself responds for this origin. */
const ORIGIN = "https://probe.weir.test";

async function withWeir(
  words: readonly string[],
  body: (weir: RunningWeir, page: PageClient) => Promise<void>,
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

/** The response's body, or the code of the refused connection. */
async function answerOf(port: number): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path: "/anything/weir/x", agent: false }, (response) => {
      let text = "";
      response.on("data", (piece: Buffer) => {
        text += piece;
      });
      response.on("end", () => resolve(text));
    });
    asked.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    asked.end();
  });
}

async function occupied(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

describe("reverse ports of the app", (test) => {
  test("given --reverse, forwards, tells it in the ready line, and records the origin", async () => {
    const entry = `${await unusedPort()}=${ORIGIN}`;
    await withWeir(["--reverse", entry], async (weir, page) => {
      assert.equal(weir.reverse, [entry]);
      assert.match(await answerOf(Number.parseInt(entry, 10)), `"url":"${ORIGIN}/anything/weir/x"`);
      assert.match(await weir.exportedOnce((text) => text.includes("/weir/x"), "--format", "csv"), ORIGIN);
      assert.equal((await page.value({ view: "hub" })).reversePorts, [entry]);
    });
  });

  test("given a line in Settings, opens the port at once, closes it without it, and with the proxy", () =>
    withWeir([], async (_, page) => {
      const port = await unusedPort();
      const set = (value: readonly string[]) => page.command({ type: "set-setting", key: "reversePorts", value });
      await set([`${port}=${ORIGIN}`]);
      await page.value({ view: "hub" }, (hub) => hub.reversePorts.length === 1);
      assert.match(await answerOf(port), ORIGIN);
      await page.command({ type: "stop-proxy" });
      await page.value({ view: "status" }, ({ proxy }) => !proxy.running);
      assert.is(await answerOf(port), "ECONNREFUSED");
      await page.command({ type: "start-proxy" });
      await page.value({ view: "status" }, ({ proxy }) => proxy.running);
      assert.match(await answerOf(port), ORIGIN);
      await set([]);
      await page.value({ view: "hub" }, (hub) => hub.reversePorts.length === 0);
      assert.is(await answerOf(port), "ECONNREFUSED");
    }));

  test("given a line in Settings whose port is taken, shows a notice until the line is gone", () =>
    withWeir([], async (_, page) => {
      const { server, port } = await occupied();
      const set = (value: readonly string[]) => page.command({ type: "set-setting", key: "reversePorts", value });
      const text = `Reverse port ${port} to ${ORIGIN} is not open: the port is taken.`;
      await set([`${port}=${ORIGIN}`]);
      await page.value({ view: "status" }, ({ notices }) => notices.some((notice) => notice.text === text));
      await set([]);
      await page.value({ view: "status" }, ({ notices }) => !notices.some((notice) => notice.text === text));
      server.close();
    }));

  test("given --reverse with a port that is taken, ends with exit code 3 and one sentence", () =>
    withFolder(async (folder) => {
      await builtApp();
      const { server, port } = await occupied();
      const words = ["--port", "0", "--data-dir", folder, "--reverse", `${port}=${ORIGIN}`];
      const { code, complaint } = await endingOf(startWeir(words));
      server.close();
      assert.is(code, 3);
      assert.is(
        complaint,
        `Reverse port ${port} to ${ORIGIN} is not open: the port is taken. Name another port with --reverse.\n`,
      );
    }));

  test("given --reverse in another form, ends with exit code 2 and one sentence", async () => {
    await builtApp();
    const { code, complaint } = await endingOf(startWeir(["--reverse", "9001=api.example.com"]));
    assert.is(code, 2);
    assert.is(
      complaint,
      '--reverse: "9001=api.example.com" does not have the form port=origin, such as 9001=https://api.example.com.\n',
    );
  });

  test("given --reverse for a port of the settings, the command line's origin counts", () =>
    withFolder(async (folder) => {
      const [first, second] = [`http://weir.test`, ORIGIN];
      const port = await unusedPort();
      const before = await runningWeir([], folder);
      const page = await PageClient.open(before);
      await page.command({ type: "set-setting", key: "reversePorts", value: [`${port}=${first}`] });
      await page.value({ view: "hub" }, (hub) => hub.reversePorts.length === 1);
      page.close();
      await before.stop();
      const weir = await runningWeir(["--reverse", `${port}=${second}`], folder);
      assert.equal(weir.reverse, [`${port}=${second}`]);
      assert.match(await answerOf(port), ORIGIN);
      await weir.stop();
    }));
});
