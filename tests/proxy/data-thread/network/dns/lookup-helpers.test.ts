import * as assert from "uvu/assert";
import type { LookupError } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-error.ts";
import {
  HELPER_THREADS,
  MOST_IN_HELPER,
} from "../../../../../extensions/proxy/data-thread/network/dns/lookup-helper.ts";
import { LookupHelpers, MOST_HELPERS } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-helpers.ts";
import {
  type HelperMessage,
  LOOKUP_SCRIPT,
} from "../../../../../extensions/proxy/data-thread/network/dns/lookup-script.ts";
import { startScript } from "../../../../../extensions/proxy/window/child-process.ts";
import { describe } from "../../../../support/describe.ts";
import { fakeHelpers } from "../../../../support/fake-helpers.ts";

const NEVER = new AbortController().signal;

/** A process that never answers. */
const STUCK = 'process.on("message", () => {}); process.on("disconnect", () => process.exit()); process.send("ready");';

describe("lookup helpers", (test) => {
  test("given no look-up, starts no process", () => {
    const { start, processes } = fakeHelpers();
    new LookupHelpers(start).close();
    assert.is(processes.length, 0);
  });

  test("given a stuck process, kills it and answers further names in a new one", async () => {
    const scripts = [STUCK, LOOKUP_SCRIPT];
    const ends: Promise<void>[] = [];
    const helpers = new LookupHelpers((onMessage: (message: HelperMessage) => void, onEnd) => {
      let over = (): void => {};
      ends.push(
        new Promise((resolve) => {
          over = resolve;
        }),
      );
      return startScript(scripts.shift() ?? "", HELPER_THREADS, onMessage, () => {
        onEnd();
        over();
      });
    });
    const controller = new AbortController();
    const stuck = helpers.lookup("stuck.example", controller.signal, () => controller.abort(new Error("enough")));
    assert.is(await stuck.catch((error: Error) => error.message), "enough");
    await ends[0];
    assert.equal(await helpers.lookup("127.0.0.1", NEVER, () => {}), [{ address: "127.0.0.1", family: 4 }]);
    assert.is(ends.length, 2);
    helpers.close();
    await ends[1];
  });

  test("given more silent names than all processes take, ends the oldest process and answers the next name", async () => {
    const { start, processes } = fakeHelpers();
    const helpers = new LookupHelpers(start);
    const codes: string[] = [];
    const ask = (name: string): void =>
      void helpers.lookup(name, NEVER, () => {}).catch((error: LookupError) => codes.push(error.code));
    for (let index = 0; index < MOST_HELPERS * MOST_IN_HELPER; index += 1) ask(`silent${index}`);
    assert.is(processes.length, MOST_HELPERS);
    assert.not(processes.some(({ isKilled }) => isKilled));
    const good = helpers.lookup("good.example", NEVER, () => {});
    assert.is(processes.length, MOST_HELPERS + 1);
    assert.is(processes.filter(({ isKilled }) => isKilled).length, 1);
    processes.at(-1)?.say("ready");
    processes.at(-1)?.say({ id: 1, code: null, addresses: [{ address: "192.0.2.1", family: 4 }] });
    assert.is((await good).length, 1);
    assert.equal(
      codes,
      Array.from({ length: MOST_IN_HELPER }, () => "ERR_TOO_MANY_LOOKUPS"),
    );
    helpers.close();
    assert.ok(processes.every(({ isKilled }) => isKilled));
  });

  test("given a system that refuses a process, looks up in this process", async () => {
    const helpers = new LookupHelpers(() => {
      throw Object.assign(new Error("spawn ENOMEM"), { code: "ENOMEM" });
    });
    assert.equal(await helpers.lookup("127.0.0.1", NEVER, () => {}), [{ address: "127.0.0.1", family: 4 }]);
    helpers.close();
  });

  test("given a process that cannot be started, looks up in this process", async () => {
    const helpers = new LookupHelpers((_, onEnd) => {
      setImmediate(onEnd);
      return { send: () => {}, kill: () => {} };
    });
    assert.equal(await helpers.lookup("127.0.0.1", NEVER, () => {}), [{ address: "127.0.0.1", family: 4 }]);
    helpers.close();
  });
});
