import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import type { ReplayProgress, ReplayStarted } from "../../../src/engine/messages/replay-messages.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { clientOf } from "../../support/served-window.ts";

interface Served {
  readonly port: number;
  /** The requests received so far. */
  readonly asked: readonly string[];
  /** Resolves once three requests are open at the same time, and once one of them is closed. */
  readonly open: Promise<void>;
  readonly closed: Promise<void>;
}

/** A server that answers "/held" only once. */
async function served(act: (stage: Served) => Promise<void>): Promise<void> {
  const asked: string[] = [];
  let [isOpen, isClosed] = [() => {}, () => {}];
  const open = new Promise<void>((resolve) => {
    isOpen = resolve;
  });
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url !== "/held" || asked.length === 1) return void response.end("done");
    response.on("close", isClosed);
    if (asked.length === 4) isOpen();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await act({ port: (server.address() as AddressInfo).port, asked, open, closed });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const run = (exchange: ExchangeId, times: number, atOnce = 1, confirmed = false) =>
  ({ type: "replay", exchange, times, atOnce, confirmed }) as const;

async function lastOf(page: PageClient): Promise<ReplayProgress> {
  for (;;) {
    const progress = await page.heard("replay-progress");
    if (progress.done) return progress;
  }
}

const BY_START = { column: "startTime", descending: false } as const;

describe("repeated requests of the app", (test) => {
  test("given replays, sends as many as asked, counts none in statistics, and refuses unusable messages", () =>
    served(async ({ port, asked }) => {
      const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`]);
      try {
        const client = clientOf(weir, "server.test");
        await client.ask("GET", "/fast");
        await client.ask("POST", "/orders", Buffer.from("a=1"));
        const page = await PageClient.open(weir);
        await page.value({ view: "summary" }, ({ counted }) => counted === 2);
        const rows = await page.list({ view: "traffic", filter: "", sort: BY_START, range: { from: 0, count: 9 } });
        const [get, post] = rows.map(({ id }) => id) as [ExchangeId, ExchangeId];
        await page.command(run(get, 30, 4));
        const { result, problem } = await lastOf(page);
        assert.equal([problem, result.ended, result.otherwise, result.replays?.count], [null, 30, 0, 30]);
        assert.is(result.recorded?.count, 1);
        assert.is(result.verdict?.kind, "unknown");
        assert.is(asked.filter((one) => one === "GET /fast").length, 31);
        const summary = await page.value({ view: "summary" }, ({ exchanges }) => exchanges === 32);
        assert.is(summary.counted, 2);

        assert.match(await refusal(page, run(post, 2)), /^POST may change data on the server/);
        assert.is(asked.length, 32);
        await page.command(run(post, 2, 1, true));
        assert.is((await lastOf(page)).result.ended, 2);
        assert.is(asked.filter((one) => one === "POST /orders").length, 3);
        for (const bad of [run(get, 0), run(get, 1_001), run(get, 20, 0), run(get, 20, 101), run(get, 1.5)])
          assert.match(await refusal(page, bad), /^Weir could not read a message/);
        assert.is(await refusal(page, run(9_999 as ExchangeId, 1)), "This exchange is no longer in the list.");
        await page.command({ type: "set-recording", on: false });
        assert.match(await refusal(page, run(get, 1)), /^Recording is paused\./);
        await page.command({ type: "set-recording", on: true });
        await page.command({ type: "stop-proxy" });
        const { proxy } = await page.value({ view: "status" }, ({ proxy }) => !proxy.running);
        assert.match(await refusal(page, run(get, 1)), /^The proxy is stopped\./);
        const other = createServer();
        await new Promise<void>((resolve) => other.listen(proxy.port, "127.0.0.1", resolve));
        assert.match(await refusal(page, { type: "start-proxy" }), /^Port \d+ is taken by another program\./);
        await new Promise((resolve) => other.close(resolve));
        await page.command({ type: "start-proxy" });
        await page.command(run(get, 1));
        assert.is((await lastOf(page)).result.ended, 1);
        page.close();
      } finally {
        await weir.stop();
      }
    }));

  for (const how of ["a stop", "a closed window", "a new session"] as const) {
    test(`given ${how} during a run of replays, closes the open ones and sends no more`, () =>
      served(async ({ port, asked, open, closed }) => {
        const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`]);
        try {
          await clientOf(weir, "server.test").ask("GET", "/held");
          const page = await PageClient.open(weir);
          await page.value({ view: "summary" }, ({ counted }) => counted === 1);
          const rows = await page.list({ view: "traffic", filter: "", sort: BY_START, range: { from: 0, count: 9 } });
          const started = (await page.command(run((rows[0] as { id: ExchangeId }).id, 500, 3))) as ReplayStarted;
          await open;
          if (how === "a stop") await page.command({ type: "cancel-replay", ...started });
          if (how === "a closed window") page.close();
          if (how === "a new session") await page.command({ type: "new-session" });
          await closed;
          if (how !== "a closed window") {
            const { problem } = await lastOf(page);
            assert.is(problem === null, how === "a stop");
            page.close();
          }
        } finally {
          await weir.stop();
        }
        assert.is(asked.length, 4);
      }));
  }
});

async function refusal(page: PageClient, command: Parameters<PageClient["command"]>[0]): Promise<string> {
  try {
    await page.command(command);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
