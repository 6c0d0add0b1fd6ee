import { once } from "node:events";
import { connect as tlsConnect } from "node:tls";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const SUITES_1_3 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
/** Each for both kinds of keys that a leaf may have. */
const SUITES_1_2 = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map(
  (suite) => `ECDHE-ECDSA-${suite}:ECDHE-RSA-${suite}`,
);

const clientTls = fc.oneof(
  fc.record({ version: fc.constant("TLSv1.3" as const), ciphers: fc.constantFrom(...SUITES_1_3) }),
  fc.record({ version: fc.constant("TLSv1.2" as const), ciphers: fc.constantFrom(...SUITES_1_2) }),
);

describe("what a client's handshake agreed on", (test) => {
  test("given drawn versions, ciphers and protocols, records it as the client has it, once a connection", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const protocols = fc.constantFrom<string[]>([], ["http/1.1"], ["acme/1", "http/1.1"]);
      await fc.assert(
        fc.asyncProperty(clientTls, protocols, fc.integer({ min: 1, max: 3 }), async (drawn, offered, requests) => {
          const begun = proxy.traffic.events.length;
          const ended = proxy.traffic.rows.length;
          const { socket } = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
          socket.removeAllListeners("data");
          const { version, ciphers } = drawn;
          const secured = tlsConnect({
            ...{ socket, servername: "a.test", ca: [proxy.clientCa], ciphers, ALPNProtocols: offered },
            ...{ minVersion: version, maxVersion: version },
          });
          await once(secured, "secureConnect");
          const client = new RawPeer(secured);
          for (let sent = 0; sent < requests; sent += 1) {
            client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
            await proxy.traffic.row(ended + sent);
          }
          const events = proxy.traffic.events.slice(begun);
          const starts = events.filter((event) => event.type === "request-started");
          const handshakes = events.filter((event) => event.type === "client-secured");
          assert.is(starts.length, requests);
          const [handshake, ...others] = handshakes;
          assert.equal(others, []);
          assert.ok(handshake);
          assert.equal(
            starts.map(({ clientConnection }) => clientConnection),
            starts.map(() => handshake.connection),
          );
          assert.equal(handshake.tls, {
            version,
            cipher: secured.getCipher().standardName,
            alpn: offered.includes("http/1.1") ? "http/1.1" : null,
            resumed: false,
          });
          assert.ok(handshake.at <= (starts[0]?.at ?? 0), "the handshake ended before the request");
          client.close();
        }),
        { numRuns: 12 },
      );
    }));

  test("given HTTP/2, records it; given exchanges that are not recorded, with the first that is", () =>
    withProxy({}, async (proxy) => {
      proxy.traffic.unwanted = ["a.test"];
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      await ask(session, { ":path": "/" });
      assert.equal(proxy.traffic.events, []);
      proxy.traffic.unwanted = [];
      await ask(session, { ":path": "/" });
      const { connection, tls } = await proxy.traffic.event("client-secured");
      assert.equal([tls.version, tls.alpn], ["TLSv1.3", "h2"]);
      assert.is((await proxy.traffic.row(0)).started.clientConnection, connection);
      session.destroy();
    }));
});
