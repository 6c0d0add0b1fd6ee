import * as assert from "uvu/assert";
import { ProxySwitch } from "../../../extensions/proxy/data-thread/proxy-switch.ts";
import type { ProxyState } from "../../../src/engine/messages/status-messages.ts";
import { describe } from "../../support/describe.ts";

/** A switch over a fake listener that records its calls, and cannot listen at `taken`. */
interface Stage {
  /** The arguments of the last call. */
  readonly port?: number | null;
  /** An address or port at which it cannot listen. */
  readonly taken?: string | number;
  readonly code?: string;
}

function switched(given: string, { port = 8686, taken = "", code = "EADDRINUSE" }: Stage = {}) {
  const asked: string[] = [];
  const told: ProxyState[] = [];
  const listener = {
    start: async (address: string, wanted: number) => {
      if (address === taken || wanted === taken) throw Object.assign(new Error(`taken: ${code}`), { code });
      asked.push(`start ${address}:${wanted}`);
      return { address, port: wanted };
    },
    stop: async () => void asked.push("stop"),
  };
  const proxy = new ProxySwitch({ listener, address: given, port, onState: (state) => told.push(state) });
  return { proxy, asked, told };
}

describe("proxy switch and its reach", (test) => {
  test("given a change of the reach, listens for the network on the same port, and for this computer only again", async () => {
    const { proxy, asked, told } = switched("127.0.0.1");
    await proxy.run(true);
    await proxy.reach(true);
    await proxy.reach(true);
    await proxy.reach(false);
    assert.equal(asked, ["start 127.0.0.1:8686", "stop", "start 0.0.0.0:8686", "stop", "start 127.0.0.1:8686"]);
    assert.equal(
      told.map(({ address }) => address),
      ["127.0.0.1", "0.0.0.0", "127.0.0.1"],
    );
    assert.ok(
      told.every(({ running }) => running),
      "nobody is told that it stopped",
    );
  });

  test("given an IPv6 address that cannot be used, shows it in brackets before its port", async () => {
    const { proxy } = switched("::1", { taken: "::" });
    await proxy.run(true);
    const { problem } = await proxy.reach(true);
    assert.is(problem, "The proxy cannot listen on [::]:8686: another program uses that port.");
  });

  test("given a stopped proxy, keeps the reach for the next start without starting", async () => {
    const { proxy, asked } = switched("127.0.0.1");
    assert.equal(await proxy.reach(true), {
      running: false,
      address: "0.0.0.0",
      port: 8686,
      wantedPort: null,
      problem: null,
    });
    await proxy.run(true);
    assert.equal(asked, ["start 0.0.0.0:8686"]);
  });

  for (const [given, everywhere, here] of [
    ["127.0.0.2", "0.0.0.0", "127.0.0.2"],
    ["::1", "::", "::1"],
    ["localhost", "0.0.0.0", "localhost"],
    ["192.168.1.5", "192.168.1.5", "127.0.0.1"],
    ["0.0.0.0", "0.0.0.0", "127.0.0.1"],
  ] as const) {
    test(`given ${given}, switches between ${everywhere} and ${here}`, async () => {
      const { proxy } = switched(given);
      assert.is((await proxy.reach(true)).address, everywhere);
      assert.is((await proxy.reach(false)).address, here);
    });
  }

  test("given a port that is taken in the network, keeps the previous address and names the problem", async () => {
    const { proxy, asked } = switched("127.0.0.1", { taken: "0.0.0.0" });
    await proxy.run(true);
    const { running, address, problem } = await proxy.reach(true);
    assert.equal(
      [running, address, problem],
      [true, "127.0.0.1", "The proxy cannot listen on 0.0.0.0:8686: another program uses that port."],
    );
    assert.is(asked.at(-1), "start 127.0.0.1:8686");
    assert.is((await proxy.reach(false)).problem, null);
  });

  test("given a default port that the system forbids (Windows), takes the next one", async () => {
    const { proxy } = switched("127.0.0.1", { port: null, taken: 8686, code: "EACCES" });
    const { running, port, wantedPort, problem } = await proxy.run(true);
    assert.equal([running, port, wantedPort, problem], [true, 8687, 8686, null]);
  });

  test("given a forbidden port that the user chose, does not start and shows the system's message", async () => {
    const { proxy } = switched("127.0.0.1", { port: 80, taken: 80, code: "EACCES" });
    const { running, problem } = await proxy.run(true);
    assert.equal([running, problem], [false, "The proxy cannot listen on 127.0.0.1:80: taken: EACCES."]);
  });
});
