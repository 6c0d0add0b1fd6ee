import { spawn } from "node:child_process";
import { once } from "node:events";
import * as assert from "uvu/assert";
import {
  type HelperMessage,
  LOOKUP_SCRIPT,
  type LookupAnswer,
} from "../../../../../extensions/proxy/data-thread/network/dns/lookup-script.ts";
import { startScript } from "../../../../../extensions/proxy/process/child-process.ts";
import { describe } from "../../../../support/describe.ts";

/** The answers of a real helper process, by name. */
async function answersTo(names: readonly string[]): Promise<ReadonlyMap<string, LookupAnswer>> {
  const answers = new Map<string, LookupAnswer>();
  await new Promise<void>((resolve) => {
    const onMessage = (message: HelperMessage): void => {
      if (message === "ready") for (const [id, name] of names.entries()) helper.send({ id, name });
      else {
        answers.set(names[message.id] ?? "", message);
        if (answers.size === names.length) helper.kill();
      }
    };
    const helper = startScript(LOOKUP_SCRIPT, 8, onMessage, resolve);
  });
  return answers;
}

describe("lookup script", (test) => {
  test("given names and addresses, answers with the system's addresses or the failure's code", async () => {
    const answers = await answersTo(["localhost", "127.1", "::1", "a..b"]);
    assert.is(answers.get("localhost")?.code, null);
    assert.equal(answers.get("127.1"), { id: 1, code: null, addresses: [{ address: "127.0.0.1", family: 4 }] });
    assert.equal(answers.get("::1")?.addresses, [{ address: "::1", family: 6 }]);
    assert.is(answers.get("a..b")?.code, "ENOTFOUND");
  });

  test("given that Weir is killed, ends", async () => {
    // The helper inherits the pipe, which closes once both processes have ended.
    const weir = `
      const helper = require("node:child_process").spawn(process.execPath, ["--eval", process.argv[1]], {
        stdio: ["ignore", "inherit", "ignore", "ipc"],
      });
      helper.on("message", () => process.stdout.write("ready"));
    `;
    const parent = spawn(process.execPath, ["--eval", weir, LOOKUP_SCRIPT], { stdio: ["ignore", "pipe", "ignore"] });
    await once(parent.stdout, "data");
    const closed = once(parent.stdout, "close");
    parent.stdout.resume();
    parent.kill("SIGKILL");
    await closed;
  });
});
