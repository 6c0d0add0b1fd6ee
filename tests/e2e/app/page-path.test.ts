import { createHash, X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { fullPause } from "../../support/full-pause.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { servedBy, testAuthority } from "../../support/test-authority.ts";

/** A response of the page's server, and how long the server takes. */
interface Served {
  readonly type: string;
  readonly text: string;
  readonly takes: number;
}

const HTML = "text/html";
const SCRIPT = "text/javascript";
const JSON_TYPE = "application/json";

/**
 * A shop whose document names one script. Each further request is made by the response before it: scripts that inject
 * scripts, a configuration, the data of another host, and a picture whose address a script puts together.
 */
const SITE: Readonly<Record<string, Served>> = {
  "/": {
    type: HTML,
    takes: 60,
    text: `<!doctype html><title>shop</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/look/main-4be1.css">
      <img src="/look/logo.svg"><div id="root"></div><script src="/code/loader-91ac.js" defer></script>`,
  },
  "/look/main-4be1.css": { type: "text/css", takes: 15, text: "body { background: url(paper.svg) }" },
  "/look/paper.svg": { type: "image/svg+xml", takes: 10, text: "<svg xmlns='http://www.w3.org/2000/svg'/>" },
  "/look/logo.svg": { type: "image/svg+xml", takes: 10, text: "<svg xmlns='http://www.w3.org/2000/svg'/>" },
  "/code/loader-91ac.js": {
    type: SCRIPT,
    takes: 40,
    text: `navigator.serviceWorker.register("/worker.js");
      const add = (name) => document.head.append(Object.assign(document.createElement("script"), { src: "/code/" + name }));
      add("app-5d20.js");`,
  },
  "/worker.js": { type: SCRIPT, takes: 5, text: 'addEventListener("install", () => skipWaiting());' },
  "/code/app-5d20.js": { type: SCRIPT, takes: 50, text: `add("view" + "-77e3.js".replace("-77e3", "-77e3"));` },
  "/code/view-77e3.js": {
    type: SCRIPT,
    takes: 30,
    text: `fetch("/settings.json").then((one) => one.json()).then(({ home }) => fetch(home)).then((one) => one.json())
      .then(({ picture }) => {
        const image = new Image();
        image.onload = image.onerror = () => { document.title = "done"; };
        image.src = "https://pictures.test/wide/" + picture;
      });`,
  },
  "/settings.json": { type: JSON_TYPE, takes: 25, text: '{"home":"https://data.test/front"}' },
  "/front": { type: JSON_TYPE, takes: 120, text: '{"picture":"offer-2207.svg"}' },
  "/wide/offer-2207.svg": {
    type: "image/svg+xml",
    takes: 30,
    text: "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
  },
};

/** What made each request, by the paths of both. */
const CAUSES: Readonly<Record<string, string>> = {
  "/look/main-4be1.css": "/",
  "/look/paper.svg": "/look/main-4be1.css",
  "/look/logo.svg": "/",
  "/code/loader-91ac.js": "/",
  "/worker.js": "/code/loader-91ac.js",
  "/code/app-5d20.js": "/code/loader-91ac.js",
  "/code/view-77e3.js": "/code/app-5d20.js",
  "/settings.json": "/code/view-77e3.js",
  "/front": "/settings.json",
  "/wide/offer-2207.svg": "/front",
};

const answer: RequestListener = async ({ url = "" }, response) => {
  const served = SITE[url];
  await fullPause(served?.takes ?? 0);
  response
    .writeHead(served === undefined ? 404 : 200, {
      "Content-Type": served?.type ?? "text/plain",
      "Cache-Control": "no-store",
      "Access-Control-Allow-Origin": "*",
    })
    .end(served?.text ?? "none");
};

interface LinkRow {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** The proven links between the requests, "from path > to path", once this many requests have ended. */
async function provenLinks(weir: RunningWeir, requests: number): Promise<readonly string[]> {
  const rows = (text: string) => JSON.parse(text) as { id: number; url: string; latency: number | null }[];
  const areDone = (text: string) => rows(text).filter(({ latency }) => latency !== null).length >= requests;
  const exchanges = rows(await weir.exportedOnce(areDone, "--format", "json"));
  const paths = new Map(exchanges.map(({ id, url }) => [id, new URL(url).pathname]));
  const links = JSON.parse(await weir.exported("--table", "links", "--format", "json")) as LinkRow[];
  return links.flatMap(({ from, to, kind }) => (kind === "proven" ? [`${paths.get(from)} > ${paths.get(to)}`] : []));
}

async function load(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto("https://shop.test/");
  await page.waitForFunction(() => document.title === "done");
  await page.close();
}

describe("the path of a page in Chromium", (test) => {
  test(
    "given a page whose scripts inject scripts and ask for data, links each request to its cause in every load",
    async () => {
      const authority = await testAuthority();
      const server = createServer(servedBy(authority), answer);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const hosts = ["shop.test", "data.test", "pictures.test"].flatMap((host) => [
        ...["--host-override", `${host}=127.0.0.1:${port}`],
      ]);
      await withFolder(async (folder) => {
        const upstreamCa = join(folder, "ca.pem");
        await writeFile(upstreamCa, authority.pem);
        const weir = await runningWeir([...hosts, "--upstream-ca", upstreamCa]);
        try {
          const { publicKey } = new X509Certificate(await readFile(weir.ca));
          const key = createHash("sha256")
            .update(publicKey.export({ type: "spki", format: "der" }))
            .digest("base64");
          await withBrowser(
            async (browser) => {
              const context = await browser.newContext();
              for (const _ of Array(4)) await load(context);
            },
            `--proxy-server=http://127.0.0.1:${weir.proxy.port}`,
            `--ignore-certificate-errors-spki-list=${key}`,
          );
          const wanted = Object.entries(CAUSES).map(([to, from]) => `${from} > ${to}`);
          const found = await provenLinks(weir, 4 * wanted.length);
          for (const link of wanted.filter((one) => !one.endsWith("/worker.js")))
            assert.is(found.filter((one) => one === link).length, 4, `${link} in ${found.join(", ")}`);
          assert.equal(
            found.filter((one) => !wanted.includes(one)),
            [],
          );
        } finally {
          await weir.stop();
          server.closeAllConnections();
          server.close();
        }
      });
    },
    { skip: needsChromium(), limit: 120_000 },
  );
});
