import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { fullPause } from "../../support/full-pause.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

/*
 * Compares with other programs' measurements of the same requests, over a server with known delays. A busy machine
 * distorts single requests, a wrong figure all of them: the third smallest difference of eleven must not exceed 2 ms or
 * 5 %.
 */

const ROUNDS = 11;
const FIRST_BYTE = 120;
const REST = 80;

/** Milliseconds. */
interface Seen {
  readonly ttfb: number;
  readonly total: number;
}

interface Row {
  readonly url: string;
  readonly dns: number | null;
  readonly connect: number | null;
  readonly ttfb: number | null;
  readonly latency: number | null;
}

async function withDelays(body: (weir: RunningWeir) => Promise<void>): Promise<void> {
  const server = createServer(async (request, response) => {
    if (request.url === "/")
      return response.writeHead(200, { "Content-Type": "text/html" }).end("<title>times</title>");
    await fullPause(FIRST_BYTE);
    response.writeHead(200, { "Content-Length": 2, "Cache-Control": "no-store" });
    response.write("a");
    await fullPause(REST);
    return response.end("b");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const weir = await runningWeir(["--host-override", `times.test=127.0.0.1:${port}`]);
  try {
    await body(weir);
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

/** Weir's figures of the requests below /delayed, in order. Connecting counts as waiting, as it does for a client. */
async function ours(weir: RunningWeir): Promise<readonly Seen[]> {
  const ended = (text: string): readonly Row[] =>
    (JSON.parse(text) as readonly Row[]).filter(({ url, latency }) => url.includes("/delayed") && latency !== null);
  const isWhole = (text: string): boolean => ended(text).length >= ROUNDS;
  return ended(await weir.exportedOnce(isWhole, "--session", "current", "--format", "json")).map(
    ({ dns, connect, ttfb, latency }) => ({
      ttfb: (dns ?? 0) + (connect ?? 0) + (ttfb ?? 0),
      total: latency ?? 0,
    }),
  );
}

function agree(here: readonly Seen[], there: readonly Seen[]): void {
  assert.is(here.length, ROUNDS);
  assert.is(there.length, ROUNDS);
  for (const what of ["ttfb", "total"] as const) {
    const differences = here.map((seen, index) => Math.abs(seen[what] - (there[index]?.[what] ?? Number.NaN)));
    const third = differences.toSorted((a, b) => a - b)[2] ?? Number.NaN;
    const made = what === "ttfb" ? FIRST_BYTE : FIRST_BYTE + REST;
    process.stdout.write(`(${what}: ${third.toFixed(2)} ms) `);
    assert.ok(third <= Math.max(2, made * 0.05), `${what}: ${third} ms apart`);
    assert.ok(middleOf(here.map((seen) => seen[what])) >= made - 2, `${what} is as long as it was made`);
  }
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(ROUNDS - 1) / 2] ?? Number.NaN;
}

describe("times compared with curl and Chromium", (test) => {
  test(
    "given curl's timings of the same requests, Weir's TTFB and total agree with them",
    () =>
      withDelays((weir) =>
        withFolder(async (folder) => {
          const format = "%{time_pretransfer} %{time_starttransfer} %{time_total}";
          const words = ["-sS", "-o", "/dev/null", "-w", format, "-x"];
          const seen: Seen[] = [];
          for (let round = 0; round < ROUNDS; round += 1) {
            const url = `http://times.test/delayed/${round}`;
            const { stdout } = await runTool(["curl", ...words, `http://127.0.0.1:${weir.proxy.port}`, url], folder);
            const [sent = 0, first = 0, last = 0] = stdout
              .toString()
              .split(" ")
              .map((seconds) => Number(seconds) * 1_000);
            seen.push({ ttfb: first - sent, total: last - sent });
          }
          agree(await ours(weir), seen);
        }),
      ),
    { skip: needs("curl") },
  );

  test(
    "given Chromium's resource timings of the same requests, Weir's TTFB and total agree with them",
    () =>
      withDelays((weir) =>
        withBrowser(async (browser) => {
          const { page } = await openedPage(browser, "http://times.test/");
          const seen = await page.evaluate(async (rounds) => {
            for (let round = 0; round < rounds; round += 1) await (await fetch(`/delayed/${round}`)).text();
            const timings = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
            return timings
              .filter(({ name }) => name.includes("/delayed/"))
              .map(({ requestStart, responseStart, responseEnd }) => ({
                ttfb: responseStart - requestStart,
                total: responseEnd - requestStart,
              }));
          }, ROUNDS);
          agree(await ours(weir), seen);
        }, `--proxy-server=http://127.0.0.1:${weir.proxy.port}`),
      ),
    { skip: needsChromium() },
  );
});
