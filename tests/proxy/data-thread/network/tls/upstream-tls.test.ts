import type { TlsOptions } from "node:tls";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("upstream TLS", (test) => {
  test("given a TLS ticket that comes after the trusted certificates have changed, does not resume its session", () =>
    withProxy({}, async (proxy) => {
      let isHeard = (): void => {};
      const heard = new Promise<void>((resolve) => {
        isHeard = resolve;
      });
      const hellos: (() => void)[] = [];
      const SNICallback: NonNullable<TlsOptions["SNICallback"]> = (name, done) => {
        const answer = (): void => done(null, proxy.servers.leaves.contextFor(name));
        if (hellos.push(answer) > 1) return answer();
        isHeard();
      };
      const server = await rawServer(
        answering(() => ok("it", "Connection: close")),
        { SNICallback },
      );
      const other = await proxy.tlsServer();
      const ask = async (port: number): Promise<string> => {
        const client = await RawPeer.secure(proxy.port, `a.test:${port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
        const answer = (await client.rest()).toString();
        client.close();
        return answer;
      };
      const first = ask(server.port);
      await heard;
      proxy.trust([proxy.clientCa]);
      assert.match(await ask(other.port), "tls-untrusted");
      hellos[0]?.();
      assert.match(await first, /^HTTP\/1\.1 200 /);
      assert.match(await ask(server.port), "tls-untrusted");
      await server.stop();
    }));
});
