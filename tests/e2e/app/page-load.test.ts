import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import * as assert from "uvu/assert";
import type { TrafficRecord } from "../../../src/engine/messages/traffic-messages.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { servedBy, testAuthority } from "../../support/test-authority.ts";

const RESOURCES = 100;

/** Bytes that no coding can shrink, from none to half a megabyte. */
const bodies = Array.from({ length: RESOURCES }, (_, index) =>
  randomBytes(Math.floor((index / RESOURCES) ** 3 * 512 * 1024)),
);

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A page that fetches all resources and reports the digest of each as it received it. */
const PAGE = `<!doctype html><title>page</title><script>
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const one = async (index) => hex(await crypto.subtle.digest("SHA-256", await (await fetch("/resource/" + index)).arrayBuffer()));
window.digests = Promise.all(Array.from({ length: ${RESOURCES} }, (_, index) => one(index)));
</script>`;

function site() {
  return createServer((request, response) => {
    const index = Number(/^\/resource\/(\d+)$/.exec(request.url ?? "")?.[1] ?? Number.NaN);
    const body = bodies[index];
    if (body === undefined) response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
    else response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(body);
  });
}

describe("page of 100 resources in Chromium", (test) => {
  test(
    "given 100 resources over https, delivers all unchanged and has a row with body and phases for each",
    async () => {
      const authority = testAuthority();
      const http = site();
      const server = createTlsServer({ ...servedBy(authority), ALPNProtocols: ["http/1.1"] }, (socket) =>
        http.emit("connection", socket),
      );
      const sockets = new Set<{ destroy(): void }>();
      server.on("connection", (socket) => sockets.add(socket));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      await withFolder(async (folder) => {
        const upstreamCa = join(folder, "ca.pem");
        await writeFile(upstreamCa, authority.pem);
        const weir = await runningWeir(["--host-override", `page.test=127.0.0.1:${port}`, "--upstream-ca", upstreamCa]);
        try {
          const proxy = `http://127.0.0.1:${weir.proxy.port}`;
          await withBrowser(async (browser) => {
            // The tests must not change Chromium's own store, so this browser accepts the test's certificate
            // unverified.
            const { page } = await openedPage(browser, "https://page.test/", { ignoreHTTPSErrors: true });
            const seen = await page.evaluate(() => (window as unknown as { digests: Promise<string[]> }).digests);
            assert.equal(seen, bodies.map(digest), "bodies as the page saw them");
          }, `--proxy-server=${proxy}`);
          const client = await PageClient.open(weir);
          const wanted = { view: "traffic", filter: "/resource/", range: { from: 0, count: 500 } } as const;
          const sort = { column: "id", descending: false } as const;
          await client.value({ view: "summary" }, ({ inFlight }) => inFlight === 0);
          const rows = await client.list({ ...wanted, sort });
          assert.is(new Set(rows.map(({ target }) => target)).size, RESOURCES, "rows");
          for (const row of rows) await checkRow(client, row);
          client.close();
        } finally {
          await weir.stop();
        }
      });
      for (const socket of sockets) socket.destroy();
      server.close();
    },
    { skip: needsChromium() },
  );
});

async function checkRow(client: PageClient, row: TrafficRecord): Promise<void> {
  const body = bodies[Number(row.target.split("/").at(-1))] ?? Buffer.alloc(0);
  assert.is(row.status, 200);
  assert.is(row.encodedBodySize, body.length, row.target);
  const phases = row.spans.map(({ phase }) => phase);
  assert.ok(phases.includes("ttfb") && phases.includes("transfer"), `${row.target}: ${phases}`);
  assert.is(phases.includes("connect"), phases.includes("tls"), "TCP and TLS come together");
  const kept: Buffer[] = [];
  for (let from = 0; from < body.length; ) {
    const command = {
      type: "read-body",
      exchange: row.id,
      side: "response",
      form: "wire",
      from,
      count: 256 * 1024,
    } as const;
    const piece = Buffer.from(((await client.command(command)) as { base64: string }).base64, "base64");
    if (piece.length === 0) break;
    kept.push(piece);
    from += piece.length;
  }
  assert.is(digest(Buffer.concat(kept)), digest(body), `kept body of ${row.target}`);
}
