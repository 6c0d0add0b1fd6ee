import { spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import * as assert from "uvu/assert";
import type { PageLoad } from "../../../src/engine/model/where.ts";
import { needsChromium, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { fullPause } from "../../support/full-pause.ts";
import { FURTHER_HOSTS, type Served, SITES, type Site, TABS } from "../../support/page-sites.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { servedBy, testAuthority } from "../../support/test-authority.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

const LOADS = 4;

const ALL = [...SITES, ...TABS];
const SERVED: ReadonlyMap<string, Served> = new Map(
  ALL.flatMap(({ host, served }) =>
    Object.entries(served).flatMap(([path, one]) =>
      [host, ...FURTHER_HOSTS].map((name) => [name + path, one] as const),
    ),
  ).reverse(),
);

const answer: RequestListener = async ({ url = "", headers }, response) => {
  const served = SERVED.get(`${headers.host}${url.split("?")[0]}`);
  const head = {
    "Content-Type": served?.type ?? "text/plain",
    "Cache-Control": "no-store",
    "Access-Control-Allow-Origin": "*",
    ...(served?.location === undefined ? {} : { Location: served.location }),
  };
  if (served?.takes === null) {
    if (served.text !== "") response.writeHead(200, head).write(served.text);
    return;
  }
  await fullPause(served?.takes ?? 0);
  response.writeHead(served === undefined ? 404 : (served.status ?? 200), head).end(served?.text ?? "none");
};

async function load(context: BrowserContext, sites: readonly Site[]): Promise<void> {
  const pages: Page[] = [];
  for (const _ of sites) pages.push(await context.newPage());
  await Promise.all(
    pages.map(async (page, index) => {
      await page.goto(`https://${sites[index]?.host}/`, { waitUntil: "commit" });
      await page.waitForFunction(() => document.title === "done");
    }),
  );
  for (const page of pages) await page.close();
}

interface Found {
  readonly loads: readonly PageLoad[];
  /** The requests' paths. */
  readonly paths: ReadonlyMap<number, string>;
  /** The proven links between the requests, "from path > to path". */
  readonly links: readonly string[];
}

/** What is known once this many requests for the site's last response have ended. */
async function foundBy(weir: RunningWeir, last: readonly string[]): Promise<Found> {
  const rows = (text: string) => JSON.parse(text) as { id: number; url: string; latency: number | null }[];
  const isDone = (text: string) => {
    const ended = rows(text).filter(({ latency }) => latency !== null);
    return last.every((url) => ended.filter((row) => row.url === url).length >= LOADS);
  };
  const exchanges = rows(await weir.exportedOnce(isDone, "--format", "json"));
  const paths = new Map(exchanges.map(({ id, url }) => [id, new URL(url).pathname]));
  const table = JSON.parse(await weir.exported("--table", "links", "--format", "json")) as Row[];
  const links = table.flatMap(({ from, to, kind }) =>
    kind === "proven" ? [`${paths.get(from)} > ${paths.get(to)}`] : [],
  );
  const child = spawn(process.execPath, [WEIR, "report", "--data-dir", weir.dataDir, "--format", "json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  const { where } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { where: { loads: PageLoad[] } };
  return { loads: where.loads, paths, links };
}

interface Row {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** Loads the pages of each group of sites at the same time, four times over, and passes on what is found. */
async function inChromium(groups: readonly (readonly Site[])[], act: (found: Found) => void): Promise<void> {
  const authority = testAuthority();
  const server = createServer(servedBy(authority), answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const names = [...ALL.map(({ host }) => host), ...FURTHER_HOSTS];
  const hosts = names.flatMap((host) => ["--host-override", `${host}=127.0.0.1:${port}`]);
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
          for (const sites of groups) for (const _ of Array(LOADS)) await load(context, sites);
        },
        `--proxy-server=http://127.0.0.1:${weir.proxy.port}`,
        `--ignore-certificate-errors-spki-list=${key}`,
      );
      const last = groups.flat().map(({ host, path }) => {
        const name = path.at(-1) === "/wide/offer-2207.svg" ? "pictures.test" : host;
        return `https://${name}${path.at(-1)}`;
      });
      act(await foundBy(weir, last));
    } finally {
      await weir.stop();
      server.closeAllConnections();
      server.close();
    }
  });
}

function holds({ host, served, causes, path, pauses = {} }: Site, { loads, paths, links }: Found): void {
  const pathOf = (one: PageLoad) => one.path.map(({ exchange }) => paths.get(exchange) ?? "");
  const own = loads.filter((one) => one.path[0]?.endpoint.origin === `https://${host}`);
  assert.equal(own.map(pathOf), Array(LOADS).fill(path), host);
  for (const one of own) {
    for (const { exchange, gap, time } of one.path) {
      const name = paths.get(exchange) ?? "";
      assert.ok(time >= (served[name]?.takes ?? 0) && gap >= (pauses[name] ?? 0), `${name} ${gap}+${time}`);
    }
    const sum = one.path.reduce((total, { gap, time }) => total + gap + time, 0);
    assert.ok(sum <= one.duration + 0.01, `${host}: ${sum} of ${one.duration}`);
  }
  const isCause = (from: string, to: string): boolean => {
    const cause = causes[to];
    return cause !== undefined && (cause === from || isCause(from, cause));
  };
  for (const [to, from] of Object.entries(causes)) {
    const into = links.filter((link) => link.endsWith(` > ${to}`));
    assert.is(into.filter((link) => link === `${from} > ${to}`).length, LOADS, `${from} > ${to}`);
    const wrong = into.filter((link) => !isCause(link.slice(0, -` > ${to}`.length), to));
    assert.equal(wrong, [], host);
  }
}

describe("page load path in Chromium", (test) => {
  test(
    "given four loads of each page, also in two tabs at once, links requests to their causes and shows the path of the last response",
    () =>
      inChromium([...SITES.map((site) => [site]), TABS], (found) => {
        for (const site of ALL) holds(site, found);
      }),
    { skip: needsChromium() },
  );
});
