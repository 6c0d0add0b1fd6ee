import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { listSessions } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";
import { needsFaults, type SystemFault, withFault } from "../../support/system-fault.ts";

/** The writing system calls: SQLite uses `pwrite64` and its syncs, bodies and blocks use `pwritev`. */
const WRITES = ["write", "writev", "pwrite64", "pwritev", "pwritev2", "fsync", "fdatasync"] as const;

const ANSWER = "a".repeat(100_000);

interface Stage {
  readonly weir: RunningWeir;
  readonly page: PageClient;
  /** Requests the path through the proxy and asserts that the response is complete. */
  readonly ask: (path: string) => Promise<void>;
  /** Waits until the window shows (`false`: no longer shows) a storage problem, and returns its text. */
  readonly told: (isTold: boolean) => Promise<string>;
  /** Which of the paths are on disk in the latest session. */
  readonly kept: (paths: readonly string[]) => Promise<readonly string[]>;
}

async function withStage(body: (stage: Stage) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.end(ANSWER));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const weir = await runningWeir(["--host-override", `api.test=127.0.0.1:${(server.address() as AddressInfo).port}`]);
  const page = await PageClient.open(weir);
  try {
    const client = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://api.test");
    await body({
      weir,
      page,
      ask: async (path) => assert.is((await client.ask("GET", path)).body.toString(), ANSWER),
      told: async (isTold) => {
        const isSo = ({ notices }: { notices: readonly { id: string }[] }) =>
          notices.some(({ id }) => id === "storage") === isTold;
        const { notices } = await page.value({ view: "status" }, isSo);
        return notices.find(({ id }) => id === "storage")?.text ?? "";
      },
      kept: async (paths) => {
        const areThere = (text: string) => paths.every((path) => text.includes(path));
        const text = await weir.exportedOnce(areThere, "--session", "current", "--format", "json");
        return (JSON.parse(text) as readonly { readonly url: string }[]).map(({ url }) => new URL(url).pathname);
      },
    });
  } finally {
    page.close();
    await weir.stop();
    server.closeAllConnections();
    server.close();
  }
}

describe("disk faults", (test) => {
  const skip = needsFaults();

  test(
    "given EIO on the session's files, proxies on, warns, keeps stored data and writes the rest afterwards",
    () =>
      withStage(async ({ weir, page, ask, told, kept }) => {
        await ask("/before");
        assert.equal(await kept(["/before"]), ["/before"]);
        const folder = join(weir.dataDir, "sessions", listSessions(weir.dataDir)[0]?.id ?? "");
        const names = ["session.sqlite", "session.sqlite-wal"];
        const fault: SystemFault = { calls: WRITES, error: "EIO", files: names.map((name) => join(folder, name)) };
        await withFault(weir.process.pid ?? 0, fault, async () => {
          await ask("/during/1");
          assert.match(
            await told(true),
            /^Captured data cannot be written to .*: (i\/o error \(EIO\)|disk I\/O error)/,
          );
          await ask("/during/2");
          assert.is((await page.value({ view: "summary" }, ({ counted }) => counted === 3)).counted, 3);
          assert.equal(await kept(["/before"]), ["/before"], "on disk meanwhile");
        });
        assert.is(await told(false), "");
        await ask("/after");
        assert.equal(await kept(["/after"]), ["/before", "/during/1", "/during/2", "/after"]);
        const bodies =
          (await weir.exported("--session", "current", "--format", "har", "--no-redact")).split(ANSWER).length - 1;
        assert.is(bodies, 4, "bodies that are whole");
      }),
    { skip },
  );

  test(
    "given EACCES on a new session's folder, proxies on, warns and leaves the earlier session complete",
    () =>
      withStage(async ({ weir, page, ask, told, kept }) => {
        await ask("/before");
        await kept(["/before"]);
        // The folder cannot be made, as when the parent folder is not writable.
        const fault: SystemFault = { calls: ["mkdir", "mkdirat"], error: "EACCES", files: [] };
        await withFault(weir.process.pid ?? 0, fault, async () => {
          await page.command({ type: "new-session" });
          await ask("/during");
          assert.match(await told(true), /cannot be written to .*permission denied \(EACCES\)/);
          const [before, ...others] = listSessions(weir.dataDir);
          assert.equal([before?.state, before?.exchanges, others], ["completed", 1, []]);
        });
        assert.is(await told(false), "");
        await ask("/after");
        assert.equal(await kept(["/after"]), ["/during", "/after"]);
        assert.is(listSessions(weir.dataDir).length, 2);
      }),
    { skip },
  );
});
