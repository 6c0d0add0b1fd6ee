import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { chromiumHand, type Hand, keys, mouse, type Way } from "../../support/hand.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { needsWebKit, withWebKit } from "../../support/webkit.ts";

const TOKEN = "tok_4f9a1c77e2b84d05";

/** Six requests to one endpoint, the last slow; a login whose token is used; a missing resource. */
async function withTraffic(body: (weir: RunningWeir) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop.test");
    const text = pathname === "/login" ? JSON.stringify({ token: TOKEN }) : '{"state":"pending"}';
    setTimeout(
      () => response.writeHead(pathname === "/missing" ? 404 : 200, { "Content-Type": "application/json" }).end(text),
      Number(searchParams.get("delay")),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const words = ["--host-override", `shop.test=127.0.0.1:${(server.address() as AddressInfo).port}`];
  const weir = await runningWeir(words);
  try {
    const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://shop.test");
    const paths = ["/login", `/account?token=${TOKEN}`, "/missing", ...new Array(5).fill("/orders")];
    for (const path of [...paths, "/orders?delay=150"]) await client.ask("GET", path);
    await body(weir);
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

async function throughTheMainWindow(way: Way): Promise<void> {
  await way.open("/missing");
  await way.choose("Response");
  await way.sees('"pending"');
  await way.choose("Timing");
  await way.sees("TTFB");
  await way.use("Close the inspector");
  await way.use("Latency");
  await way.write("Filter", "missing");
  await way.sees("1 of 9");
  await way.use("Clear filter");
  await way.sawLast("1 of 9");
  await way.use("Pause recording");
  await way.use("Resume recording");
  await way.use("Stop proxy");
  await way.use("Start proxy");

  await way.goTo("Performance", "2");
  await way.choose("Latency");
  await way.open("/orders");
  await way.sees("p50 and p95 in each");
  await way.use("Close");
  await way.choose("Slow requests");
  await way.use("Every request");
  await way.open("over its p95");
  await way.sees("How this was measured");
  await way.use("Close the inspector");
  await way.choose("Payload");
  await way.open("/orders");
  await way.use("Close");
  await way.choose("Chains");
  await way.use("GET /login, GET /account");
  await way.use("Show in Timeline");
  await way.sees("Fit session");

  await way.goTo("Timeline", "3");
  await way.use("TTFB");
  await way.use("Fit session");
  await way.open("/account");
  await way.choose("Overview");
  await way.use("Close the inspector");

  await way.use("New session");
  await way.goTo("Sessions", "4");
  await way.use("Open Session of");
  await way.use("Back to the recording");

  await way.goTo("Settings", "5");
  await way.write("Fixed latency threshold", "0");
  await way.use("Stop the proxy here");
  await way.sees("from 1 to 600,000");
  await way.use("Start the proxy here");
  await way.use("Keyboard shortcuts");
  await way.sees("Find a command");
  await way.use("Close");
}

async function throughTheHub(way: Way): Promise<void> {
  await way.sees("Proxy running");
  await way.write("Filter targets", "curl");
  await way.open("Send one curl request");
  await way.choose("Snippets");
  await way.sees("--proxy");
  await way.choose("Validate");
  await way.use("Run Test");
  await way.sees("Waiting for the request");
  await way.use("Cancel the test");
  await way.sees("Test stopped");
}

const WAYS = { mouse, "keyboard alone": keys } as const;

const BROWSERS: readonly {
  readonly name: string;
  readonly skip: string | null;
  show(address: string, body: (hand: Hand) => Promise<void>): Promise<void>;
}[] = [
  {
    name: "Chromium",
    skip: needsChromium(),
    show: (address, body) =>
      withBrowser(async (browser) => body(chromiumHand((await openedPage(browser, address)).page))),
  },
  { name: "WebKitGTK", skip: needsWebKit(), show: withWebKit },
];

describe("every view by hand", (test) => {
  for (const { name, skip, show } of BROWSERS) {
    for (const [way, of] of Object.entries(WAYS)) {
      test(
        `${name}: the main window is used with the ${way}`,
        () => withTraffic((weir) => show(weir.ui, (hand) => throughTheMainWindow(of(hand)))),
        { skip, limit: 180_000 },
      );
      test(
        `${name}: the hub is used with the ${way}`,
        () => withTraffic((weir) => show(weir.hub, (hand) => throughTheHub(of(hand)))),
        { skip, limit: 120_000 },
      );
    }
  }
});
