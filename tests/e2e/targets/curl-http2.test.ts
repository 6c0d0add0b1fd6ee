import { writeFileSync } from "node:fs";
import type { ServerHttp2Stream } from "node:http2";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { type Http2Server, http2Server } from "../../support/http2-server.ts";
import { answering, ok, rawServer } from "../../support/raw-server.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { servedBy } from "../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../support/test-proxy.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const BODY = "b".repeat(100_000);

function hello(stream: ServerHttp2Stream): void {
  stream.respond({ ":status": 200, "content-type": "text/plain" });
  stream.end(BODY);
}

/** A server that speaks only HTTP/2, only HTTP/1.1, or both. */
const SERVERS: Readonly<Record<string, (proxy: TestProxy) => Promise<Pick<Http2Server, "port" | "stop">>>> = {
  "only HTTP/2": (proxy) => http2Server(proxy, hello),
  "only HTTP/1.1": (proxy) =>
    rawServer(
      answering(() => ok(BODY)),
      { ...servedBy(proxy.servers), ALPNProtocols: ["http/1.1"] },
    ),
  both: (proxy) => http2Server(proxy, hello, { allowHTTP1: true }, (_request, response) => response.end(BODY)),
};

describe("curl over HTTP/2", (test) => {
  for (const [what, make] of Object.entries(SERVERS)) {
    for (const [option, version] of [
      ["--http2", "2"],
      ["--http1.1", "1.1"],
    ] as const) {
      test(
        `given ${option} and a server that speaks ${what}, delivers the response in the client's version`,
        () =>
          withProxy({}, async (proxy) => {
            const server = await make(proxy);
            await withFolder(async (folder) => {
              writeFileSync(join(folder, "ca.pem"), proxy.clientCa);
              const url = `https://a.test:${server.port}/x`;
              const words = ["-sS", option, "-x", `http://127.0.0.1:${proxy.port}`, "--cacert", "ca.pem"];
              const told = ["-w", "\n%{http_version}", url];
              const { code, output } = await runTool(["curl", ...words, ...told], folder);
              assert.is(code, 0, output);
              assert.is(output, `${BODY}\n${version}`);
            });
            const { started } = await proxy.traffic.row(0);
            assert.is(started.protocol, version === "2" ? "h2" : "http/1.1");
            assert.is(proxy.traffic.connections[0]?.tls?.alpn, what === "only HTTP/1.1" ? "http/1.1" : "h2");
            await server.stop();
          }),
        { skip: needs("curl") },
      );
    }
  }

  test(
    "given header fields with a space at either end, passes them on to server and client",
    () =>
      withProxy({}, async (proxy) => {
        const seen: string[] = [];
        const loose = { strictFieldWhitespaceValidation: false };
        const server = await http2Server(
          proxy,
          (stream, headers) => {
            seen.push(String(headers["authorization"]), String(headers["x-key"]));
            stream.respond([":status", "200", "content-security-policy", " script-src 'none' "]);
            stream.end("x");
          },
          loose,
        );
        await withFolder(async (folder) => {
          writeFileSync(join(folder, "ca.pem"), proxy.clientCa);
          const words = ["-sS", "--http2", "-D", "-", "-x", `http://127.0.0.1:${proxy.port}`, "--cacert", "ca.pem"];
          const fields = ["-H", "Authorization: Bearer abc ", "-H", "X-Key: \t12 \t"];
          const { code, output } = await runTool(
            ["curl", ...words, ...fields, `https://a.test:${server.port}/`],
            folder,
          );
          assert.is(code, 0, output);
          assert.match(output, /^content-security-policy: {1,2}script-src 'none' ?\r$/m);
        });
        assert.is(seen[0], "Bearer abc ");
        assert.match(seen[1] ?? "", /^\s*12 \t$/);
        await server.stop();
      }),
    { skip: needs("curl") },
  );
});
