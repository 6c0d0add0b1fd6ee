import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";

/** Values that client and server exchange and that must appear nowhere else. */
const CANARIES = ["canary-cookie", "canary-set-cookie", "canary-token", "canary-key", "canary-proxy"] as const;

/** The files of the recording, which may contain captured secrets. */
const RECORDINGS = /\/sessions\//;

/** Runs Weir, sends one exchange full of secrets, and calls `body` with everything that the process printed. */
async function withSecrets(body: (weir: RunningWeir, said: () => string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.setHeader("Set-Cookie", "id=canary-set-cookie").end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await withFolder(async (folder) => {
    const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`], join(folder, "data"));
    let said = JSON.stringify(weir.proxy);
    weir.process.stdout?.on("data", (chunk) => {
      said += chunk;
    });
    weir.process.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    try {
      const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
      await client.ask("GET", "/path", null, {
        Cookie: "id=canary-cookie",
        Authorization: "Bearer canary-token",
        "X-Api-Key": "canary-key",
        "Proxy-Authorization": "Basic canary-proxy",
      });
      // One exchange that fails, so that it is logged.
      await new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://nowhere.invalid")
        .ask("GET", "/?token=canary-token", null, { Cookie: "id=canary-cookie" })
        .catch(() => null);
      const page = await PageClient.open(weir);
      await page.value({ view: "summary" }, ({ exchanges, inFlight }) => exchanges === 2 && inFlight === 0);
      page.close();
      await weir.exportedOnce((text) => (JSON.parse(text) as readonly unknown[]).length === 2, "--format", "json");
      await body(weir, () => said);
    } finally {
      await weir.stop();
      server.closeAllConnections();
      server.close();
    }
  });
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The canaries that a text contains. */
function foundIn(text: string): readonly string[] {
  return CANARIES.filter((canary) => text.includes(canary));
}

describe("secrets in files and output", (test) => {
  test("given captured secrets, only the recording's files contain them, not the program's output", () =>
    withSecrets(async (weir, said) => {
      for (const file of filesIn(weir.dataDir)) {
        if (!RECORDINGS.test(file)) assert.equal(foundIn(readFileSync(file, "latin1")), [], file);
      }
      assert.equal(foundIn(said()), []);
    }));

  test("given captured secrets, an export contains none of them, unless --no-redact asks for them", () =>
    withSecrets(async (weir) => {
      const redacted = await weir.exported("--format", "har", "--filter", "status:200");
      assert.match(redacted, '"http://server.test/path"');
      assert.equal(foundIn(redacted), []);
      const whole = await weir.exported("--format", "har", "--filter", "status:200", "--no-redact");
      assert.equal(foundIn(whole), [...CANARIES]);
    }));

  test("given the root's private key, only the key's file has it: no export, message or output", () =>
    withSecrets(async (weir, said) => {
      const holders = filesIn(weir.dataDir).filter((file) => readFileSync(file, "latin1").includes("PRIVATE KEY"));
      assert.is(holders.length, 1, holders.join());
      const [key = ""] = /-----BEGIN[\s\S]*?-----END/.exec(readFileSync(holders[0] ?? "", "latin1")) ?? [];
      const middle = key.split("\n")[2] ?? "";
      assert.ok(middle.length > 40);
      const page = await PageClient.open(weir);
      const told = [await page.value({ view: "status" }), await page.value({ view: "hub" })];
      page.close();
      const texts = [JSON.stringify(told), said(), await weir.exported("--format", "har", "--no-redact")];
      for (const text of texts) assert.not.match(text, middle);
      const others = filesIn(weir.dataDir).filter((file) => file !== holders[0]);
      for (const file of others) assert.not.match(readFileSync(file, "latin1"), middle);
    }));

  test(
    "given any umask, only the user can read the data folder and its files, except the certificates",
    () =>
      withSecrets(async (weir) => {
        assert.is(statSync(weir.dataDir).mode & 0o777, 0o700);
        const open = filesIn(weir.dataDir).filter((file) => (statSync(file).mode & 0o077) !== 0);
        assert.equal(
          open.filter((file) => !/weir-ca(-bundle)?\.(pem|cer)$/.test(file)),
          [],
        );
      }),
    { skip: process.platform === "win32" ? "modes mean nothing on Windows" : null },
  );
});
