import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";
import { REPAIRED_RESPONSES } from "../http1/repaired.ts";

/** The proxy's complete response on a new connection. */
async function answerTo(proxy: TestProxy, method: string, port: number, version = "1.1"): Promise<RawPeer> {
  const client = await RawPeer.to(proxy.port);
  const close = "Connection: close\r\n";
  client.send(`${method} http://a.test:${port}/ HTTP/${version}\r\nHost: a.test:${port}\r\n${close}\r\n`);
  return client;
}

/** Without the lines for this hop and the version, since connection fields may differ. */
function withoutHop(text: string): string {
  return text.replace(/^HTTP\/1\.0/, "HTTP/1.1").replaceAll(/^Connection: .*\r\n/gim, "");
}

describe("relay of repaired responses", (test) => {
  test(`given ${REPAIRED_RESPONSES.length} faulty responses, delivers each repaired and tags its row with the faults`, () =>
    withProxy({}, async (proxy) => {
      for (const [index, { title, bytes, method, forwarded, repairs }] of REPAIRED_RESPONSES.entries()) {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(bytes);
          peer.socket.end();
        });
        const client = await answerTo(proxy, method, server.port);
        assert.is(withoutHop((await client.rest()).toString("latin1")), withoutHop(forwarded), title);
        const { ended, response } = await proxy.traffic.row(index);
        assert.is(ended.outcome.kind, "responded", title);
        assert.equal([...ended.tags].sort(), [...repairs].sort(), title);
        assert.ok(response !== null && forwarded.includes(response.head), title);
        client.close();
      }
    }));

  test("given a client of HTTP/2, delivers each repaired response and tags its row with the faults", () =>
    withProxy({}, async (proxy) => {
      const bodies = REPAIRED_RESPONSES.filter(({ method }) => method === "GET");
      let next = 0;
      const server = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.send(bodies[next]?.bytes ?? "");
        peer.socket.end();
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (const { title, forwarded, repairs } of bodies) {
        const reply = await ask(session, { ":path": "/" });
        assert.is(reply.status, 200, title);
        const isFive = forwarded.endsWith("hello") || forwarded.includes("\r\nhello\r\n");
        if (isFive) assert.is(reply.body.toString(), "hello", title);
        const { ended } = await proxy.traffic.row(next);
        assert.equal([...ended.tags].sort(), [...repairs].sort(), title);
        next += 1;
      }
      session.destroy();
    }));

  test("given a reused connection, tags only the row whose response was faulty", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(
        answering((head) => (head.startsWith("GET /bad") ? ok("x", "A : b") : ok("x", "A: b"))),
      );
      const client = await RawPeer.to(proxy.port);
      for (const path of ["/good", "/bad", "/good"]) {
        client.send(`GET http://a.test:${server.port}${path} HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
        assert.match(await client.head(), "A: b\r\n");
        await client.bytes(1);
      }
      await proxy.traffic.row(2);
      assert.equal(
        proxy.traffic.rows.map(({ ended }) => ended.tags),
        [[], ["repaired:blank-before-colon"], []],
      );
      assert.is(server.peers.length, 1);
      client.close();
    }));
});

/** Responses with more than one reading, and the reason shown. */
const REFUSED: readonly (readonly [title: string, bytes: string, says: string])[] = [
  ["two lengths that differ", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "Content-Length"],
  [
    "a NUL in a value",
    "HTTP/1.1 200 OK\r\nX-Odd: a\0b\r\nContent-Length: 0\r\n\r\n",
    "a control character or a bare carriage return in X-Odd",
  ],
  [
    "a bare CR in a value",
    "HTTP/1.1 200 OK\r\nX-Odd: a\rb\r\nContent-Length: 0\r\n\r\n",
    "a bare carriage return in X-Odd",
  ],
  ["a blank in a name", "HTTP/1.1 200 OK\r\nX Odd: a\r\nContent-Length: 0\r\n\r\n", "name"],
];

/** A good chunk, then a fault that cannot be repaired. */
const BROKEN = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nx\r\n";

describe("relay of refused responses", (test) => {
  for (const [title, bytes, says] of REFUSED) {
    test(`given ${title}, responds 502 and names the fault to the client and in the row`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(answering(() => bytes));
        const client = await answerTo(proxy, "GET", server.port);
        const answer = (await client.rest()).toString("latin1");
        assert.match(answer, /^HTTP\/1\.1 502 /);
        assert.match(answer, says);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.equal([outcome.kind === "failed" && outcome.errorType, outcome.status], ["response-malformed", 502]);
        assert.match(outcome.kind === "failed" ? outcome.detail : "", says);
        client.close();
      }));
  }

  for (const [scheme, version, over] of [
    ["http", "1.1", "end"],
    ["https", "1.1", "end"],
    ["http", "1.0", "ECONNRESET"],
  ] as const) {
    test(`given a fault within a body, from ${scheme} to HTTP/${version}, delivers what came before and does not complete it`, () =>
      withProxy({}, async (proxy) => {
        const server = await (scheme === "http" ? proxy.server : proxy.tlsServer)(answering(() => BROKEN));
        const authority = `a.test:${server.port}`;
        const client =
          scheme === "http"
            ? await RawPeer.to(proxy.port)
            : await RawPeer.secure(proxy.port, authority, proxy.clientCa);
        const target = scheme === "http" ? `http://${authority}/` : "/";
        client.send(`GET ${target} HTTP/${version}\r\nHost: ${authority}\r\n\r\n`);
        assert.is(await client.over, over);
        const got = client.received.toString("latin1");
        if (version === "1.1") assert.match(got, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n5\r\nhello\r\n$/s);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "response-malformed");
        assert.match(outcome.kind === "failed" ? outcome.detail : "", "cut off after 5 bytes of its body");
        assert.match(outcome.kind === "failed" ? outcome.detail : "", "a chunk size");
        client.close();
      }));
  }

  test("given a fault within a body, to HTTP/2, resets the stream", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => BROKEN));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const trouble = await ask(session, { ":path": "/" }).then(
        () => "",
        (error: Error) => error.message,
      );
      assert.match(trouble, "INTERNAL_ERROR");
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "response-malformed");
      session.destroy();
    }));
});
