import * as assert from "uvu/assert";
import type { LookupError } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-error.ts";
import { LookupHelper, MOST_IN_HELPER } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-helper.ts";
import { describe } from "../../../../support/describe.ts";
import { fakeHelpers } from "../../../../support/fake-helpers.ts";

const NEVER = new AbortController().signal;
const ANSWER = { code: null, addresses: [{ address: "192.0.2.1", family: 4 }] };

describe("lookup helper", (test) => {
  test("given a process that starts, asks it then, and says that the look-up begins", async () => {
    const helpers = fakeHelpers();
    const helper = new LookupHelper(helpers.start, () => {});
    let begun = 0;
    const found = helper.lookup("a.example", NEVER, () => {
      begun += 1;
    });
    const [only] = helpers.processes;
    assert.equal(only?.questions, []);
    only?.say("ready");
    assert.is(begun, 1);
    assert.equal(only?.questions, [{ id: 1, name: "a.example" }]);
    only?.say({ id: 1, ...ANSWER });
    assert.equal(await found, [{ address: "192.0.2.1", family: 4 }]);
    const second = helper.lookup("b.example", NEVER, () => {
      begun += 1;
    });
    assert.is(begun, 1);
    only?.say({ id: 2, code: "ENOTFOUND", addresses: [] });
    assert.is(await second.catch((error: LookupError) => error.code), "ENOTFOUND");
    assert.ok(helper.takesMore);
    helper.kill(new Error("the test has ended"));
  });

  test("given an abandoned look-up, takes no more, answers the others, and then ends its process", async () => {
    const helpers = fakeHelpers();
    const ended: LookupHelper[] = [];
    const helper = new LookupHelper(helpers.start, (one) => ended.push(one));
    const [only] = helpers.processes;
    only?.say("ready");
    const controller = new AbortController();
    const stuck = helper.lookup("stuck.example", controller.signal, () => {}).catch((error: Error) => error.message);
    const good = helper.lookup("good.example", NEVER, () => {});
    controller.abort(new Error("took too long"));
    assert.is(await stuck, "took too long");
    assert.not(helper.takesMore);
    assert.not(only?.isKilled);
    only?.say({ id: 2, ...ANSWER });
    assert.is((await good).length, 1);
    assert.ok(only?.isKilled);
    assert.equal(ended, [helper]);
  });

  test("given as many look-ups as it has threads for, takes no more until one is answered", () => {
    const helpers = fakeHelpers();
    const helper = new LookupHelper(helpers.start, () => {});
    helpers.processes[0]?.say("ready");
    for (let index = 0; index < MOST_IN_HELPER; index += 1)
      void helper.lookup(`a${index}`, NEVER, () => {}).catch(() => {});
    assert.not(helper.takesMore);
    helpers.processes[0]?.say({ id: 7, ...ANSWER });
    assert.ok(helper.takesMore);
    helper.kill(new Error("the test has ended"));
  });

  test("given no further look-up, ends its process after a while", async () => {
    const helpers = fakeHelpers();
    let answered: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      const helper = new LookupHelper(helpers.start, () => resolve(), 1);
      answered = helper.lookup("a.example", NEVER, () => {});
      helpers.processes[0]?.say("ready");
      helpers.processes[0]?.say({ id: 1, ...ANSWER });
      // The idle timer does not keep a process alive that has nothing else to do.
      const other = setInterval(() => helpers.processes[0]?.isKilled && clearInterval(other), 1);
    });
    assert.ok(helpers.processes[0]?.isKilled);
    await answered;
  });

  test("given a process that ends by itself, rejects its look-ups", async () => {
    const helpers = fakeHelpers();
    let ended = 0;
    const helper = new LookupHelper(helpers.start, () => {
      ended += 1;
    });
    const found = helper.lookup("a.example", NEVER, () => {}).catch((error: unknown) => error);
    helpers.processes[0]?.end();
    assert.match(String(await found), "has ended");
    assert.not(helper.takesMore);
    assert.is(ended, 1);
  });
});
