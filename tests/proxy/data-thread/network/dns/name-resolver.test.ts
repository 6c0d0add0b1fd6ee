import * as assert from "uvu/assert";
import type { LookupError } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-error.ts";
import {
  HELPER_THREADS,
  MOST_IN_HELPER,
} from "../../../../../extensions/proxy/data-thread/network/dns/lookup-helper.ts";
import {
  type HelperMessage,
  LOOKUP_SCRIPT,
} from "../../../../../extensions/proxy/data-thread/network/dns/lookup-script.ts";
import {
  LookupHelpers,
  MOST_HELPERS,
  NameResolver,
} from "../../../../../extensions/proxy/data-thread/network/dns/name-resolver.ts";
import type { Address } from "../../../../../extensions/proxy/data-thread/network/network-options.ts";
import { startScript } from "../../../../../extensions/proxy/process/child-process.ts";
import { describe } from "../../../../support/describe.ts";
import { addressBook, type FakeDns, fakeDns } from "../../../../support/fake-dns.ts";
import { fakeHelpers } from "../../../../support/fake-helpers.ts";
import { systemWith } from "../../../../support/system-view.ts";

const GOOD = ["192.0.2.1", "2001:db8::1"];

interface Stage {
  readonly resolver: NameResolver;
  readonly server: FakeDns;
  readonly helpers: ReturnType<typeof fakeHelpers>;
}

/** A resolver whose name server knows `good.example`, and is silent for names that begin with "silent". */
async function withResolver(body: (stage: Stage) => Promise<unknown>, most = 1_000): Promise<void> {
  const book = addressBook({ "good.example": GOOD, "xn--bcher-kva.example": GOOD });
  const server = await fakeDns((question) => (question.name.startsWith("silent") ? null : book(question)));
  const helpers = fakeHelpers();
  const system = systemWith({
    hosts: "192.0.2.9 listed.example\n",
    "resolv.conf": "nameserver 127.0.0.1\n",
    "nsswitch.conf": "hosts: files mdns4_minimal [NOTFOUND=return] dns\n",
  });
  const resolver = new NameResolver({ system, start: helpers.start, port: server.port, most });
  try {
    await body({ resolver, server, helpers });
  } finally {
    resolver.close();
    server.close();
  }
}

const sorted = (addresses: readonly Address[]): readonly string[] => addresses.map(({ address }) => address).sort();

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;

describe("name resolver", (test) => {
  test("given 64 silent names, answers a good one while all of them are pending, without libuv's threads", () =>
    withResolver(async ({ resolver, server }) => {
      let settled = 0;
      const silent = Array.from({ length: 64 }, (_, index) =>
        resolver.lookup(`silent${index}.example`).catch(() => {
          settled += 1;
        }),
      );
      await server.asked(2 * silent.length);
      assert.equal(sorted(await resolver.lookup("good.example")), GOOD);
      assert.equal(sorted(await resolver.lookup("listed.example")), ["192.0.2.9"]);
      assert.is(settled, 0);
      assert.not(process.getActiveResourcesInfo().some((resource) => resource.startsWith("GetAddrInfo")));
      resolver.close();
      await Promise.all(silent);
    }));

  test("given several look-ups of a name at once, in any letter case, asks for it once", () =>
    withResolver(async ({ resolver, server }) => {
      const names = ["good.example", "GOOD.example", "good.Example"];
      for (const addresses of await Promise.all(names.map((name) => resolver.lookup(name))))
        assert.equal(sorted(addresses), GOOD);
      assert.is(server.questions.length, 2);
      await resolver.lookup("good.example");
      assert.is(server.questions.length, 4);
    }));

  test("given a name with other letters than ASCII has, asks for its ASCII form (RFC 5891)", () =>
    withResolver(async ({ resolver }) => assert.equal(sorted(await resolver.lookup("bücher.example")), GOOD)));

  test("given as many look-ups as are allowed, ends the one that has taken the longest", () =>
    withResolver(async ({ resolver, server }) => {
      const codes: string[] = [];
      const silent = ["silent1", "silent2", "silent3"].map((name) =>
        resolver.lookup(name).catch((error: NodeJS.ErrnoException) => codes.push(`${name} ${codeOf(error)}`)),
      );
      await server.asked(6);
      assert.equal(sorted(await resolver.lookup("good.example")), GOOD);
      assert.equal(codes, ["silent1 ERR_TOO_MANY_LOOKUPS"]);
      resolver.close();
      await Promise.all(silent);
    }, 3));

  test("given a closed resolver, leaves no look-up and no process", () =>
    withResolver(async ({ resolver, server, helpers }) => {
      const codes = ["silent.example", "printer.local"].map((name) => resolver.lookup(name).catch(codeOf));
      await server.asked(2);
      resolver.close();
      assert.equal(await Promise.all(codes), ["EAI_AGAIN", "EAI_AGAIN"]);
      assert.equal(
        helpers.processes.map(({ isKilled }) => isKilled),
        [true],
      );
    }));

  test("given a name for the system, asks a helper process, and says when it begins", () =>
    withResolver(async ({ resolver, server, helpers }) => {
      let begun = 0;
      const events = {
        begun: () => {
          begun += 1;
        },
        late: () => {},
      };
      const found = [resolver.lookup("printer.local", events), resolver.lookup("Printer.local", events)];
      const [only] = helpers.processes;
      only?.say("ready");
      only?.say({ id: 1, code: null, addresses: [{ address: "192.0.2.7", family: 4 }] });
      for (const addresses of await Promise.all(found)) assert.equal(sorted(addresses), ["192.0.2.7"]);
      assert.is(begun, 2);
      assert.is(helpers.processes.length, 1);
      assert.is(server.questions.length, 0);
      await resolver.lookup("good.example", events);
      assert.is(begun, 2);
    }));

  test("given an IPv4 address in any spelling, sends no query", () =>
    withResolver(async ({ resolver, server }) => {
      for (const name of ["127.1", "0x7f000001", "2130706433", "0177.0.0.1"])
        assert.equal(await resolver.lookup(name), [{ address: "127.0.0.1", family: 4 }]);
      assert.is(server.questions.length, 0);
    }));
});

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
