import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { fullPause } from "../../support/full-pause.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";

/** The part of `--format json` that is used here. */
interface Exported {
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly status: number | null;
  readonly errorType: string | null;
  readonly latency: number | null;
  readonly ttfb: number | null;
  readonly encodedBodySize: number;
}

const PATHS = ["/fast", "/steady", "/tail", "/failing", "/rare"] as const;
const REQUESTS = 1_000;
const CLIENTS = 10;

/** Responds to `/path?delay=ms&size=bytes&status=code` as the query says. */
function delayedServer() {
  return createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://server.test");
    await fullPause(Number(searchParams.get("delay")));
    response.writeHead(Number(searchParams.get("status")), { "Content-Type": "text/plain" });
    response.end("x".repeat(Number(searchParams.get("size"))));
  });
}

/** The target of this request: known delays, sizes and failures, nothing random. */
function requestNumber(index: number): string {
  const path = index % 250 === 249 ? "/rare" : PATHS[index % 4];
  const delay = path === "/tail" && index % 40 === 2 ? 60 : (index * 7) % 9;
  const status = path === "/failing" && index % 3 === 0 ? 503 : 200;
  return `${path}?delay=${delay}&size=${(index * 37) % 2_000}&status=${status}`;
}

/** docs/specification.md, Percentile, in plain words: linear interpolation at rank (n - 1) p of the sorted samples. */
function percentile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * p;
  const low = sorted[Math.floor(rank)] ?? Number.NaN;
  const high = sorted[Math.ceil(rank)] ?? Number.NaN;
  return low + (high - low) * (rank - Math.floor(rank));
}

function close(actual: number | null, expected: number, what: string): void {
  const allowed = 1e-9 * Math.max(1, Math.abs(expected));
  assert.ok(actual !== null && Math.abs(actual - expected) <= allowed, `${what}: ${actual} for ${expected}`);
}

async function withTraffic(body: (weir: RunningWeir) => Promise<void>): Promise<void> {
  const server = delayedServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir([
    "--host-override",
    `server.test=127.0.0.1:${(server.address() as AddressInfo).port}`,
  ]);
  try {
    let next = 0;
    const client = async () => {
      const through = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://server.test");
      for (let index = next++; index < REQUESTS; index = next++) await through.ask("GET", requestNumber(index));
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await body(weir);
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

describe("figures of 1,000 requests in every view", (test) => {
  test("given the exported exchanges, latency grid, slow list and exported tables have the same numbers", async () => {
    await withTraffic(async (weir) => {
      const page = await PageClient.open(weir);
      await page.value({ view: "summary" }, (summary) => summary.counted === REQUESTS);
      const sort = { column: "requests", descending: true } as const;
      const grid = await page.list({ view: "latency", filter: "", sort, range: { from: 0, count: 100 } });
      const slow = await page.list({
        view: "slow",
        filter: "",
        cause: "all",
        endpoint: null,
        group: null,
        range: { from: 0, count: 500 },
      });
      page.close();

      const exchanges = JSON.parse(await settledExport(weir)) as readonly Exported[];
      assert.is(exchanges.length, REQUESTS);

      const slowIds = new Set<number>();
      const known = PATHS.filter((path) => path !== "/rare");
      assert.equal(
        grid.map(({ path }) => path).toSorted(),
        [...known].toSorted(),
        "/rare has 4 requests and so no row",
      );
      for (const row of grid) {
        const own = exchanges.filter(({ url }) => new URL(url).pathname === row.path);
        const latencies = own.map(({ latency }) => latency ?? Number.NaN);
        assert.is(row.requests, own.length, `requests of ${row.path}`);
        close(row.p50, percentile(latencies, 0.5), `p50 of ${row.path}`);
        close(row.p95, percentile(latencies, 0.95), `p95 of ${row.path}`);
        close(row.p99, percentile(latencies, 0.99), `p99 of ${row.path}`);
        close(row.avgSize, own.reduce((sum, one) => sum + one.encodedBodySize, 0) / own.length, `size of ${row.path}`);
        const errors = own.filter(({ status, errorType }) => errorType !== null || (status ?? 0) >= 400).length;
        close(row.errorRate, (100 * errors) / own.length, `error rate of ${row.path}`);
        const p95 = percentile(latencies, 0.95);
        for (const { id, latency } of own) if ((latency ?? 0) > p95) slowIds.add(id);
      }
      assert.ok(slowIds.size > 30, "there is something slow to find");
      assert.equal(new Set(slow.map(({ id }) => id as number)), slowIds);

      const table = JSON.parse(await weir.exported("--table", "latency", "--format", "json")) as {
        path: string;
        p95: number;
      }[];
      for (const row of grid)
        close(table.find(({ path }) => path === row.path)?.p95 ?? null, row.p95 ?? Number.NaN, "table p95");
      const slowTable = JSON.parse(await weir.exported("--table", "slow", "--format", "json")) as { id: number }[];
      assert.equal(new Set(slowTable.map(({ id }) => id)), slowIds);
    });
  });

  test("given a server with known delays, each TTFB exceeds its delay, and the median one by less than 20 ms", async () => {
    await withTraffic(async (weir) => {
      const exchanges = JSON.parse(await settledExport(weir)) as readonly Exported[];
      const excesses = exchanges.map(
        ({ url, ttfb }) => (ttfb ?? Number.NaN) - Number(new URL(url).searchParams.get("delay")),
      );
      assert.ok(Math.min(...excesses) > 0, `${Math.min(...excesses)} ms`);
      assert.ok(percentile(excesses, 0.5) < 20, `${percentile(excesses, 0.5)} ms`);
    });
  });
});

/** The export, once it contains everything. */
function settledExport(weir: RunningWeir): Promise<string> {
  const isWhole = (text: string): boolean =>
    (JSON.parse(text) as readonly Exported[]).filter(({ latency }) => latency !== null).length >= REQUESTS;
  return weir.exportedOnce(isWhole, "--session", "current", "--format", "json");
}
