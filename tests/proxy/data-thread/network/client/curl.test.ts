import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";
import { withProxy } from "../../../../support/test-proxy.ts";
import { runTool } from "../../../../support/tool.ts";
import { needs } from "../../../../support/which.ts";

const skip = needs("curl");

async function curl(folder: string, ...args: readonly string[]): Promise<string> {
  return (await runTool(["curl", "-sS", ...args], folder)).output;
}

describe("curl through the proxy", (test) => {
  test(
    "given curl, serves http, https, a chunked upload and an upload that expects 100 Continue",
    () =>
      withFolder((folder) =>
        withProxy({}, async (proxy) => {
          const body = randomBytes(2_000_000);
          const [file, ca] = [join(folder, "body"), join(folder, "ca.pem")];
          await writeFile(file, body);
          await writeFile(ca, proxy.clientCa);
          const plain = await proxy.server(answering(() => ok("plain")));
          const secure = await proxy.tlsServer(async (peer) => {
            for (;;) {
              const head = await peer.head();
              if (head.includes("chunked")) await peer.until("\r\n0\r\n\r\n");
              else if (head.startsWith("POST")) {
                peer.send("HTTP/1.1 100 Continue\r\n\r\n");
                await peer.bytes(body.length);
              }
              peer.send(ok("secure"));
            }
          });
          const by = ["-x", `http://127.0.0.1:${proxy.port}`, "--cacert", ca];
          const url = `https://b.test:${secure.port}/`;
          assert.is(await curl(folder, ...by, `http://a.test:${plain.port}/`), "plain");
          assert.is(await curl(folder, ...by, "-p", `http://a.test:${plain.port}/`), "plain");
          assert.is(await curl(folder, ...by, url), "secure");
          const chunked = ["-H", "Transfer-Encoding: chunked", "-H", "Expect:", "--data-binary", `@${ca}`];
          assert.is(await curl(folder, ...by, ...chunked, url), "secure");
          const expecting = ["-H", "Expect: 100-continue", "--data-binary", `@${file}`];
          assert.is(await curl(folder, ...by, ...expecting, url), "secure");
          assert.is((await proxy.traffic.row(4)).ended.requestBodySize, (await readFile(file)).length);
          assert.is(await curl(folder, ...by, "http://weir.test/weir-ca.pem"), proxy.clientCa);
        }),
      ),
    { skip },
  );
});
