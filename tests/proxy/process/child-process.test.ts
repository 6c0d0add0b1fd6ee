import * as assert from "uvu/assert";
import { freshNode, startScript } from "../../../extensions/proxy/process/child-process.ts";
import { describe } from "../../support/describe.ts";

describe("child process", (test) => {
  test("given a script, runs it in a new process of our own Node, without a shell", async () => {
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

  test("given SSL_CERT_FILE, the new process does not inherit it", async () => {
    process.env["SSL_CERT_FILE"] = "/tmp/none";
    try {
      assert.is(await freshNode("console.log(process.env.SSL_CERT_FILE)", 10_000), "undefined\n");
    } finally {
      delete process.env["SSL_CERT_FILE"];
    }
  });

  test("given messages, a script gets and answers them with its own number of threads, until it is killed", async () => {
    const script = `process.on("message", (text) => process.send([text, process.env.UV_THREADPOOL_SIZE]))`;
    let ends = 0;
    const answers: unknown[] = [];
    await new Promise<void>((resolve) => {
      const started = startScript(
        script,
        7,
        (message) => {
          answers.push(message);
          started.kill();
        },
        () => {
          ends += 1;
          started.kill();
          started.send(["too late"]);
          resolve();
        },
      );
      started.send(["$(id)"]);
    });
    assert.equal(answers, [[["$(id)"], "7"]]);
    assert.is(ends, 1);
  });

  test("given a program that is not there, a script ends once", async () => {
    const { execPath } = process;
    let ends = 0;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        ends += 1;
        resolve();
      };
      process.execPath = `${execPath}.none`;
      startScript("", 1, () => {}, end).send(["lost"]);
      process.execPath = execPath;
    });
    assert.is(ends, 1);
  });

  test("given a script that fails or takes too long, returns null", async () => {
    assert.is(await freshNode("process.exit(1)", 10_000), null);
    assert.is(await freshNode("setInterval(() => {}, 1000)", 300), null);
  });
});
