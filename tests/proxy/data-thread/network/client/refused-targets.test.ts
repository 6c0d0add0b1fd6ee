import { readdirSync } from "node:fs";
import { hostname } from "node:os";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { failsWith } from "../../../../support/failing-request.ts";
import { type FurtherProxy, furtherProxy } from "../../../../support/further-proxy.ts";
import { hasIpv6, lanAddress } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

const lan = lanAddress();
const needsLan = lan === null ? "needs a network address" : null;

/** docs/security.md S11: nine spellings of this machine, and the address that each resolves to. */
const SPELLINGS: readonly (readonly [name: string, address: string])[] = [
  ["127.0.0.1", "127.0.0.1"],
  ["127.0.0.2", "127.0.0.2"],
  ["localhost", "127.0.0.1"],
  ["[::1]", "::1"],
  ["0.0.0.0", "0.0.0.0"],
  ["[::ffff:127.0.0.1]", "::ffff:127.0.0.1"],
  // As the system's resolver reads it.
  ["2130706433", "127.0.0.1"],
  [hostname().toLowerCase(), lan ?? "127.0.1.1"],
  ["rebound.example", "127.0.0.1"],
];

const resolver = {
  lookup: async (name: string) => {
    const [, address] = SPELLINGS.find(([spelling]) => spelling === name) ?? ["", "127.0.0.1"];
    return [{ address, family: address.includes(":") ? (6 as const) : (4 as const) }];
  },
};

const ours = { resolver, address: hasIpv6() ? "::" : "0.0.0.0" };

async function connectIsRefused(proxy: TestProxy, authority: string): Promise<void> {
  const tunnel = await RawPeer.to(proxy.port);
  tunnel.send(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.match(await tunnel.head(), "HTTP/1.1 508 ");
  await tunnel.rest();
  tunnel.close();
  assert.equal((await proxy.traffic.row(proxy.traffic.rows.length - 1)).ended.tags, ["tunnel"]);
}

describe("loop protection", (test) => {
  for (const [name, address] of SPELLINGS) {
    test(
      `given Weir's own port, at ${name === hostname().toLowerCase() ? "this machine" : name}, refuses a request and a CONNECT`,
      () =>
        withProxy(ours, async (proxy) => {
          await failsWith(proxy, `http://${name}:${proxy.port}/x`, "loop-refused", 508, "Weir itself");
          await connectIsRefused(proxy, `${name}:${proxy.port}`);
        }),
      { skip: address === "::1" && !hasIpv6() ? "needs IPv6" : null },
    );
  }

  test("given the port of Weir's UI, refuses a request and a CONNECT and sends nothing to it", async () => {
    const ui = await rawServer();
    await withProxy({ ...ours, ownPorts: [ui.port] }, async (proxy) => {
      await failsWith(proxy, `http://localhost:${ui.port}/x`, "loop-refused", 508, "Weir itself");
      await connectIsRefused(proxy, `localhost:${ui.port}`);
    });
    assert.ok(ui.peers.every((peer) => peer.total === 0));
    await ui.stop();
  });

  test("given 50 refused tunnels to Weir itself, leaves no descriptor open", () =>
    withProxy(ours, async (proxy) => {
      const before = descriptors();
      for (let round = 0; round < 50; round += 1) await connectIsRefused(proxy, `localhost:${proxy.port}`);
      while (proxy.listener.connections > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      assert.ok(descriptors() <= before + 4, `${descriptors()} after ${before}`);
    }));
});

describe("private targets of network clients", (test) => {
  test(
    "given a private, loopback or link-local address, refuses and names the setting, unless it is allowed",
    () =>
      withProxy({ address: lan ?? "", resolver }, async (proxy) => {
        const server = await proxy.server(answering(() => ok("inside")));
        const hosts = ["127.0.0.1", "[::1]", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]"];
        for (const host of [...hosts, "[fd00::1]", "[::ffff:10.0.0.1]", "0.0.0.0", "name.example"]) {
          const words =
            "turn on “Allow private addresses from the local network” in Settings, Proxy, or start Weir with --allow-private-targets.";
          const url = `http://${host}:${server.port}/`;
          await failsWith(proxy, url, "target-refused", 403, words, lan ?? "");
        }
        assert.is(server.peers.length, 0);
        proxy.settings.privateTargetsFromLan = true;
        const client = await RawPeer.to(proxy.port, lan ?? "");
        client.send(`GET http://127.0.0.1:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
        await client.until("inside");
        client.close();
      }),
    { skip: needsLan },
  );

  test(
    "given a private address, refuses a tunnel and a request through an upstream proxy",
    () =>
      withProxy({ address: lan ?? "", resolver, settings: { passThrough: ["127.0.0.1"] } }, async (proxy) => {
        const server = await proxy.server();
        const tunnel = await RawPeer.to(proxy.port, lan ?? "");
        tunnel.send(`CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
        assert.match((await tunnel.rest()).toString(), "403 Forbidden");
        tunnel.close();
        proxy.settings.upstreamProxy = `http://127.0.0.1:${server.port}`;
        await failsWith(proxy, "http://10.0.0.1/", "target-refused", 403, "private addresses", lan ?? "");
        assert.is(server.peers.length, 0);
      }),
    { skip: needsLan },
  );

  test(
    "given the address at which the client came, refuses a request and a tunnel to it",
    () =>
      withProxy({ address: lan ?? "", resolver, settings: { passThrough: ["*"] } }, async (proxy) => {
        const server = await proxy.server();
        await failsWith(proxy, `http://${lan}:${server.port}/`, "target-refused", 403, "private addresses", lan ?? "");
        const tunnel = await RawPeer.to(proxy.port, lan ?? "");
        tunnel.send(`CONNECT ${lan}:${server.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
        assert.match((await tunnel.rest()).toString(), "403 Forbidden");
        tunnel.close();
        const bytes = (lan ?? "").split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"));
        const mapped = `http://[::ffff:${bytes.slice(0, 2).join("")}:${bytes.slice(2).join("")}]:${server.port}/`;
        await failsWith(proxy, mapped, "target-refused", 403, "private addresses", lan ?? "");
      }),
    { skip: needsLan },
  );

  test(
    "given a kept connection to a private address, through an upstream proxy, refuses a request to it",
    () =>
      withFurther(async (proxy, further) => {
        const server = await proxy.server(answering(() => ok("inside")));
        const url = `http://10.0.0.1:${server.port}/`;
        const local = await RawPeer.to(proxy.port);
        local.send(`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
        await local.until("inside");
        local.close();
        assert.is(further.heads.length, 1);
        await failsWith(proxy, url, "target-refused", 403, "private addresses", lan ?? "");
        assert.is(server.peers.length, 1);
      }),
    { skip: needsLan },
  );

  for (const host of ["2130706433", "0x7f.1", "127.1", "localhost.", "a.localhost", "0xa.1", "167772161"]) {
    test(
      `given ${host}, a spelling of a private address, refuses it through an upstream proxy`,
      () =>
        withFurther(async (proxy, further) => {
          await failsWith(proxy, `http://${host}:1/`, "target-refused", 403, "private addresses", lan ?? "");
          assert.equal(further.heads, []);
        }),
      { skip: needsLan },
    );
  }

  test("given a client on this machine, lets it reach a loopback address", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("inside")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://127.0.0.1:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("inside");
      client.close();
    }));
});

/** A proxy open to the network, behind an upstream proxy. */
async function withFurther(body: (proxy: TestProxy, further: FurtherProxy) => Promise<unknown>): Promise<void> {
  const further = await furtherProxy();
  try {
    const settings = { upstreamProxy: `http://127.0.0.1:${further.port}` };
    await withProxy({ address: "0.0.0.0", resolver, settings }, (proxy) => body(proxy, further));
  } finally {
    await further.stop();
  }
}

function descriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
