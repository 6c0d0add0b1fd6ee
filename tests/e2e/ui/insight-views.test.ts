import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";

interface Stage {
  readonly page: Page;
  /** Sends a request through the proxy to the shop. */
  ask(path: string): Promise<string>;
}

const TOKEN = "tok_4f9a1c77e2b84d05";
/** security.md S8: text that would do something if it were taken for markup. */
const HOSTILE = "<img src=x onerror=alert(1)>";

/** A shop: a login that gives a token, text that could be compressed, text that is, a list that is large once. */
function shop(): Server {
  let lists = 0;
  return createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const json = { "Content-Type": "application/json" };
    if (path === "/login") response.writeHead(200, json).end(JSON.stringify({ token: TOKEN }));
    else if (path === "/text")
      response.writeHead(200, { "Content-Type": "text/plain" }).end("the same again\n".repeat(400));
    else if (path === "/packed") {
      response
        .writeHead(200, { ...json, "Content-Encoding": "gzip" })
        .end(gzipSync(JSON.stringify("y".repeat(20_000))));
    } else if (path === "/list") {
      lists += 1;
      response.writeHead(200, json).end(JSON.stringify("x".repeat(lists === 6 ? 60_000 : 100)));
    } else response.writeHead(path === "/missing" ? 404 : 200, json).end("{}");
  });
}

async function onStage(act: (stage: Stage) => Promise<void>, dark = false): Promise<void> {
  const server = shop();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir(["--host-override", `shop.test=127.0.0.1:${(server.address() as AddressInfo).port}`]);
  try {
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.ui, { colorScheme: dark ? "dark" : "light" });
      const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://shop.test");
      const ask = async (path: string) => (await client.ask("GET", path)).body.toString();
      await page.getByRole("heading", { name: "Nothing captured yet" }).waitFor();
      await act({ page, ask });
      assert.equal(troubles, []);
    });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const go = (page: Page, view: string) => page.getByRole("button", { name: view, exact: true }).click();
const openTab = async (page: Page, name: string) => {
  await go(page, "Performance");
  await page.getByRole("tab", { name, exact: true }).click();
};
const notice = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text });

async function times(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await run();
}

/** Five requests of one endpoint, then a new session: one that trends may compare with. */
async function completeSession({ page, ask }: Stage): Promise<void> {
  await times(5, () => ask("/orders"));
  await go(page, "Traffic");
  await row(page, "/orders").nth(4).waitFor();
  await page.getByRole("button", { name: "New session" }).click();
  await row(page, "/orders").first().waitFor({ state: "detached" });
}

/** A login whose token the next request carries. */
async function sendChain({ ask }: Stage): Promise<void> {
  const { token } = JSON.parse(await ask("/login"));
  await ask(`/account?token=${token}`);
}

/** A HAR of two exchanges. */
function har(): Buffer {
  const entry = (path: string) => ({
    startedDateTime: "2026-03-01T10:00:00.000Z",
    time: 120,
    request: {
      method: "GET",
      url: `https://kept.test${path}`,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [],
      content: { size: 2, mimeType: "application/json", text: "{}" },
      redirectURL: "",
      headersSize: -1,
      bodySize: 2,
    },
    cache: {},
    timings: { send: 0, wait: 100, receive: 20 },
  });
  const log = {
    version: "1.2",
    creator: { name: "test", version: "1" },
    entries: [entry("/from-har"), entry("/second")],
  };
  return Buffer.from(JSON.stringify({ log }));
}

describe("insight views", (test) => {
  const skip = needsChromium();

  test(
    "Chains shows what proves a link, and the timeline shows the chain",
    () =>
      onStage(async (stage) => {
        const { page } = stage;
        await sendChain(stage);
        await openTab(page, "Chains");
        await page.getByRole("button", { name: "GET /login, GET /account" }).click();
        const chain = page.getByRole("region", { name: "Chain", exact: true });
        await chain.getByText("proven: uses a value of its response body").waitFor();
        await chain.getByText(TOKEN, { exact: true }).waitFor();
        await chain.getByRole("button", { name: "Show in Timeline" }).click();
        await row(page, "/login").first().waitFor();
        await row(page, "/account").first().waitFor();
      }),
    { skip },
  );

  test(
    "Timeline keeps in step with the inspector, zooms and moves by keyboard, and says reuse in words",
    () =>
      onStage(async ({ page, ask }) => {
        await times(3, () => ask("/orders"));
        await page.keyboard.press("3");
        const second = row(page, "/orders").nth(1);
        await second.waitFor();
        assert.match((await second.getAttribute("title")) ?? "", "connection reused, so no DNS, Connect and TLS");
        await second.click();
        await page.getByRole("region", { name: "Inspector" }).waitFor();
        await page.getByRole("grid", { name: "Exchanges by start" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: "Timing", exact: true, selected: true }).waitFor();
        await page.keyboard.press("1");
        await page.locator('[aria-selected="true"][role="row"]').waitFor();
        await page.keyboard.press("3");
        await page.getByText("3 of 3 in 5.2 s").waitFor();
        await page.getByRole("grid", { name: "Exchanges by start" }).focus();
        await page.keyboard.press("-");
        const from = page.getByRole("slider", { name: /^Start of what is shown/ });
        await from.focus();
        await page.keyboard.press("ArrowRight");
        await page.getByText("3 of 3 in 5.2 s").waitFor({ state: "detached" });
        const ttfb = page.getByRole("button", { name: "TTFB" });
        const drawn = () => page.locator(".timeline-ttfb").getAttribute("d");
        await page.getByRole("button", { name: "Fit session" }).first().click();
        await page.waitForFunction(() => document.querySelector(".timeline-ttfb")?.getAttribute("d") !== "");
        await ttfb.click();
        assert.is(await drawn(), "");
      }),
    { skip },
  );

  test(
    "trends wait for three sessions and say how far they are; then every endpoint has a word for its change",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await times(2, () => completeSession(stage));
        await times(5, () => ask("/orders"));
        await openTab(page, "Trends");
        await page.getByRole("heading", { name: "2 of 3 sessions recorded" }).waitFor();
        await page.getByRole("tab", { name: "Latency", exact: true }).click();
        await row(page, "/orders").getByText("2 of 3 sessions").waitFor();
        await completeSession(stage);
        await times(5, () => ask("/orders"));
        await openTab(page, "Trends");
        await row(page, "/orders")
          .getByText(/^(stable|slower|faster)$/)
          .waitFor();
        assert.match((await row(page, "/orders").getByRole("img").getAttribute("aria-label")) ?? "", /^3 sessions: /);
        await page.getByRole("button", { name: "Error rate" }).click();
        await row(page, "/orders").getByText("stable").waitFor();
      }),
    { skip, limit: 40_000 },
  );

  test(
    "a session can be named, opened, compared, left out of the baseline and deleted",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await completeSession(stage);
        await times(5, () => ask("/orders"));
        await page.keyboard.press("4");
        await page.getByRole("button", { name: /^Session of / }).click();
        await page.getByLabel("Name", { exact: true }).fill("Before the cache");
        await page.getByLabel("Name", { exact: true }).press("Enter");
        await page.getByRole("button", { name: "Before the cache", exact: true }).waitFor();
        await page.getByLabel("Compare with this session").click();
        await row(page, "Before the cache").getByText("left out").waitFor();

        await page.getByLabel("Compare Before the cache").check();
        await page.getByLabel("Compare Current session").check();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        await row(page, "/orders").getByText("→").first().waitFor();
        assert.match((await row(page, "/orders").getByRole("gridcell").nth(1).textContent()) ?? "", /5.*→.*5/);
        await page.locator(".sessions-back").click();

        await page.getByRole("button", { name: "Open Before the cache" }).click();
        await notice(page, "Showing Before the cache").waitFor();
        await row(page, "/orders").nth(4).waitFor();
        await page.getByRole("button", { name: "Back to the recording" }).click();
        await notice(page, "Showing Before the cache").waitFor({ state: "detached" });

        await go(page, "Sessions");
        await page.getByRole("button", { name: "Before the cache", exact: true }).click();
        await page.getByRole("button", { name: "Delete", exact: true }).click();
        await page.getByRole("button", { name: "Delete the session" }).click();
        await row(page, "Before the cache").waitFor({ state: "detached" });
      }),
    { skip, limit: 40_000 },
  );

  test(
    "a HAR file is imported as a session and shown",
    () =>
      onStage(async ({ page }) => {
        await page.keyboard.press("4");
        await page.getByRole("button", { name: "Import HAR" }).click();
        await page
          .getByLabel("Choose a file")
          .setInputFiles({ name: "kept.har", mimeType: "application/json", buffer: har() });
        await page.getByRole("button", { name: "Import", exact: true }).click();
        await row(page, "/from-har").waitFor();
        await notice(page, "Showing").waitFor();
      }),
    { skip },
  );

  test(
    "hostile text stays text in every insight view",
    () =>
      onStage(async ({ page, ask }) => {
        await times(5, () => ask(`/${encodeURIComponent(HOSTILE)}`));
        await ask(`/x?${HOSTILE.replaceAll(" ", "%20").replaceAll("<", "%3C")}`);
        await page.keyboard.press("3");
        await row(page, "onerror").first().waitFor();
        for (const name of ["Payload", "Chains", "Trends"]) await openTab(page, name);
        assert.is(await page.locator("img[src=x]").count(), 0);
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `axe finds nothing, ${dark ? "dark" : "light"}`,
      () =>
        onStage(async (stage) => {
          const { page, ask } = stage;
          const clean = async (name: string) => assert.equal(await accessibilityFindings(page), [], name);
          await page.keyboard.press("3");
          await clean("Timeline, empty");
          await page.keyboard.press("4");
          await clean("Sessions, empty");
          await openTab(page, "Trends");
          await clean("Trends, empty");
          await times(3, () => completeSession(stage));
          await times(5, () => ask("/orders"));
          await times(5, () => ask("/text"));
          await ask("/missing");
          await sendChain(stage);
          await page.keyboard.press("3");
          await row(page, "/account").first().waitFor();
          await clean("Timeline");
          await row(page, "/account").click();
          await page.getByRole("region", { name: "Inspector" }).waitFor();
          await clean("Timeline, inspector");
          await openTab(page, "Payload");
          await row(page, "/text").click();
          await page.getByRole("region", { name: "Payload of the endpoint" }).locator("canvas").first().waitFor();
          await clean("Payload");
          await openTab(page, "Chains");
          await page.getByRole("button", { name: /^GET / }).first().click();
          await page.getByRole("region", { name: "Chain", exact: true }).waitFor();
          await clean("Chains");
          await openTab(page, "Trends");
          await row(page, "/orders").waitFor();
          await clean("Trends");
          await page.getByRole("button", { name: "Group similar paths" }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
          await clean("Group similar paths");
          await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
          await page.keyboard.press("4");
          await page
            .getByRole("button", { name: /^Session of / })
            .first()
            .click();
          await clean("Sessions");
          await page.getByLabel("Compare Current session").check();
          await page
            .getByLabel(/^Compare Session of/)
            .first()
            .check();
          await page.getByRole("button", { name: "Compare", exact: true }).click();
          await row(page, "/orders").waitFor();
          await clean("Comparison");
        }, dark),
      { skip, limit: 90_000 },
    );
  }
});
