import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { withinLoopTime } from "../../support/loop-time.ts";
import { type NativeWeir, nativeWeir, needsFake, needsShell } from "../../support/native-weir.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const skip = needsFake ?? needsShell;
const TRAFFIC = { view: "traffic", filter: "", sort: { column: "id", descending: false } } as const;

/** The largest number of rows in one message. */
const MOST_ROWS = 500;

/** Runs Weir in the fake's window, with a client of its proxy and a server that responds to every path. */
async function withTraffic(body: (weir: NativeWeir, client: ProxiedClient) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => response.end(`you asked for ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await withFolder(async (folder) => {
    const words = ["--host-override", `server.test=127.0.0.1:${port}`];
    const weir = await nativeWeir({ dataDir: join(folder, "data"), words, faults: true });
    try {
      const { proxy } = await weir.ready;
      await body(weir, new ProxiedClient({ port: proxy.port, ca: "" }, "http://server.test"));
    } finally {
      await weir.end("SIGTERM");
      server.closeAllConnections();
      server.close();
    }
  });
}

describe("native window messages", (test) => {
  test(
    "given a page that opens before the extension connects, welcomes it and executes its commands",
    () =>
      withFolder(async (folder) => {
        const weir = await nativeWeir({ dataDir: join(folder, "data") });
        const page = await weir.page();
        await page.heard("welcome");
        const status = await page.value({ view: "status" });
        assert.is(status.host, "native");
        await page.command({ type: "set-recording", on: false });
        await page.value({ view: "status" }, ({ recording }) => !recording);
        await weir.end("SIGTERM");
        page.close();
      }),
    { skip },
  );

  test(
    "given a reloaded page, sends it all rows from before and after",
    () =>
      withTraffic(async (weir, client) => {
        const first = await weir.page();
        await first.heard("welcome");
        await client.ask("GET", "/one");
        await first.value({ view: "summary" }, ({ counted }) => counted === 1);
        first.close();
        const second = await weir.page();
        await second.heard("welcome");
        await client.ask("GET", "/two");
        await second.value({ view: "summary" }, ({ counted }) => counted === 2);
        const rows = await second.list({ ...TRAFFIC, range: { from: 0, count: 10 } });
        assert.equal(
          rows.map(({ target }) => target),
          ["/one", "/two"],
        );
        second.close();
      }),
    { skip },
  );

  test(
    "given a listening proxy, the window's title contains its address",
    () =>
      withTraffic(async (weir) => {
        const { proxy } = await weir.ready;
        const page = await weir.page();
        await page.heard("welcome");
        // The first title of all may come before the proxy listens.
        const title = () => (weir.calls("window.setTitle").at(-1) as { readonly title: string } | undefined)?.title;
        while ((title() ?? "Weir") === "Weir") await page.value({ view: "status" });
        assert.is(title(), `Weir on 127.0.0.1:${proxy.port}`);
        page.close();
      }),
    { skip },
  );

  test(
    "given an engine that fails, restarts within 2 s and neither loses nor doubles a row",
    () =>
      withTraffic(async (weir, client) => {
        const page = await weir.page();
        await page.heard("welcome");
        await client.ask("GET", "/before");
        await page.value({ view: "summary" }, ({ counted }) => counted === 1);
        let requests = 1;
        let isOver = false;
        const load = (async () => {
          while (!isOver && requests < MOST_ROWS) {
            await client.ask("POST", `/during?${requests}`, Buffer.from(`number ${requests}`));
            requests += 1;
          }
        })();
        await weir.fail();
        const again = page.heard("welcome").then(() => page.value({ view: "summary" }, ({ counted }) => counted > 0));
        await withinLoopTime(2_000, again);
        isOver = true;
        await load;
        await page.value({ view: "summary" }, ({ counted }) => counted >= requests);
        const rows = await page.list({ ...TRAFFIC, range: { from: 0, count: MOST_ROWS } });
        assert.equal(
          rows.map(({ target }) => target),
          ["/before", ...Array.from({ length: requests - 1 }, (_, index) => `/during?${index + 1}`)],
        );
        page.close();
      }),
    { skip },
  );
});
