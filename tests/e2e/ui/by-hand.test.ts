import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { chromiumHand, type Hand, type InputMode, keys, mouse } from "../../support/hand.ts";
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

async function throughTheMainWindow(input: InputMode): Promise<void> {
  await input.open("/missing");
  await input.choose("Response");
  await input.sees('"pending"');
  await input.choose("Timing");
  await input.sees("TTFB");
  await input.use("Close the inspector");
  await input.use("Latency");
  await input.write("Filter", "missing");
  await input.sees("1 of 9");
  await input.use("Clear filter");
  await input.sawLast("1 of 9");
  await input.use("Pause recording");
  await input.use("Resume recording");
  await input.use("Stop proxy");
  await input.use("Start proxy");

  await input.goTo("Performance", "2");
  await input.choose("Latency");
  await input.open("/orders");
  await input.sees("p50 and p95 in each");
  await input.use("Close");
  await input.choose("Slow requests");
  await input.use("Every request");
  await input.open("over its p95");
  await input.sees("How this was measured");
  await input.use("Close the inspector");
  await input.choose("Payload");
  await input.open("/orders");
  await input.use("Close");
  await input.choose("Chains");
  await input.use("GET /login, GET /account");
  await input.use("Show in Timeline");
  await input.sees("Fit session");

  await input.goTo("Timeline", "3");
  await input.use("TTFB");
  await input.use("Fit session");
  await input.open("/account");
  await input.choose("Overview");
  await input.use("Close the inspector");

  await input.use("New session");
  await input.goTo("Sessions", "4");
  await input.use("Open shop.test");
  await input.use("Back to the recording");

  await input.goTo("Settings", "5");
  await input.write("Slow requests: also over", "0");
  await input.use("Stop the proxy here");
  await input.sees("from 1 to 600,000");
  await input.use("Start the proxy here");
  await input.use("Keyboard shortcuts");
  await input.sees("Find a command");
  await input.use("Close");
}

async function throughTheHub(input: InputMode): Promise<void> {
  await input.sees("Proxy running");
  await input.write("Filter targets", "curl");
  await input.open("Send one curl request");
  await input.choose("Snippets");
  await input.sees("--proxy");
  await input.choose("Validate");
  await input.use("Run Test");
  await input.sees("Waiting for the request");
  await input.use("Cancel the test");
  await input.sees("Test stopped");
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

describe("keyboard and pointer in every view", (test) => {
  for (const { name, skip, show } of BROWSERS) {
    for (const [input, of] of Object.entries(WAYS)) {
      test(
        `given ${name}, the main window can be used with the ${input}`,
        () => withTraffic((weir) => show(weir.ui, (hand) => throughTheMainWindow(of(hand)))),
        { skip },
      );
      test(
        `given ${name}, the hub can be used with the ${input}`,
        () => withTraffic((weir) => show(weir.hub, (hand) => throughTheHub(of(hand)))),
        { skip },
      );
    }
  }
});
