import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { SHOWN_TEXT } from "../../support/hand.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { needsWebKit, type WebKitPage, withWebKit } from "../../support/webkit.ts";

/**
 * Weir shown in WebKitGTK, and a function that sends requests through it to a server that responds after `delay` ms.
 */
async function onStage(
  act: (page: WebKitPage, ask: (path: string, delay?: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    const delay = Number(new URL(request.url ?? "/", "http://server.test").searchParams.get("delay"));
    setTimeout(() => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end('{"order":{"id":17,"state":"pending"}}');
    }, delay);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`]);
  try {
    const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
    await withWebKit(weir.ui, (page) =>
      act(page, async (path, delay = 0) => {
        await client.ask("GET", `${path}?delay=${delay}`);
      }),
    );
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

const shows = (text: string): string => `return ${SHOWN_TEXT}.includes(${JSON.stringify(text)})`;

/** The number of fonts with which code is shown. */
const MONOSPACES = `const set = [...document.querySelectorAll('code, pre, .mono')].map((text) => getComputedStyle(text).fontFamily);
  return new Set(set).size`;

describe("window in WebKitGTK", (test) => {
  const skip = needsWebKit();

  test(
    "given requests, shows them live, and opens bodies, the latency table, slow requests and charts",
    () =>
      onStage(async (page, ask) => {
        await page.run(
          "window.troubles = []; addEventListener('error', (event) => troubles.push(event.message)); addEventListener('securitypolicyviolation', (event) => troubles.push(event.violatedDirective))",
        );
        await page.until(shows("Nothing in this session yet"));
        assert.is(await page.run(MONOSPACES), 1, "code is set in the one monospace of the window");
        for (let count = 0; count < 11; count += 1) await ask("/orders");
        await ask("/orders", 150);
        await page.until("return document.querySelectorAll('.traffic .list-row').length === 12");

        await page.click("//div[contains(@class, 'list-row')][1]");
        await page.click("//button[@role = 'tab'][. = 'Response']");
        await page.until(shows('"pending"'));
        // Keys and the caret reach the shadow root that contains the body.
        await page.run("document.querySelector('.body-text').shadowRoot.querySelector('.cm-content').focus()");
        await page.press("Enter");
        await page.until(shows("1 member"));
        await page.press("ArrowDown");
        await page.press("Enter");
        await page.until(shows('"pending"'));

        await page.click("//nav//button[@aria-label = 'Performance']");
        // The counts of Findings and Slow requests move the tabs behind them.
        await page.until(shows("Where the time went"));
        await page.click("//button[@role = 'tab'][contains(., 'Latency')]");
        await page.until(
          "const cells = document.querySelectorAll('.list-row [role=gridcell]'); return cells.length > 5 && cells[1].innerText.trim() === '12'",
        );
        await page.click("//button[@role = 'tab'][contains(., 'Slow requests')]");
        await page.click("//button[. = 'Every request']");
        await page.until(shows("over its p95"));
        await page.click("//div[contains(@class, 'list-row')][1]");
        await page.click("//button[@role = 'tab'][contains(., 'Latency')]");
        await page.click("//div[contains(@class, 'list-row')][1]");
        await page.until("return document.querySelector('canvas') !== null");
        assert.equal(await page.run("return troubles"), []);
      }),
    { skip },
  );

  test(
    "given a click on More, opens the menu, and Send again repeats the request",
    () =>
      onStage(async (page, ask) => {
        await ask("/orders");
        await page.click("//div[contains(@class, 'list-row')][1]");
        // Once its facts are shown, the panel's layout no longer moves under the click.
        await page.until(shows("application/json"));
        const more = "//button[@aria-label = 'More']";
        const isOpen =
          "return document.querySelector('.menu:popover-open') !== null && document.activeElement?.role?.startsWith('menuitem') === true";
        await page.click(more);
        // On a busy machine two of about thirty clicks by this driver opened nothing; the cause is unknown.
        await page.until(isOpen).catch(() => page.click(more));
        await page.until(isOpen);
        await page.click("//button[@role = 'menuitem'][contains(., 'Send again')]");
        await page.until(shows("resent"));
      }),
    { skip },
  );
});
