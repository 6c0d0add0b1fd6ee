import { once } from "node:events";
import * as assert from "uvu/assert";
import { get, request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rounds } from "../../../../support/rounds.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("early responses to uploads", (test) => {
  for (const scheme of ["http", "https"] as const) {
    test(`given an early response of a server over ${scheme} that then closes, delivers it to the uploading client`, () =>
      withProxy({}, async (proxy) => {
        const refuse = async (peer: RawPeer): Promise<void> => {
          await peer.head();
          peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbig!");
          peer.socket.destroySoon();
        };
        const server = await (scheme === "http" ? proxy.server(refuse) : proxy.tlsServer(refuse));
        for (let round = 0; round < rounds(10); round += 1) {
          const client =
            scheme === "http"
              ? await RawPeer.to(proxy.port)
              : await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
          client.send(
            scheme === "http"
              ? request("POST", server.port, "/", "Content-Length: 10000000")
              : "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10000000\r\n\r\n",
          );
          client.send(Buffer.alloc(10_000_000));
          assert.match(await client.until("big!"), "HTTP/1.1 413 ", String(round));
          client.close();
        }
      }));
  }

  for (const [title, head] of [
    ["sends Connection: close", "HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"],
    ["speaks HTTP/1.0", "HTTP/1.0 413 Too Large\r\nContent-Length: 4\r\n\r\n"],
  ] as const) {
    test(`given an early response of a server that ${title}, sends the client Connection: close`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(`${head}big!`);
        });
        const client = await RawPeer.to(proxy.port);
        client.send(request("POST", server.port, "/", "Content-Length: 10"));
        assert.match((await client.rest()).toString(), /\r\nConnection: close\r\n.*\r\nbig!$/s);
      }));
  }

  test("given an early response over HTTP/2, sends the client Connection: close and relays the rest both ways", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, (stream) => {
        stream.respond({ ":status": 200 });
        stream.on("data", (bytes: Buffer) => stream.end(bytes));
      });
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\n");
      assert.match(await client.head(), /\r\nConnection: close\r\n/);
      client.send("body");
      assert.match((await client.rest()).toString(), /body\r\n0\r\n\r\n$/);
      await server.stop();
    }));

  for (const kind of ["tunnel", "upgrade"] as const) {
    test(`given a server that closes while it is being sent to, delivers its last bytes, ${kind}`, () =>
      withProxy({ settings: { passThrough: ["p.test"] } }, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          if (kind === "upgrade") {
            await peer.head();
            peer.send("HTTP/1.1 101 S\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n");
          }
          await peer.bytes(1);
          peer.send("last words");
          peer.socket.destroySoon();
        });
        for (let round = 0; round < rounds(10); round += 1) {
          const client =
            kind === "tunnel"
              ? await RawPeer.tunnel(proxy.port, `p.test:${server.port}`)
              : await RawPeer.to(proxy.port);
          if (kind === "upgrade") {
            client.send(get(server.port, "/", "Connection: Upgrade", "Upgrade: foo"));
            await client.head();
          }
          client.send(Buffer.alloc(5_000_000));
          await client.until("last words");
          client.close();
        }
      }));

    test(`given a client that keeps sending after the server has closed, closes its connection, ${kind}`, () =>
      withProxy({ settings: { passThrough: ["p.test"] } }, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          if (kind === "upgrade") {
            await peer.head();
            peer.send("HTTP/1.1 101 S\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n");
          }
          await peer.bytes(1);
          peer.socket.end("last words");
          await peer.until("more");
          peer.close();
        });
        const client =
          kind === "tunnel" ? await RawPeer.tunnel(proxy.port, `p.test:${server.port}`) : await RawPeer.to(proxy.port);
        if (kind === "upgrade") {
          client.send(get(server.port, "/", "Connection: Upgrade", "Upgrade: foo"));
          await client.head();
        }
        client.send("x");
        await client.until("last words");
        assert.is(await client.over, "end");
        const closed = once(client.socket, "close").catch(() => {});
        client.send("more");
        const sending = setInterval(() => client.send("more"), 10);
        await closed;
        clearInterval(sending);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "server-reset");
      }));
  }
});
