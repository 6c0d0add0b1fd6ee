import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { SearchHits } from "../../../src/engine/messages/session-messages.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";

const RANGE = { from: 0, count: 100 };
const TRENDS = {
  view: "trends",
  filter: "",
  metric: "all",
  direction: "all",
  sort: { column: "endpoint", descending: false },
  range: RANGE,
} as const;
const LATENCY = { view: "latency", filter: "", sort: { column: "p95", descending: true }, range: RANGE } as const;

describe("sessions and trends of the running app", (test) => {
  test("given three sessions, shows trends; given a restart, still opens, compares and searches the sessions", () =>
    withServer(async (port) => {
      const folder = await mkdtemp(join(tmpdir(), "weir-sessions-"));
      const words = ["--host-override", `api.test=127.0.0.1:${port}`];
      let weir = await runningWeir(words, folder);
      try {
        let page = await PageClient.open(weir);
        for (let session = 0; session < 3; session += 1) {
          await ask(weir, page, 5);
          const trends = await page.list(TRENDS);
          assert.is(trends.length, 0, `after ${session} sessions`);
          assert.equal((await page.list(LATENCY))[0]?.trend, { kind: "omitted", sessions: session });
          await page.command({ type: "new-session" });
        }
        page.close();
        await weir.stop();
        weir = await runningWeir(words, folder);
        page = await PageClient.open(weir);
        await ask(weir, page, 6);
        const trends = await page.list(TRENDS);
        assert.equal(
          trends.map(({ metric, sessions, series }) => [metric, sessions, series.length]),
          [
            ["latency", 3, 3],
            ["errorRate", 3, 3],
            ["payload", 3, 3],
          ],
        );
        assert.is((await page.list(LATENCY))[0]?.trend.kind, "known");
        const exported = await weir.exportedOnce((text) => text.includes("{"), "--table", "trends", "--format", "json");
        assert.is((JSON.parse(exported) as readonly unknown[]).length, 3);

        const { sessions } = await page.value({ view: "sessions" }, (value) => value.sessions.length === 4);
        assert.equal(
          sessions.map(({ state, baseline }) => [state, baseline]),
          [["current", "not-ended"], ...new Array(3).fill(["completed", "in"])],
        );
        const oldest = sessions.at(-1)?.id ?? "";
        await page.command({ type: "open-session", session: oldest });
        assert.is((await page.value({ view: "summary" })).exchanges, 5);
        await ask(weir, null, 1);
        assert.is((await page.value({ view: "summary" })).exchanges, 5, "recording goes on elsewhere");
        const hits = await searched(page, "secret-body");
        assert.is(hits.length, 5);
        await page.command({ type: "show-current" });
        assert.is((await page.value({ view: "summary" }, ({ counted }) => counted === 7)).exchanges, 7);

        const compare = await page.list({
          view: "compare",
          left: oldest,
          right: null,
          filter: "",
          sort: { column: "p95", descending: true },
          range: RANGE,
        });
        assert.equal(
          compare.map(({ left, right, change }) => [left?.requests, right?.requests, change.requests]),
          [[5, 7, 2]],
        );
        page.close();
      } finally {
        await weir.stop();
        await rm(folder, { recursive: true, force: true });
      }
    }));

  test("given New session right behind 120 answers, the old session has all of them", () =>
    withServer(async (port) => {
      const weir = await runningWeir(["--host-override", `api.test=127.0.0.1:${port}`]);
      try {
        const page = await PageClient.open(weir);
        const clients = Array.from(
          { length: 12 },
          () => new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://api.test"),
        );
        for (let round = 0; round < 3; round += 1) {
          await Promise.all(
            clients.map(async (client) => {
              for (let index = 0; index < 10; index += 1) await client.ask("GET", "/a");
            }),
          );
          await page.command({ type: "new-session" });
        }
        await ask(weir, page, 1);
        const { sessions } = await page.value({ view: "sessions" }, (value) => value.sessions.length === 4);
        assert.equal(
          sessions.map(({ exchanges }) => exchanges),
          [1, 120, 120, 120],
        );
        page.close();
      } finally {
        await weir.stop();
      }
    }));

  test("given a page that disconnects during its imports, ends them so that another page can import", async () => {
    const weir = await runningWeir();
    try {
      const begin = (page: PageClient) => page.command({ type: "import-har", fileName: "a.har", as: "completed" });
      const gone = await PageClient.open(weir);
      for (let count = 0; count < 4; count += 1) await begin(gone);
      const page = await PageClient.open(weir);
      const refusal = await begin(page).then(String, String);
      assert.match(refusal, /Too many files are being read/);
      gone.close();
      // The connection's end is noticed soon, but the other page gets no message about it.
      while (
        !(await begin(page).then(
          () => true,
          () => false,
        ))
      );
      page.close();
    } finally {
      await weir.stop();
    }
  });
});

/** Sends this many requests in sequence; with a page, waits until it shows their count. */
async function ask(weir: RunningWeir, page: PageClient | null, count: number): Promise<void> {
  const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://api.test");
  for (let index = 0; index < count; index += 1) await client.ask("GET", "/a");
  await page?.value({ view: "summary" }, (summary) => summary.counted === count);
}

async function searched(page: PageClient, text: string): Promise<SearchHits["hits"]> {
  const { searchNumber } = (await page.command({ type: "search", text })) as { readonly searchNumber: number };
  const hits = [];
  for (;;) {
    const message = await page.heard("search-hits");
    assert.is(message.searchNumber, searchNumber);
    hits.push(...message.hits);
    if (message.done) return hits;
  }
}

async function withServer(body: (port: number) => Promise<void>): Promise<void> {
  const server: Server = createServer((_, response) => response.end("a secret-body of some length"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await body((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
