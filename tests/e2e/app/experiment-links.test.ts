import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { clientOf } from "../../support/served-window.ts";

/**
 * How long the server takes; for /needs, so long that /timer begins meanwhile. The client asks for /timer this long
 * after it asked for /first.
 */
const SHORT = 5;
const LONG = 250;
const TIMER = 120;

interface ExportedLink {
  readonly from: number;
  readonly to: number;
  readonly basis: string;
}

/** The links from /first, as "/needs order", without duplicates. */
async function linksOf(weir: RunningWeir, holds: (links: readonly string[]) => boolean): Promise<readonly string[]> {
  const exchanges = JSON.parse(await weir.exported("--format", "json")) as readonly { id: number; url: string }[];
  const paths = new Map(exchanges.map(({ id, url }) => [id, new URL(url).pathname]));
  const linksIn = (text: string) => {
    const own = (JSON.parse(text) as readonly ExportedLink[]).filter(({ from }) => paths.get(from) === "/first");
    return [...new Set(own.map(({ to, basis }) => `${paths.get(to)} ${basis}`))].toSorted();
  };
  return linksIn(await weir.exportedOnce((text) => holds(linksIn(text)), "--format", "json", "--table", "links"));
}

describe("links found by an experiment", (test) => {
  test("given one request that needs the response that is held, and one on a timer, proves the first and withdraws the second", async () => {
    const server = createServer(({ url }, response) => {
      setTimeout(() => response.end("done"), url === "/needs" ? LONG : SHORT);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`]);
    const page = await PageClient.open(weir);
    const client = clientOf(weir, "server.test");
    const walk = async () => {
      const first = client.ask("GET", "/first");
      const timer = new Promise((resolve) => setTimeout(resolve, TIMER)).then(() => client.ask("GET", "/timer"));
      await first;
      await client.ask("GET", "/needs");
      await timer;
    };
    try {
      // The first request also sets up the connection, which would take it until the timer.
      await client.ask("GET", "/warm");
      for (let walks = 0; walks < 4; walks += 1) await walk();
      await page.value({ view: "summary" }, ({ counted }) => counted === 13);
      const both = await linksOf(weir, (links) => links.length === 2);
      assert.equal(both, ["/needs order", "/timer order"]);

      await page.command({
        type: "start-experiment",
        target: "GET /first",
        client: null,
        confirmed: false,
        levels: [0, 60, 150],
        units: 30,
      });
      const isOver = page.value({ view: "status" }, ({ experiment }) => experiment?.result != null);
      let isRunning = true;
      void isOver.then(() => {
        isRunning = false;
      });
      while (isRunning) await walk();
      const { experiment } = await isOver;
      assert.is(experiment?.result?.verdict.kind, "on-path", experiment?.result?.text);
      assert.equal(await linksOf(weir, (links) => links.some((link) => link.endsWith("experiment"))), [
        "/needs experiment",
      ]);
    } finally {
      page.close();
      await weir.stop();
      server.closeAllConnections();
      server.close();
    }
  });
});
