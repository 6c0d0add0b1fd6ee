import { EventEmitter, once } from "node:events";
import { writeFile } from "node:fs/promises";
import { get } from "node:http";
import { get as getSecurely } from "node:https";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { needsChromium, withBrowser } from "../../../../support/browser.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { ok } from "../../../../support/raw-server.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";
import { runTool } from "../../../../support/tool.ts";
import { needs, toolFor } from "../../../../support/which.ts";

/** In milliseconds, long enough for a connection on a busy computer. */
const PATIENCE = 1_000;
const TIMES = 4;

interface Question {
  readonly proxy: TestProxy;
  readonly url: URL;
  readonly folder: string;
  readonly ca: string;
}

/** Asks once, and resolves when the client has given up after `PATIENCE`. */
type Ask = (question: Question) => Promise<unknown>;

const byNode: Ask = async ({ proxy, url }) => {
  const secured = url.protocol === "https:" ? await RawPeer.secure(proxy.port, url.host, proxy.clientCa) : null;
  secured?.socket.removeAllListeners("data");
  const signal = AbortSignal.timeout(PATIENCE);
  const failed = await new Promise<Error>((resolve, reject) => {
    const request =
      secured === null
        ? get({ signal, host: "127.0.0.1", port: proxy.port, path: url.href, headers: { Host: url.host } })
        : getSecurely({
            signal,
            path: url.pathname,
            headers: { Host: url.host },
            createConnection: () => secured.socket,
          });
    request.on("error", resolve).on("response", () => reject(new Error("answered")));
  });
  assert.match(failed.name, /Abort|Timeout/);
};

const byCurl: Ask = async ({ proxy, url, folder, ca }) => {
  const patience = ["--max-time", String(PATIENCE / 1_000)];
  const by = ["-x", `http://127.0.0.1:${proxy.port}`, "--cacert", ca, "--http1.1"];
  assert.is((await runTool(["curl", "-sS", ...patience, ...by, url.href], folder)).code, 28);
};

const byRequests: Ask = async ({ proxy, url, folder, ca }) => {
  const by = `http://127.0.0.1:${proxy.port}`;
  const script = [
    "import requests, sys",
    `try: requests.get(sys.argv[1], timeout=${PATIENCE / 1_000}, verify=sys.argv[3], proxies={'http': sys.argv[2], 'https': sys.argv[2]})`,
    "except requests.exceptions.ReadTimeout: print('timeout')",
  ].join("\n");
  assert.match((await runTool([PYTHON ?? "", "-c", script, url.href, by, ca], folder)).output, "timeout");
};

const PYTHON = toolFor(["python3"], ["-c", "import requests"]);
const CLIENTS: readonly (readonly [string, Ask, string | null])[] = [
  ["Node.js", byNode, null],
  ["curl", byCurl, needs("curl")],
  ["requests", byRequests, PYTHON === null ? "needs python3 with requests" : null],
];

/** Checks that the exchange was aborted, and that it ended before the server's late response. */
async function checkEnd(proxy: TestProxy, index: number): Promise<void> {
  const target = `/slow${index}`;
  const { id } = await proxy.traffic.event("request-started", (started) => started.target.endsWith(target));
  const { outcome, instants } = await proxy.traffic.event("exchange-ended", (ended) => ended.id === id);
  assert.is(outcome.kind === "failed" && outcome.errorType, "client-aborted");
  assert.is(outcome.status, null);
  assert.is(instants.responseStart, null);
}

describe("clients that time out", (test) => {
  for (const [name, ask, skip] of CLIENTS)
    for (const scheme of ["http", "https"] as const)
      test(
        `given ${name} over ${scheme}, its time-out is recorded as aborted, with the time until it left`,
        () =>
          withFolder((folder) =>
            withProxy({}, async (proxy) => {
              const ca = join(folder, "ca.pem");
              await writeFile(ca, proxy.clientCa);
              const server = await (scheme === "http" ? proxy.server() : proxy.tlsServer());
              for (let index = 0; index < TIMES; index += 1) {
                await ask({ proxy, url: new URL(`${scheme}://a.test:${server.port}/slow${index}`), folder, ca });
                const peer = await server.peer(index);
                // Over TLS the request is cancelled while the server works; without TLS its answer meets a reset.
                if (scheme === "https") await peer.over;
                else peer.send(ok("late"));
                await checkEnd(proxy, index);
                peer.close();
              }
            }),
          ),
        { skip },
      );

  for (const scheme of ["http", "https"] as const)
    test(
      `given Chromium over ${scheme}, an aborted fetch is recorded as aborted`,
      () => {
        const halfClosed = new EventEmitter();
        const debug = (line: string): void => void (line.includes("half-closed") && halfClosed.emit("line"));
        return withProxy({ debug }, async (proxy) => {
          const server = await (scheme === "http" ? proxy.server() : proxy.tlsServer());
          const serve = async (index: number): Promise<RawPeer> => {
            const peer = await server.peer(index);
            await peer.until("/slow");
            return peer;
          };
          const proxied = `--proxy-server=127.0.0.1:${proxy.port}`;
          await withBrowser(
            async (browser) => {
              const context = await browser.newContext({ ignoreHTTPSErrors: true });
              await context.route("**/page", (route) => route.fulfill({ body: "page", contentType: "text/html" }));
              const page = await context.newPage();
              await page.goto(`${scheme}://a.test:${server.port}/page`);
              for (let index = 0; index < TIMES; index += 1) {
                const left = once(halfClosed, "line");
                const name = await page.evaluate(
                  ([path, patience]) =>
                    fetch(path, { signal: AbortSignal.timeout(patience) }).catch((error: Error) => error.name),
                  [`/slow${index}`, PATIENCE] as const,
                );
                assert.is(name, "TimeoutError");
                const peer = await serve(index);
                if (scheme === "https") await peer.over;
                else {
                  // Chromium closes the connection only after it has told the page.
                  await left;
                  peer.send(ok("late"));
                }
                await checkEnd(proxy, index);
                peer.close();
              }
            },
            proxied,
            "--ignore-certificate-errors",
          );
        });
      },
      { skip: needsChromium() },
    );
});
