import * as assert from "uvu/assert";
import { latencyOf, phasesOf } from "../../../src/engine/model/phases.ts";
import { describe } from "../../support/describe.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { testResolver, withProxy } from "../../support/test-proxy.ts";

describe("times of the relay", (test) => {
  test("each phase is as long as it was made to be", async () => {
    const resolver = {
      lookup: async (name: string) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        return await testResolver.lookup(name);
      },
    };
    await withProxy({ resolver }, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        await new Promise((resolve) => setTimeout(resolve, 90));
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na");
        await new Promise((resolve) => setTimeout(resolve, 70));
        peer.send("b");
      });
      const client = await RawPeer.secure(proxy.port, `e.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: e.test\r\n\r\n");
      const { instants } = (await proxy.traffic.row(0)).ended;
      const { dns, connect, tls, ttfb, transfer } = phasesOf(instants);
      isAbout(dns, 60);
      isAbout(ttfb, 90);
      isAbout(transfer, 70);
      assert.ok(connect !== null && connect >= 0);
      assert.ok(tls !== null && tls > 0);
      const latency = latencyOf(instants) ?? 0;
      const sum = [dns, connect, tls, ttfb, transfer].reduce<number>((total, phase) => total + (phase ?? 0), 0);
      assert.ok(latency >= sum && latency - sum < 40, `${latency} ms in all, ${sum} ms in phases`);
      client.close();
    });
  });

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

  test("nor does one in clear, for which no roots are read at all", async () => {
    await withProxy({}, async (proxy) => {
      const server = await proxy.server(answered);
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://e.test:${server.port}/ HTTP/1.1\r\nHost: e.test:${server.port}\r\n\r\n`);
      await proxy.traffic.row(0);
      assert.is(proxy.trustReadAt, null);
      client.close();
    });
  });
});

function isAbout(actual: number | null, made: number): void {
  assert.ok(actual !== null && actual >= made - 2 && actual < made + 40, `${actual} ms instead of ${made} ms`);
}

async function answered(peer: RawPeer): Promise<void> {
  await peer.head();
  peer.send("HTTP/1.1 204 No Content\r\n\r\n");
}
