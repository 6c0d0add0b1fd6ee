import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { buildCache } from "../../support/build-cache.ts";
import { describe } from "../../support/describe.ts";
import { sendsAll, sentRequests } from "../../support/sent-requests.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

/** Builds the programs in one call and runs one after the other. */
async function ran(texts: readonly string[]): Promise<void> {
  await withFolder(async (folder) => {
    const env = { GOCACHE: buildCache("go"), GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" };
    writeFileSync(join(folder, "go.mod"), "module copied\n\ngo 1.13\n");
    for (const [index, text] of texts.entries()) {
      mkdirSync(join(folder, `r${index}`));
      writeFileSync(join(folder, `r${index}`, "main.go"), text);
    }
    mkdirSync(join(folder, "bin"));
    const built = await runTool(["go", "build", "-o", "bin", "./..."], folder, { env });
    assert.is(built.code, 0, built.output);
    for (const index of texts.keys()) {
      const { code, output } = await runTool([join(folder, "bin", `r${index}`)], folder);
      assert.is(code, 0, output);
      assert.match(output, "204 No Content");
    }
  });
}

describe("copy as Go", (test) => {
  test(
    "given any request, the Go program sends its method, URL, headers and body",
    async () => {
      const texts: string[] = [];
      await sendsAll(
        "go",
        async (text) => void texts.push(text),
        () => ran(texts),
        20,
      );
    },
    { skip: needs("go") },
  );

  test(
    "given any request, the Go program is formatted as by gofmt",
    () =>
      withFolder(async (folder) => {
        for (const request of sentRequests.slice(0, 20)) {
          const copied = copyAs(request, "go");
          if (!copied.ok) continue;
          const { code, stdout } = await runTool(["gofmt"], folder, { input: `${copied.value}\n` });
          assert.equal([code, stdout.toString()], [0, `${copied.value}\n`]);
        }
      }),
    { skip: needs("gofmt") },
  );

  test("given bytes in target and header, gives them to net/http as they were", () => {
    const request = {
      method: "GET",
      origin: "https://a.test",
      target: "/\u00e9#[x]",
      protocol: "http/1.1",
      bodySize: 0,
    };
    const head = "GET / HTTP/1.1\r\nHost: b.test\r\nX: \u00ff\r\n\r\n";
    const copied = copyAs({ ...request, head, body: new Uint8Array() }, "go");
    const text = copied.ok ? copied.value : copied.problem;
    assert.match(text, 'request.URL.Opaque = "/\\xe9#[x]"');
    assert.match(text, 'request.Host = "b.test"');
    assert.match(text, 'request.Header["X"] = []string{"\\xff"}');
    assert.match(text, 'request.Header["User-Agent"] = []string{""}');
  });

  test("given what net/http changes, is refused with a sentence", () => {
    const request = { method: "GET", origin: "https://a.test", target: "/", protocol: "http/1.1", bodySize: 0 };
    const problem = (line: string, target = "/") => {
      const head = `GET / HTTP/1.1\r\nHost: a.test\r\n${line}\r\n\r\n`;
      const copied = copyAs({ ...request, target, head, body: new Uint8Array() }, "go");
      return copied.ok ? "" : copied.problem;
    };
    assert.is(problem("X: 1"), "");
    assert.match(problem("X: 1", "//b"), /^Go would change this URL\. Copy the request as cURL instead\.$/);
    assert.match(problem("User-Agent: a\r\nuser-agent: b"), /cannot send an empty or repeated User-Agent/);
    assert.match(problem("Trailer: X"), /Trailer/);
    assert.match(problem("X: a\u0001b"), /control characters/);
  });
});
