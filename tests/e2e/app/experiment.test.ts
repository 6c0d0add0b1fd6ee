import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { clientOf } from "../../support/served-window.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const FAULT = new URL("../../support/engine-fault.ts", import.meta.url).href;
const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

interface Stage {
  readonly weir: RunningWeir;
  /** Sends a request and reads its response. */
  ask(path: string, method?: string): Promise<unknown>;
  /** Asks for the path, then for "/next", again and again until the body ends; `waits`: for the first response. */
  walking(waits: boolean, body: () => Promise<void>): Promise<void>;
}

/** A service, and a client that uses it through Weir. */
async function staged(act: (stage: Stage) => Promise<void>, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const server = createServer((_, response) => void setTimeout(() => response.end("done"), 5));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const weir = await runningWeir(["--host-override", `server.test=127.0.0.1:${port}`], null, env);
  try {
    const client = clientOf(weir, "server.test");
    const ask = (path: string, method = "GET") => client.ask(method, path);
    const walking = async (waits: boolean, body: () => Promise<void>) => {
      let isOver = false;
      const walks = (async () => {
        while (!isOver) {
          const held = ask("/held");
          if (waits) await held;
          await ask("/next");
          await held;
        }
      })();
      try {
        await body();
      } finally {
        isOver = true;
        await walks;
      }
    };
    await act({ weir, ask, walking });
  } finally {
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly complaint: string;
}

function experiment({ dataDir }: RunningWeir, ...words: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [WEIR, "experiment", "--data-dir", dataDir, ...words]);
  let [out, complaint] = ["", ""];
  child.stdout?.on("data", (bytes: Buffer) => {
    out += String(bytes);
  });
  child.stderr?.on("data", (bytes: Buffer) => {
    complaint += String(bytes);
  });
  const ended = once(child, "close").then(
    ([code]): Ended => ({
      code: code as number | null,
      lines: out.trim().split("\n"),
      complaint,
    }),
  );
  return { child, ended };
}

const parsed = (text: string) => JSON.parse(text) as { tags: readonly string[] }[];

const LEVELS = ["--levels", "0,200,400"];

describe("weir experiment", (test) => {
  for (const [waits, verdict] of [
    [true, /^On the critical path: each ms costs \S+ ms, \S+ to \S+, \d+ walks\./],
    [false, /^Nothing waits for it, with delays up to 400 ms: each ms costs/],
  ] as const)
    test(`given a client that ${waits ? "waits" : "does not wait"} for the endpoint, says so, and counts none of its walks`, () =>
      staged(async ({ weir, ask, walking }) => {
        await ask("/held");
        const page = await PageClient.open(weir);
        await page.value({ view: "summary" }, ({ counted }) => counted === 1);
        await walking(waits, async () => {
          const { code, lines, complaint } = await experiment(weir, "GET /held", ...LEVELS).ended;
          // On a busy computer it may not be able to tell, but says nothing that is wrong.
          assert.is(complaint, "");
          assert.match(lines.at(-1) ?? "", code === 6 ? /^Can't tell: \d+ walks/ : verdict);
          assert.ok(code === 0 || code === 6, String(code));
          assert.match(lines[0] ?? "", /^\d+ of 30 /);
        });
        page.close();
        const held = JSON.parse(await weir.exported("--format", "json", "--filter", "tag:held")) as {
          held: number;
        }[];
        // The one that was held at the verdict was released at once.
        const early = held.filter((one) => one.held < 200);
        assert.ok(held.length > 7 && early.length <= 1, JSON.stringify(held.map((one) => one.held)));
      }));

  test("given an engine thread that fails in the middle, the experiment ends, and traffic flows on unheld", () =>
    withFolder(async (folder) => {
      const order = join(folder, "fault");
      const act = async ({ weir, ask }: Stage) => {
        await ask("/held");
        const page = await PageClient.open(weir);
        await page.value({ view: "summary" }, ({ counted }) => counted === 1);
        const { ended } = experiment(weir, "GET /held", "--levels", "2000,2000,1999");
        await page.value({ view: "status" }, (status) => status.experiment !== null);
        const held = ask("/held");
        await page.value({ view: "summary" }, ({ inFlight }) => inFlight === 1);
        await writeFile(order, "");
        const { code, complaint } = await ended;
        assert.equal([code, /connection to Weir is lost/.test(complaint)], [70, true], complaint);
        await held;
        await ask("/held");
        const rows = await weir.exportedOnce((text) => parsed(text).length === 3, "--format", "json");
        assert.equal(
          parsed(rows).map(({ tags }) => tags.includes("unit")),
          [false, true, false],
        );
        page.close();
      };
      await staged(act, { NODE_OPTIONS: `--import=${FAULT}`, WEIR_TEST_ENGINE_FAULT: order });
    }));

  test("given Ctrl+C, an unknown endpoint, one that is not safe or wrong options, ends, and traffic flows on unheld", () =>
    staged(async ({ weir, ask }) => {
      await ask("/held");
      await ask("/held", "POST");
      const page = await PageClient.open(weir);
      await page.value({ view: "summary" }, ({ counted }) => counted === 2);
      const refused: readonly [readonly string[], RegExp][] = [
        [["GET /none"], /has no request to GET \/none/],
        [["POST /held"], /POST may change data on the server.* Add --confirm\./],
        [["GET /held", "--levels", "0,5000,1"], /--levels takes 3 whole numbers/],
        [["GET /held", "--loads", "2"], /--loads takes a number from 21 to 300/],
        [[], /takes one endpoint/],
      ];
      for (const [words, reason] of refused) {
        const { code, complaint } = await experiment(weir, ...words).ended;
        assert.is(code, 2, complaint);
        assert.match(complaint, reason);
      }
      const { child, ended } = experiment(weir, "GET /held", "--levels", "2000,2000,1999");
      await page.value({ view: "status" }, (status) => status.experiment !== null);
      const held = ask("/held");
      await page.value({ view: "summary" }, ({ inFlight }) => inFlight === 1);
      child.kill("SIGINT");
      await held;
      assert.is((await ended).code, 130);
      const { experiment: state } = await page.value({ view: "status" }, (one) => one.experiment?.result !== null);
      assert.equal([state?.result?.end, state?.result?.verdict.kind], ["window-gone", "unknown"]);
      page.close();
    }));
});
