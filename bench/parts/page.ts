import type { Browser } from "playwright-core";
import { startedBrowser } from "../../tests/support/browser.ts";
import { SECURE_HOST } from "../authority.ts";
import { median } from "../figures.ts";
import { onHttp2Stage } from "../http2-stage.ts";
import type { Field, Figures, Part, Row } from "../part.ts";
import { RESOURCES } from "../programs/image-page.ts";
import type { Route } from "../programs/job.ts";
import { figure, mediansOf } from "../rounds.ts";
import { atMost, type Verdict } from "../verdict.ts";
import { startWeir } from "../weir.ts";
import { keyDigest, rootOf } from "./http2-page.ts";

/** Loads in a round; the first load of each browser does not count. */
const LOADS = 7;
const DIRECT = "direct";
const WEIR = "Weir";
const FIRST = "Weir, first load after its start";

/** How long a user waits for an ordinary page. */
export const page: Part = {
  name: "page",
  title: `a page of ${RESOURCES} resources on three hosts over HTTP/2 in Chromium, from nothing to loaded`,
  measure: (field) =>
    onHttp2Stage(field, async ({ weir, reference, target, direct, startPeers }) => {
      const hosts = [SECURE_HOST, ...field.environment.freshHosts.slice(0, 2)];
      const address = addressOf(hosts, target.port);
      const peers = [reference, ...(await startPeers())];
      const trusted = [rootOf(field), ...[weir, ...peers].map(({ ca }) => ca).filter((ca) => ca !== "")];
      const browsers = new Map<string, Browser>();
      try {
        browsers.set(DIRECT, await browserThat(trusted, optionFor(direct, hosts)));
        browsers.set(WEIR, await browserThat(trusted, optionFor(weir.secure, hosts)));
        for (const { name, secure } of peers) browsers.set(name, await browserThat(trusted, optionFor(secure, hosts)));
        for (const browser of browsers.values()) await load(browser, address);
        const taken = new Map<string, Figures[]>();
        for (let count = 0; count < field.rounds * LOADS; count += 1) {
          for (const [name, browser] of browsers)
            taken.set(name, [...(taken.get(name) ?? []), await load(browser, address)]);
        }
        const rows = [...taken].map(([subject, figures]): Row => ({ subject, figures: mediansOf(figures) }));
        const first = await firstLoads(field, target.port, address);
        return { rows: [...rows, { subject: FIRST, figures: mediansOf(first) }], verdicts: verdictsOf(rows, first) };
      } finally {
        await Promise.all([...browsers.values()].map((browser) => browser.close()));
      }
    }),
};

/** Loads the page in a browser that has run before, each time through a newly started Weir. */
async function firstLoads(field: Field, port: number, address: string): Promise<readonly Figures[]> {
  const origin = { ...field.environment.origin, secure: port };
  const taken: Figures[] = [];
  for (let count = 0; count < field.rounds; count += 1) {
    const weir = await startWeir({ ...field.environment, origin }, `page-${port}-${count}`);
    const browser = await browserThat([rootOf(field), weir.ca], optionFor(weir.secure, []));
    try {
      await warmUp(browser);
      taken.push(await load(browser, address));
    } finally {
      await browser.close();
      await weir.stop();
    }
  }
  return taken;
}

/** Shows a page that needs no network. The first page of a browser takes half a second longer than others. */
async function warmUp(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await page.setContent("<p>warm</p>");
  await page.close();
}

export function addressOf(hosts: readonly string[], port: number): string {
  return `https://${hosts[0]}:${port}/resources/${hosts.map((host) => `${host}:${port}`).join("/")}`;
}

export function browserThat(trusted: readonly string[], route: string): Promise<Browser> {
  return startedBrowser(`--ignore-certificate-errors-spki-list=${trusted.map(keyDigest).join()}`, route);
}

/** Chromium's option for the route. `hosts`: the names that lead to the server, if the route has no proxy. */
export function optionFor({ kind, port }: Route, hosts: readonly string[]): string {
  if (kind === "proxy") return `--proxy-server=http://127.0.0.1:${port}`;
  return `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1:${port}`).join()}`;
}

/**
 * Returns the milliseconds until the page was loaded, including connections, in a new context. Also returns the median
 * and the longest time of a resource, from its request to its last byte.
 */
async function load(browser: Browser, address: string): Promise<Figures> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "load" });
  const { took, streams } = await page.evaluate(async () => {
    // The timing entry is complete only after the listeners of `load` have run.
    await new Promise((resolve) => setTimeout(resolve));
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return {
      took: performance.getEntriesByType("navigation").map((entry) => entry.duration)[0] ?? Number.NaN,
      streams: resources
        .filter(({ nextHopProtocol }) => nextHopProtocol === "h2")
        .map(({ requestStart, responseEnd }) => responseEnd - requestStart),
    };
  });
  await context.close();
  if (streams.length !== RESOURCES) throw new Error(`${streams.length} of ${RESOURCES} resources came over HTTP/2`);
  return { "loaded ms": took, "a stream ms": median(streams), "longest stream ms": Math.max(...streams) };
}

function verdictsOf(rows: readonly Row[], first: readonly Figures[]): readonly Verdict[] {
  const times = (what: string, most: number, took: number): Verdict => {
    const ratio = took / figure(rows, DIRECT, "loaded ms");
    return atMost(`${what} ≤ ${most}x direct`, most, ratio, `${ratio.toFixed(2)}x`);
  };
  const added = (what: string, name: string, most: number): Verdict => {
    const more = figure(rows, WEIR, name) - figure(rows, DIRECT, name);
    return atMost(`${what} ≤ ${most} ms more than direct`, most, more, `${more.toFixed(1)} ms`);
  };
  return [
    times("a page through Weir", 1.05, figure(rows, WEIR, "loaded ms")),
    times("its very first", 1.15, mediansOf(first)["loaded ms"] ?? Number.NaN),
    added("a stream", "a stream ms", 2),
    added("the longest stream", "longest stream ms", 8),
  ];
}
