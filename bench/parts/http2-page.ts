import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { startedBrowser } from "../../tests/support/browser.ts";
import { SECURE_HOST } from "../authority.ts";
import { type Http2Stage, onHttp2Stage } from "../http2-stage.ts";
import type { OpenPage } from "../page.ts";
import type { Field, Part, Table } from "../part.ts";
import { IMAGES } from "../programs/image-page.ts";
import { figure, inTurns } from "../rounds.ts";
import { atMost, type Verdict } from "../verdict.ts";

/** Loads of the page in a round. */
const LOADS = 5;
const DIRECT = "direct, h2";

/** A browser that reaches the page over one route. */
interface Course {
  readonly name: string;
  readonly browser: Browser;
  /** The protocol, as `nextHopProtocol` names it. */
  readonly protocol: "h2" | "http/1.1";
}

/** Measures the load time of a page that requests all its resources at once, without a cache. */
export const http2Page: Part = {
  name: "h2-page",
  title: `a page of ${IMAGES} small pictures in Chromium, from nothing to loaded`,
  measure: (field) => onHttp2Stage(field, (stage) => measured(field, stage)),
};

async function measured(field: Field, stage: Http2Stage): Promise<Table> {
  const http1 = await stage.startHttp1Weir();
  const { weir, target } = stage;
  const trusted = `--ignore-certificate-errors-spki-list=${[rootOf(field), weir.ca, http1.ca].map(keyDigest).join()}`;
  const through = (port: number): string => `--proxy-server=http://127.0.0.1:${port}`;
  const here = `--host-resolver-rules=MAP ${SECURE_HOST} 127.0.0.1`;
  const courses: Course[] = [];
  try {
    courses.push({ name: DIRECT, browser: await startedBrowser(trusted, here), protocol: "h2" });
    courses.push({
      name: "direct, h1",
      browser: await startedBrowser(trusted, here, "--disable-http2"),
      protocol: "http/1.1",
    });
    const viaHttp2 = await startedBrowser(trusted, through(weir.secure.port));
    courses.push({ name: "Weir, h2", browser: viaHttp2, protocol: "h2" });
    const viaHttp1 = await startedBrowser(trusted, through(http1.secure.port));
    courses.push({ name: "Weir, h1", browser: viaHttp1, protocol: "http/1.1" });
    const address = `https://${SECURE_HOST}:${target.port}/page`;
    for (const course of courses) await loadTime(course, address);
    const rows = await inTurns(field.rounds * LOADS, courses, async (course) => ({
      "loaded ms": await loadTime(course, address),
    }));
    const expected = (1 + field.rounds * LOADS) * (1 + IMAGES);
    for (const { page } of [weir, http1]) await recorded(page, expected);
    return { rows, verdicts: verdictsOf(rows) };
  } finally {
    await Promise.all(courses.map(({ browser }) => browser.close()));
  }
}

/**
 * Waits up to 5 s until the expected requests are recorded. Throws if some are missing, because the browser then
 * bypassed Weir.
 */
async function recorded(page: OpenPage, expected: number): Promise<void> {
  for (let tries = 0; tries < 50 && (page.summary?.exchanges ?? 0) < expected; tries += 1) await pause(100);
  const seen = page.summary?.exchanges ?? 0;
  if (seen < expected) throw new Error(`of ${expected} requests ${seen} came through Weir`);
}

/** Milliseconds from the start of the navigation to the end of `load`, including connections, in a new context. */
async function loadTime({ browser, protocol }: Course, address: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "load" });
  const { took, protocols, images } = await page.evaluate(async () => {
    // The timing entry is complete only after the listeners of `load` have run.
    await new Promise((resolve) => setTimeout(resolve));
    const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
    return {
      took: performance.getEntriesByType("navigation").map((entry) => entry.duration)[0] ?? Number.NaN,
      protocols: [...new Set((entries as PerformanceResourceTiming[]).map((entry) => entry.nextHopProtocol))],
      images: [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 1).length,
    };
  });
  await context.close();
  if (images !== IMAGES) throw new Error(`${images} of ${IMAGES} pictures were drawn`);
  if (protocols.join() !== protocol) throw new Error(`${protocols.join(", ")} was spoken where ${protocol} was wanted`);
  return took;
}

export function rootOf({ environment: { authority } }: Field): string {
  return readFileSync(authority.root, "utf8");
}

/** The digest that Chromium expects: SHA-256 of the public key (SPKI), in base64. */
export function keyDigest(pem: string): string {
  const spki = new X509Certificate(pem).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(spki).digest("base64");
}

function verdictsOf(rows: Parameters<typeof figure>[0]): readonly Verdict[] {
  const through = figure(rows, "Weir, h2", "loaded ms");
  const times = (other: string, most: number): Verdict => {
    const ratio = through / figure(rows, other, "loaded ms");
    return atMost(`h2 through us ≤ ${most}x ${other}`, most, ratio, `${ratio.toFixed(2)}x`);
  };
  return [times("Weir, h1", 1), times(DIRECT, 1.3)];
}
