import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

/** The log of a Weir that was started with these arguments, after one request. */
async function logAfterRequest(words: readonly string[]): Promise<string> {
  const server = createServer((_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir(words);
  try {
    const { port } = server.address() as AddressInfo;
    await new ProxiedClient({ port: weir.proxy.port, ca: "" }, `http://127.0.0.1:${port}`).ask("GET", "/seen?hidden");
    return await readFile(join(weir.dataDir, "weir.log"), "utf8").catch(() => "");
  } finally {
    await weir.stop();
    server.close();
  }
}

describe("weir start --log-level", (test) => {
  test("given debug, weir.log has the steps of a request, without its query", async () => {
    const log = await logAfterRequest(["--log-level", "debug"]);
    assert.match(log, /^\S+Z c1 127\.0\.0\.1:\d+: accepted$/m);
    assert.match(log, /^\S+Z c1 127\.0\.0\.1:\d+: request GET http:\/\/127\.0\.0\.1:\d+\/seen$/m);
    assert.not.match(log, /hidden/);
  });

  test("given no level, weir.log has none of them", async () => {
    assert.not.match(await logAfterRequest([]), /accepted/);
  });
});
