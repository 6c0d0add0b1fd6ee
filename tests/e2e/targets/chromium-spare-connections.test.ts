import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { answering, ok } from "../../support/raw-server.ts";
import { keyHashOf } from "../../support/test-authority.ts";
import { withProxy } from "../../support/test-proxy.ts";

const HOSTS = ["a.test", "b.test", "c.test"];
const RESOURCES = 60;
const STARTS = 5;

/** A page with resources on all hosts. */
function pageAt(port: number): string {
  const images = Array.from({ length: RESOURCES }, (_, index) => {
    const host = HOSTS[index % HOSTS.length];
    return `<img alt="" src="https://${host}:${port}/resource/${index}">`;
  });
  return `<!doctype html><title>page</title>${images.join("")}`;
}

describe("five fresh starts of Chromium on a page of 60 resources on three hosts", (test) => {
  test(
    "given Chromium's spare connections, adds no row for a connection without a request",
    () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.tlsServer(
          answering((head) =>
            head.startsWith("GET / ") ? ok(pageAt(server.port), "Content-Type: text/html") : ok("x"),
          ),
        );
        for (let start = 0; start < STARTS; start += 1) {
          // Over HTTP/1.1, Chromium opens more connections.
          proxy.settings.http2 = start % 2 === 0;
          await withBrowser(
            async (browser) => {
              await openedPage(browser, `https://a.test:${server.port}/`);
            },
            `--proxy-server=http://127.0.0.1:${proxy.port}`,
            `--ignore-certificate-errors-spki-list=${keyHashOf(proxy.clientCa)}`,
          );
        }
        await proxy.listener.stop();
        const rows = proxy.traffic.rows.filter(({ started }) => started.target.startsWith("/resource/"));
        assert.is(rows.length, STARTS * RESOURCES);
        const about = proxy.traffic.rows.filter(
          ({ started }) => started.method === "CONNECT" && HOSTS.some((host) => started.target.startsWith(host)),
        );
        assert.equal(
          about.map(({ started, ended }) => [started.target, ended.tags, ended.outcome]),
          [],
        );
      }),
    { skip: needsChromium() },
  );
});
