import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { awaitLock, type LockResult, takeLock } from "../../../extensions/proxy/storage/lock.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const CHILD = fileURLToPath(new URL("./lock-child.ts", import.meta.url));

async function contender(folder: string): Promise<{ child: ChildProcess; result: unknown }> {
  const child = fork(CHILD, [folder], { execArgv: ["--no-warnings"] });
  const [result] = await once(child, "message");
  return { child, result };
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

function release(result: LockResult): void {
  if (result.kind === "held") result.lock.release();
}

describe("the data folder's lock", (test) => {
  test("one holds it, the next learns who, and then it is free again", () =>
    withFolder(async (folder) => {
      const first = takeLock(folder);
      assert.is(first.kind, "held");
      assert.equal(takeLock(folder), { kind: "taken", owner: null });
      const owner = { pid: process.pid, startedAt: 5, proxy: "127.0.0.1:8686", ui: "http://127.0.0.1:1/" };
      if (first.kind === "held") assert.is(first.lock.announce(owner), null);
      assert.equal(takeLock(folder), { kind: "taken", owner });
      release(first);
      assert.not.ok((await readdir(folder)).includes("owner.json"));
      const again = takeLock(folder);
      assert.is(again.kind, "held");
      release(again);
    }));

  test("of several starts at the same moment one wins", () =>
    withFolder(async (folder) => {
      const all = await Promise.all([1, 2, 3, 4].map(() => contender(folder)));
      await Promise.all(all.map(({ child }) => killed(child)));
      assert.equal(all.map(({ result }) => result).sort(), ["held", "taken", "taken", "taken"]);
    }));

  test("a killed owner is not taken for the next one, which has not announced itself", () =>
    withFolder(async (folder) => {
      const { child } = await contender(folder);
      await killed(child);
      const mine = takeLock(folder);
      assert.is(mine.kind, "held");
      assert.equal(takeLock(folder), { kind: "taken", owner: null });
      release(mine);
    }));

  test("another process cannot take it, and gets it when the owner is killed", () =>
    withFolder(async (folder) => {
      const { child, result } = await contender(folder);
      assert.is(result, "held");
      const mine = takeLock(folder);
      assert.equal(mine, {
        kind: "taken",
        owner: { pid: child.pid, startedAt: 1, proxy: "127.0.0.1:8686", ui: null },
      });
      await killed(child);
      const now = takeLock(folder);
      assert.is(now.kind, "held");
      release(now);
    }));

  test("who waits for it gets it once the owner is gone, or after a while learns who has it", () =>
    withFolder(async (folder) => {
      const first = takeLock(folder);
      assert.is((await awaitLock(folder, 0)).kind, "taken");
      const waiting = awaitLock(folder, 60_000);
      release(first);
      const got = await waiting;
      assert.is(got.kind, "held");
      release(got);
    }));

  test("a folder that is not there is a sentence", () => {
    const result = takeLock("/nowhere/at/all");
    assert.match(result.kind === "unusable" ? result.reason : "", /^The data folder cannot be used: .*ENOENT/);
  });
});
