import * as assert from "uvu/assert";
import { CLOCK } from "../../../extensions/proxy/clock.ts";
import type { Resolver } from "../../../extensions/proxy/network/network-options.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { waitOf } from "../../../src/engine/model/wait.ts";
import { get } from "../../support/absolute-form.ts";
import { describe } from "../../support/describe.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { testResolver, withProxy } from "../../support/test-proxy.ts";

describe("times of the relay", (test) => {
  test("each instant lies between what came before it and what came after it", async () => {
    const lookup = new Span();
    const resolver: Resolver = { lookup: (name) => lookup.over(() => testResolver.lookup(name)) };
    await withProxy({ resolver }, async (proxy) => {
      const working = new Span();
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        await working.over(async () => {});
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na");
      });
      const client = await RawPeer.secure(proxy.port, `e.test:${server.port}`, proxy.clientCa);
      const waiting = new Span();
      const reading = new Span();
      await waiting.over(async () => {
        client.send("GET / HTTP/1.1\r\nHost: e.test\r\n\r\n");
        await client.until("\r\n\r\na");
      });
      await reading.over(async () => {
        (await server.peer(0)).send("b");
        await client.until("b");
      });
      const { instants } = (await proxy.traffic.row(0)).ended;
      isInOrder([
        ["asked", waiting.from],
        ["startTime", instants.startTime],
        ["headReceived", instants.headReceived],
        ["domainLookupStart", instants.domainLookupStart],
        ["looked up", lookup.from],
        ["found", lookup.to],
        ["domainLookupEnd", instants.domainLookupEnd],
        ["connectStart", instants.connectStart],
        ["secureConnectionStart", instants.secureConnectionStart],
        ["connectEnd", instants.connectEnd],
        ["requestStart", instants.requestStart],
        ["requestEnd", instants.requestEnd],
        ["heard by the server", working.from],
        ["answered by the server", working.to],
        ["responseStart", instants.responseStart],
        ["responseForwarded", instants.responseForwarded],
        ["begun to be read", waiting.to],
        ["gone on by the server", reading.from],
        ["responseEnd", instants.responseEnd],
        ["read", reading.to],
      ]);
      client.close();
    });
  });

  test("what a server kept silent before it closed a used connection was waiting, and not the proxy's", () =>
    withProxy({}, async (proxy) => {
      const silent = new Span();
      const server = await proxy.server(async (peer) => {
        if (server.peers.length > 1) return answered(peer);
        await answered(peer);
        await peer.head();
        await silent.over(async () => peer.close());
      });
      const client = await RawPeer.to(proxy.port);
      for (let round = 0; round < 2; round += 1) {
        client.send(get(server.port));
        await client.head();
      }
      const { ended } = await proxy.traffic.row(1);
      const { instants } = ended;
      const wait = waitOf({ ...ended, endTime: ended.at });
      assert.is(wait?.waitedFor, "retry");
      isInOrder([
        ["headReceived", instants.headReceived],
        ["heard by the server", silent.from],
        ["closed by the server", silent.to],
        ["waited", (instants.startTime + (wait?.to ?? 0)) as Instant],
        ["requestStart", instants.requestStart],
      ]);
      assert.ok((wait?.from ?? Number.NaN) + instants.startTime <= (silent.from ?? 0));
      client.close();
    }));

  test("the first exchange of all holds nothing of what TLS with servers needs once", async () => {
    await withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answered);
      const client = await RawPeer.secure(proxy.port, `e.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: e.test\r\n\r\n");
      const { started } = await proxy.traffic.row(0);
      assert.ok(proxy.trustReadAt !== null && proxy.trustReadAt <= started.at, "roots are read before it begins");
      client.close();
    });
  });

  test("nor does one in clear or one that we answer, for which no roots are read at all", async () => {
    await withProxy({}, async (proxy) => {
      const prober = await RawPeer.secure(proxy.port, "probe.weir.test:443", proxy.clientCa);
      prober.send("GET /anything/weir/curl HTTP/1.1\r\nHost: probe.weir.test\r\n\r\n");
      await prober.until("https://probe.weir.test/anything/weir/curl");
      prober.close();
      const server = await proxy.server(answered);
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://e.test:${server.port}/ HTTP/1.1\r\nHost: e.test:${server.port}\r\n\r\n`);
      await proxy.traffic.row(1);
      assert.is(proxy.trustReadAt, null);
      client.close();
    });
  });
});

/** When something that the test does was begun and done, by the proxy's own clock. */
class Span {
  from: Instant | null = null;
  to: Instant | null = null;

  async over<Result>(work: () => Promise<Result>): Promise<Result> {
    this.from = CLOCK.now();
    const result = await work();
    this.to = CLOCK.now();
    return result;
  }
}

function isInOrder(moments: readonly (readonly [name: string, at: Instant | null])[]): void {
  let before = "the start";
  let since = 0;
  for (const [name, at] of moments) {
    assert.ok(at !== null && at >= since, `${name}: ${at}, ${before}: ${since}`);
    before = name;
    since = at ?? 0;
  }
}

async function answered(peer: RawPeer): Promise<void> {
  await peer.head();
  peer.send("HTTP/1.1 204 No Content\r\n\r\n");
}
