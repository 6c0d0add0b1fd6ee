import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import {
  awaitLock,
  type Lock,
  onSecondStart,
  signalRunningInstance,
  type TakenLock,
  takeLock,
} from "../../../extensions/proxy/storage/lock.ts";
import { type Result, unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";
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

/** The lock of a success; throws if another process has it. */
function heldBy(result: Result<TakenLock>): Lock {
  const taken = unwrap(result);
  if (taken.kind === "taken") throw new Error(`process ${taken.owner?.pid} has it`);
  return taken.lock;
}

describe("data folder lock", (test) => {
  test("given a held lock, returns its owner to the next start; once released, the lock is free", () =>
    withFolder(async (folder) => {
      const first = heldBy(takeLock(folder));
      assert.equal(unwrap(takeLock(folder)), { kind: "taken", owner: null });
      const owner = {
        pid: process.pid,
        proxy: "127.0.0.1:8686",
        ui: "http://127.0.0.1:1/",
        ticket: "t",
        paused: true,
      };
      assert.is(first.announce(owner), null);
      assert.equal(unwrap(takeLock(folder)), { kind: "taken", owner });
      first.release();
      assert.not.ok((await readdir(folder)).includes("owner.json"));
      heldBy(takeLock(folder)).release();
    }));

  test("given four starts at once, exactly one holds the lock", () =>
    withFolder(async (folder) => {
      const all = await Promise.all([1, 2, 3, 4].map(() => contender(folder)));
      await Promise.all(all.map(({ child }) => killed(child)));
      assert.equal(all.map(({ result }) => result).sort(), ["held", "taken", "taken", "taken"]);
    }));

  test("given a killed owner and a new unannounced one, does not name the killed one as owner", () =>
    withFolder(async (folder) => {
      const { child } = await contender(folder);
      await killed(child);
      const mine = heldBy(takeLock(folder));
      assert.equal(unwrap(takeLock(folder)), { kind: "taken", owner: null });
      mine.release();
    }));

  test("given a lock held by another process, takes it only after that process is killed", () =>
    withFolder(async (folder) => {
      const { child, result } = await contender(folder);
      assert.is(result, "held");
      assert.equal(unwrap(takeLock(folder)), {
        kind: "taken",
        owner: { pid: child.pid, proxy: "127.0.0.1:8686", ui: null, ticket: null, paused: false },
      });
      await killed(child);
      heldBy(takeLock(folder)).release();
    }));

  test("given a wait for the lock, takes it once released, or learns that it is taken after the time-out", () =>
    withFolder(async (folder) => {
      const first = heldBy(takeLock(folder));
      assert.is(unwrap(await awaitLock(folder, 0)).kind, "taken");
      const waiting = awaitLock(folder, 60_000);
      first.release();
      heldBy(await waiting).release();
    }));

  test("given a missing folder, returns a sentence", () => {
    assert.match(problemOf(takeLock("/nowhere/at/all")), /^The data folder cannot be used: .*ENOENT/);
  });
});

describe("signal to the running instance", (test) => {
  test("given signals from second starts, notifies the owner of each", () =>
    withFolder(async (folder) => {
      let heard: () => void = () => {};
      const stop = onSecondStart(folder, () => heard());
      for (let time = 0; time < 2; time += 1) {
        const next = new Promise<void>((resolve) => {
          heard = resolve;
        });
        assert.is(signalRunningInstance(folder), null);
        await next;
      }
      stop();
    }));

  test("given a folder that cannot be watched, does not fail", () => onSecondStart("/nowhere/at/all", () => {})());
});
