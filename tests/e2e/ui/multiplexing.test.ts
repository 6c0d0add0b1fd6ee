import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { ClientHttp2Session, ServerHttp2Stream } from "node:http2";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ask, http2Client } from "../../support/http2-peer.ts";
import { http2Server } from "../../support/http2-server.ts";
import { go, row } from "../../support/insight-stage.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { testAuthority } from "../../support/test-authority.ts";

/** Requests that run in parallel, because the server responds only once it has all of them. */
const TOGETHER = 6;
const ORIGIN = "https://shop.test";

interface Stage {
  readonly page: Page;
  readonly weir: RunningWeir;
  /** Sends this many requests at once over one HTTP/2 connection. */
  together(): Promise<void>;
  /** Opens an HTTP/2 connection of a client; it ends with Weir. */
  connected(): Promise<ClientHttp2Session>;
  /** Sends requests in sequence, as an HTTP/1.1 client. */
  inTurn(count: number): Promise<void>;
}

/** Runs Weir with its window open, and a server that speaks HTTP/2. */
async function onStage(act: (stage: Stage) => Promise<void>): Promise<void> {
  const servers = testAuthority();
  const held: ServerHttp2Stream[] = [];
  const server = await http2Server({ servers }, (stream, headers) => {
    held.push(stream);
    if (headers[":path"]?.includes("together") === true && held.length < TOGETHER) return;
    for (const each of held.splice(0)) {
      each.respond({ ":status": 200 });
      each.end("{}");
    }
  });
  try {
    await withFolder(async (folder) => {
      const upstreamCa = join(folder, "ca.pem");
      await writeFile(upstreamCa, servers.pem);
      const weir = await runningWeir([
        ...["--host-override", `shop.test=127.0.0.1:${server.port}`],
        ...["--upstream-ca", upstreamCa],
      ]);
      const proxy = { port: weir.proxy.port, clientCa: readFileSync(weir.ca, "utf8") };
      try {
        const together = async (): Promise<void> => {
          const session = await http2Client(proxy, ORIGIN);
          await Promise.all(
            Array.from({ length: TOGETHER }, (_, index) => ask(session, { ":path": `/cart?together=${index}` })),
          );
          session.destroy();
        };
        const inTurn = async (count: number): Promise<void> => {
          const client = new ProxiedClient({ port: proxy.port, ca: proxy.clientCa }, ORIGIN);
          for (let done = 0; done < count; done += 1) await client.ask("GET", `/cart?${done}`);
        };
        await withBrowser(async (browser) => {
          const { page, troubles } = await openedPage(browser, weir.ui);
          await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
          await act({ page, weir, together, inTurn, connected: () => http2Client(proxy, ORIGIN) });
          assert.equal(troubles, []);
        });
      } finally {
        await weir.stop();
      }
    });
  } finally {
    await server.stop();
  }
}

describe("streams of one connection in the window", (test) => {
  const skip = needsChromium();

  test(
    "given streams of one connection, Timeline marks their rows, and Timing names stream, opener and wait",
    () =>
      onStage(async ({ page, together }) => {
        await together();
        await go(page, "Timeline");
        const rows = row(page, "/cart");
        await rows.nth(TOGETHER - 1).waitFor();
        const titles = await rows.evaluateAll((all) => all.map((each) => each.getAttribute("title") ?? ""));
        for (const title of titles) assert.match(title, /^connection 1 · stream \d+$/m);
        const streams = titles.map((title) => /^connection 1 · stream (\d+)/m.exec(title)?.[1]);
        assert.is(new Set(streams).size, TOGETHER);
        assert.is(titles.filter((title) => /^waited \d/m.test(title)).length, TOGETHER - 1);

        assert.is(await page.locator(".timeline-row.is-joined").count(), 0);
        await rows.nth(2).hover();
        const carrier = page.locator(".timeline-connection", { hasText: /^connection 1 · stream \d+$/ });
        await carrier.waitFor();
        await page.setViewportSize({ width: 900, height: 600 });
        await rows.nth(2).hover();
        await carrier.waitFor();
        const summary = page.locator(".timeline-summary");
        for (const each of [carrier, summary])
          assert.ok(await each.evaluate((head) => head.scrollWidth <= head.clientWidth), "it is read whole");
        const [count, label] = [await summary.boundingBox(), await carrier.boundingBox()];
        assert.ok(count !== null && label !== null && count.x + count.width <= label.x, "the count is not covered");
        assert.is(await page.locator(".timeline-row.is-joined").count(), TOGETHER);
        assert.match((await page.locator(".timeline-wait").last().getAttribute("d")) ?? "", /^M/);

        await rows.nth(TOGETHER - 1).click();
        await page.getByRole("tab", { name: "Timing", exact: true }).click();
        const timing = page.getByRole("region", { name: "Compared with its endpoint" });
        const told = new RegExp(
          `^Stream \\d+ of connection 1 \\(HTTP/2\\), shared with up to ${TOGETHER - 1} other exchanges at once; ` +
            "opened by GET /cart\\?together=0\\. The connection was reused, so DNS, Connect and TLS are not counted\\.$",
        );
        await timing.getByText(told).waitFor();
        await timing.getByText(/^Client side: stream \d+ of connection 1 \(HTTP\/2\), shared with up to 5/).waitFor();
        await timing
          .getByText(/^The request waited \d+\.\d ms for a connection that another exchange was opening\.$/)
          .waitFor();
        const chart = page.getByRole("region", { name: "Timing of this exchange" });
        await chart.getByText("Waiting", { exact: true }).waitFor();
        await chart.getByText("done for another exchange").first().waitFor();
        assert.equal(await accessibilityFindings(page), []);
      }),
    { skip },
  );

  test(
    "given a filter by connection or protocol, lists exactly the matching exchanges",
    () =>
      onStage(async ({ page, together, inTurn }) => {
        await together();
        await inTurn(2);
        const rows = row(page, "/cart");
        await rows.nth(TOGETHER + 1).waitFor();
        const box = page.getByRole("combobox", { name: "Filter" });
        const filtered = async (filter: string, count: number): Promise<void> => {
          await box.fill(`${filter} `);
          await rows.nth(count).waitFor({ state: "detached" });
          if (count > 0) await rows.nth(count - 1).waitFor();
          await page.getByRole("button", { name: `Remove ${filter}` }).click();
          await rows.nth(TOGETHER + 1).waitFor();
        };
        await filtered("protocol:h2", TOGETHER);
        await filtered("protocol:http/1.1", 2);
        await filtered("connection:1", TOGETHER + 2);
        await filtered("connection:2", 0);
        await box.fill("conn");
        await page.getByRole("option", { name: /^connection:/ }).waitFor();
      }),
    { skip },
  );

  test(
    "given connections older than the session, TLS has the facts of both sides",
    () =>
      onStage(async ({ page, connected }) => {
        const client = await connected();
        await ask(client, { ":path": "/cart?first" });
        await row(page, "/cart?first").waitFor();
        await page.getByRole("button", { name: "New session" }).click();
        await row(page, "/cart?first").waitFor({ state: "detached" });
        await ask(client, { ":path": "/cart?second" });
        await row(page, "/cart?second").click();
        const overview = page.getByRole("tabpanel");
        const agreed = "HTTP/2, TLSv1\\.3, TLS_\\w+, ALPN h2, stream \\d+ of connection 1";
        await overview.getByText(new RegExp(`^${agreed}$`)).waitFor();
        await overview.getByText(new RegExp(`^${agreed}, reused$`)).waitFor();
        await page.getByRole("tab", { name: "TLS", exact: true }).click();
        const facts = page.getByRole("region", { name: "TLS facts" });
        for (const side of ["Connection from the client", "Connection to the server"]) {
          const group = facts.locator("section, div").filter({ has: page.getByRole("heading", { name: side }) });
          assert.match((await group.last().textContent()) ?? "", /Version\s*TLSv1\.3\s*Cipher\s*TLS_\w+\s*ALPN\s*h2/);
        }
        assert.is(await facts.locator(".note").isVisible(), false);
        assert.equal(await accessibilityFindings(page), []);
        client.destroy();
      }),
    { skip },
  );

  test(
    "given one session over HTTP/1.1 and one over HTTP/2, compares each endpoint and names both protocols",
    () =>
      onStage(async ({ page, together, inTurn }) => {
        await inTurn(5);
        await row(page, "/cart").nth(4).waitFor();
        await page.getByRole("button", { name: "New session" }).click();
        await row(page, "/cart").first().waitFor({ state: "detached" });
        await together();
        await row(page, "/cart")
          .nth(TOGETHER - 1)
          .waitFor();
        await go(page, "Sessions");
        await page.getByLabel(/^Compare (?!Current)[^ ]+, /).check();
        await page.getByLabel("Compare Current session").check();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        const compared = page.getByRole("grid", { name: "Endpoints of the two sessions" });
        await compared.getByText("HTTP/1.1 → HTTP/2", { exact: true }).waitFor();
        assert.is(await compared.getByRole("row").filter({ hasText: "/cart" }).count(), 1);
        assert.equal(await accessibilityFindings(page), []);
      }),
    { skip },
  );
});
