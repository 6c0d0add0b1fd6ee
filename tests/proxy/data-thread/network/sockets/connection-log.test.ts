import { once } from "node:events";
import fc from "fast-check";
import * as assert from "uvu/assert";
import { get, request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { rounds } from "../../../../support/rounds.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** The log lines of one proxy. */
class Lines {
  readonly all: string[] = [];
  #written: () => void = () => {};

  readonly write = (line: string): void => {
    this.all.push(line);
    this.#written();
  };

  /** Resolves once a line contains that event. */
  async until(event: string): Promise<void> {
    while (!this.all.some((line) => line.endsWith(`: ${event}`)))
      await new Promise<void>((resolve) => {
        this.#written = resolve;
      });
  }

  /** The events of the connection with that id. */
  of(id: string): string[] {
    return this.all.filter((line) => line.startsWith(`${id} `)).map((line) => line.slice(line.indexOf(": ") + 2));
  }
}

/** Text that occurs nowhere else, so finding it proves that it was logged. */
const secret = fc.stringMatching(/^[a-z]{16}$/);

describe("connection debug log", (test) => {
  test("given a request, has a line for each step with its connection's id and peer, and no header, query or body", () =>
    fc.assert(
      fc.asyncProperty(secret, fc.stringMatching(/^[a-z]{1,8}$/), async (hidden, path) => {
        const lines = new Lines();
        await withProxy({ debug: lines.write }, async (proxy) => {
          const server = await proxy.server(async (peer) => {
            await peer.head();
            await peer.bytes(hidden.length);
            peer.send(ok(hidden, `Set-Cookie: ${hidden}`, `${hidden}: 1`));
          });
          const client = await RawPeer.to(proxy.port);
          const fields = [`Cookie: ${hidden}`, `Content-Length: ${hidden.length}`, "Connection: close"];
          client.send(request("POST", server.port, `/${path}?${hidden}=${hidden}`, ...fields) + hidden);
          await client.rest();
          client.socket.end();
          await lines.until("closed");
          assert.equal(lines.of("c1"), [
            "accepted",
            "first bytes of a request received",
            `request POST http://a.test:${server.port}/${path}`,
            "waits for a connection to the server",
            `uses s1 127.0.0.1:${server.port} http/1.1 (dialled for it)`,
            "request head sent",
            "request sent to its end",
            "first byte of the response received",
            "response head received: 200",
            "response begins to be sent to the client",
            "response sent to its end",
            "ended: 200",
            "closing: the exchange ended the connection",
            "the client half-closed",
            "closed",
          ]);
          assert.equal(lines.of("d1"), [
            "looks up a.test",
            `connects to 127.0.0.1 port ${server.port}`,
            "TCP connected to 127.0.0.1",
            "connected",
          ]);
          assert.match(lines.all[0] ?? "", /^c1 127\.0\.0\.1:\d+: accepted$/);
          assert.equal(
            lines.all.filter((line) => line.includes(hidden)),
            [],
          );
        });
      }),
      { numRuns: rounds(5) },
    ));

  test("given a server that never responds, ends with what is waited for, then with the time-out", async () => {
    const lines = new Lines();
    await withProxy({ debug: lines.write, limits: { response: 100 } }, async (proxy) => {
      const server = await proxy.server(() => {});
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await lines.until("request sent to its end");
      assert.is(lines.of("c1").at(-1), "request sent to its end");
      await lines.until("ended: response-timeout");
      client.close();
    });
  });

  test("given a client that sends no request, closes it with the reason", async () => {
    const lines = new Lines();
    await withProxy({ debug: lines.write, limits: { head: 50 } }, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      await lines.until("closing: idle for 50 ms");
      client.close();
      await lines.until("closed");
      assert.equal(lines.of("c1").slice(0, 2), ["accepted", "closing: idle for 50 ms"]);
    });
  });

  test("given a server that refuses connections, names the failure of the dial and of the exchange", async () => {
    const lines = new Lines();
    await withProxy({ debug: lines.write }, async (proxy) => {
      const server = await proxy.server();
      await server.stop();
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.head();
      assert.is(lines.of("d1").at(-1), "failed: connection-refused");
      assert.ok(lines.of("c1").includes("ended: connection-refused"));
      client.close();
    });
  });

  test("given an intercepted tunnel, has one id from CONNECT to the request inside", async () => {
    const lines = new Lines();
    await withProxy({ debug: lines.write }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send(`GET /in?q HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
      await client.head();
      await lines.until("ended: 200");
      const events = lines.of("c1");
      const steps = [
        `CONNECT a.test:${server.port}`,
        "tunnel is open, waits for the client's first bytes",
        "tunnel carries: tls",
        "ClientHello for a.test, ALPN none",
        "TLS is answered as a.test",
        "TLS established: TLSv1.3, ALPN none",
        `request GET https://a.test:${server.port}/in`,
        "ended: 200",
      ];
      assert.equal(
        events.filter((event) => steps.includes(event)),
        steps,
      );
      assert.is(lines.of("d1").at(-1), "connected: TLSv1.3, ALPN none");
      client.close();
    });
  });

  test("given a tunnel that passes through, names the side that closes first", async () => {
    const lines = new Lines();
    await withProxy({ debug: lines.write, settings: { passThrough: ["a.test"] } }, async (proxy) => {
      const server = await proxy.server((peer) => peer.socket.resume());
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      await lines.until("bytes pass to the server untouched");
      client.socket.end();
      await lines.until("the client half-closed");
      const peer = await server.peer(0);
      peer.socket.end();
      await lines.until("both sides close: in order");
      await once(client.socket, "close");
    });
  });
});
