import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { http2Server } from "../../support/http2-server.ts";
import { withProxy } from "../../support/test-proxy.ts";

const RESOURCES = 300;

const PAGE = `<!doctype html><title>page</title><script>
window.sizes = Promise.all(Array.from({ length: ${RESOURCES} }, async (_, index) =>
  (await (await fetch("/resource/" + index)).text()).length));
window.protocols = window.sizes.then(() =>
  [...new Set(performance.getEntriesByType("resource").map((entry) => entry.nextHopProtocol))]);
</script>`;

describe("a page of 300 resources in Chromium", (test) => {
  test(
    "given 300 resources over HTTP/2, uses one connection on each side and marks every row as h2 and reused",
    () =>
      withProxy({}, async (proxy) => {
        const server = await http2Server(proxy, (stream, headers) => {
          const index = /^\/resource\/(\d+)$/.exec(headers[":path"] ?? "")?.[1];
          stream.respond({ ":status": 200, "content-type": "text/html" });
          stream.end(index === undefined ? PAGE : "x".repeat(Number(index)));
        });
        await withBrowser(async (browser) => {
          const address = `https://page.test:${server.port}/`;
          const { page } = await openedPage(browser, address, { ignoreHTTPSErrors: true });
          const sizes = await page.evaluate(() => (window as unknown as { sizes: Promise<number[]> }).sizes);
          assert.equal(
            sizes,
            Array.from({ length: RESOURCES }, (_, index) => index),
          );
          const spoken = await page.evaluate(() => (window as unknown as { protocols: Promise<string[]> }).protocols);
          assert.equal(spoken, ["h2"]);
        }, `--proxy-server=http://127.0.0.1:${proxy.port}`);
        const rows = proxy.traffic.rows.filter(({ started }) => started.target.startsWith("/resource/"));
        assert.is(rows.length, RESOURCES);
        for (const { started, ended } of rows) {
          assert.is(started.protocol, "h2");
          assert.equal(ended.outcome, { kind: "responded", status: 200 });
          assert.is(ended.reused, true);
          assert.is(ended.instants.connectStart, null);
        }
        assert.is(server.sessions.length, 1);
        await server.stop();
      }),
    { skip: needsChromium() },
  );
});

describe("page with a blank before its policy, in Chromium over HTTP/2", (test) => {
  test(
    "given a policy that forbids scripts, does not run the page's script",
    () =>
      withProxy({}, async (proxy) => {
        const server = await http2Server(
          proxy,
          (stream) => {
            stream.respond([
              ":status",
              "200",
              "content-type",
              "text/html",
              "content-security-policy",
              " script-src 'none'",
            ]);
            stream.end("<!doctype html><title>still</title><script>document.title = 'ran'</script>");
          },
          { strictFieldWhitespaceValidation: false },
        );
        await withBrowser(async (browser) => {
          const { page } = await openedPage(browser, `https://page.test:${server.port}/`, { ignoreHTTPSErrors: true });
          assert.is(await page.title(), "still");
        }, `--proxy-server=http://127.0.0.1:${proxy.port}`);
        await server.stop();
      }),
    { skip: needsChromium() },
  );
});
