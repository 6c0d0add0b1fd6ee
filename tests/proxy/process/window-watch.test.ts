import { spawn } from "node:child_process";
import { once } from "node:events";
import * as assert from "uvu/assert";
import { watchWindow } from "../../../extensions/proxy/process/window-watch.ts";
import { describe } from "../../support/describe.ts";

describe("window process watch", (test) => {
  test("given that the process ends, calls back once, though its output is still open", async () => {
    const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await once(child, "spawn");
    let calls = 0;
    // The timer does not keep this process.
    const keeping = setInterval(() => {}, 1_000);
    const ended = new Promise<void>((resolve) => {
      watchWindow(String(child.pid), () => {
        calls += 1;
        resolve();
      });
    });
    assert.is(calls, 0);
    child.kill("SIGKILL");
    await ended;
    assert.is(calls, 1);
    clearInterval(keeping);
  });

  test("given no process id, watches nothing", () => {
    for (const none of [undefined, "", "0", "1", "x"])
      watchWindow(none, () => {
        throw new Error(`${none} is no process`);
      });
  });
});
