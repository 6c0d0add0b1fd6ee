import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { PageClient } from "../../support/page-client.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { servedBy, testAuthority } from "../../support/test-authority.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

/** The requesting program, and the URL. Over https curl uses HTTP/2 unless it is told otherwise. */
const ASKED = [
  ["curl", "http://plain.test/1", []],
  ["curl", "https://secure.test/2", []],
  ["curl", "https://secure.test/3", ["--http1.1"]],
  ["node", "http://plain.test/4", []],
  ["node", "https://secure.test/5", []],
] as const;

const FETCH = "const answer = await fetch(process.argv[1]); if (!answer.ok || !(await answer.text())) process.exit(1);";

describe("client program names", (test) => {
  test(
    "given curl and Node.js over http and https, names the program of each request, also after its exit",
    () =>
      withFolder(async (folder) => {
        const servers = testAuthority();
        let arrived: (answer: () => void) => void = () => {};
        const hold: RequestListener = (_, response) => arrived(() => response.end("ok"));
        const plain = createServer(hold).listen(0, "127.0.0.1");
        const secure = createSecureServer(servedBy(servers), hold).listen(0, "127.0.0.1");
        await writeFile(join(folder, "servers.pem"), servers.pem);
        const at = (server: typeof plain | typeof secure) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
        const overrides = [`plain.test=${at(plain)}`, `secure.test=${at(secure)}`];
        const words = overrides.flatMap((override) => ["--host-override", override]);
        const weir = await runningWeir(["--upstream-ca", join(folder, "servers.pem"), ...words]);
        const page = await PageClient.open(weir);
        const proxy = `http://127.0.0.1:${weir.proxy.port}`;
        const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NODE_EXTRA_CA_CERTS: weir.ca };
        try {
          for (const [index, [program, url, options]] of ASKED.entries()) {
            const held = new Promise<() => void>((resolve) => {
              arrived = resolve;
            });
            const curl = ["curl", "-q", "-sSf", "--noproxy", "", "--cacert", weir.ca, "-x", proxy, ...options, url];
            const node = ["node", "--input-type=module", "-e", FETCH, url];
            const run = runTool(program === "curl" ? curl : node, folder, { env, limit: 50_000 });
            const answer = await Promise.race([held, run.then(({ output }) => Promise.reject(new Error(output)))]);
            const exchange = (index + 1) as ExchangeId;
            const told = await page.value({ view: "exchange", exchange }, (detail) => detail?.exchange.program != null);
            assert.is(told?.exchange.program, program, url);
            answer();
            assert.equal((await run).code, 0);
          }
          const sort = { column: "id", descending: false } as const;
          const range = { from: 0, count: 10 };
          const rows = await page.list({ view: "traffic", filter: "client:node", sort, range });
          assert.equal(
            rows.map(({ id, program }) => [id, program]),
            [
              [4, "node"],
              [5, "node"],
            ],
          );
          const ended = (text: string) => {
            const all = JSON.parse(text) as readonly {
              readonly latency: number | null;
              readonly program: string | null;
            }[];
            return all.filter(({ latency }) => latency !== null);
          };
          const isWhole = (text: string): boolean => ended(text).length === ASKED.length;
          const stored = await weir.exportedOnce(isWhole, "--session", "current", "--format", "json");
          assert.equal(
            ended(stored).map(({ program }) => program),
            ASKED.map(([program]) => program),
          );
        } finally {
          page.close();
          await weir.stop();
          for (const server of [plain, secure]) {
            server.closeAllConnections();
            server.close();
          }
        }
      }),
    { skip: existsSync("/proc/net/tcp") ? needs("curl") : "needs /proc" },
  );
});
