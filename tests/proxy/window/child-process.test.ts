import * as assert from "uvu/assert";
import { freshNode } from "../../../extensions/proxy/window/child-process.ts";
import { describe } from "../../support/describe.ts";

describe("child process", (test) => {
  test("a script runs in a new process of our own Node, without a shell", async () => {
    const script = "process.stdout.write(JSON.stringify([process.pid, process.execPath, process.argv.length]))";
    const [pid, path, words] = JSON.parse((await freshNode(script, 10_000)) ?? "[]") as [number, string, number];
    assert.is.not(pid, process.pid);
    assert.is(path, process.execPath);
    assert.is(words, 1);
    assert.is(
      await freshNode("console.log('$(id) `id` ; id && %PATH% | id > x')", 10_000),
      "$(id) `id` ; id && %PATH% | id > x\n",
    );
  });

  test("variables that would make it say something else than the system does are left out", async () => {
    process.env["SSL_CERT_FILE"] = "/tmp/none";
    try {
      assert.is(await freshNode("console.log(process.env.SSL_CERT_FILE)", 10_000), "undefined\n");
    } finally {
      delete process.env["SSL_CERT_FILE"];
    }
  });

  test("one that fails, or takes too long, says nothing", async () => {
    assert.is(await freshNode("process.exit(1)", 10_000), null);
    assert.is(await freshNode("setInterval(() => {}, 1000)", 300), null);
  });
});
