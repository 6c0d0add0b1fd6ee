import fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** A path and query of any bytes that a target may contain, as latin1 text. */
const anyTarget = fc
  .array(
    fc.integer({ min: 0x21, max: 0xff }).filter((byte) => byte !== 0x7f && byte !== 0x23),
    { maxLength: 20 },
  )
  .map((bytes) => `/${Buffer.from(bytes).toString("latin1")}`);

/** Responds with the request's target. */
const echo = answering((head) => ok(head.split(" ")[1] ?? ""));

/** Requests `target` over HTTP/1.1 or HTTP/2, and returns the target that the server read. */
type Asks = (proxy: TestProxy, port: number, target: string) => Promise<string>;

async function bodyOf(client: RawPeer, target: string, url: string): Promise<string> {
  client.send(`GET ${url} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`);
  const answer = (await client.rest()).toString("latin1");
  assert.ok(answer.startsWith("HTTP/1.1 200 "), `${target}: ${answer}`);
  return answer.slice(answer.indexOf("\r\n\r\n") + 4);
}

const WAYS: readonly (readonly [name: string, secure: boolean, asks: Asks])[] = [
  [
    "to the proxy",
    false,
    async (proxy, port, target) => bodyOf(await RawPeer.to(proxy.port), target, `http://a.test:${port}${target}`),
  ],
  [
    "in a tunnel",
    false,
    async (proxy, port, target) => bodyOf(await RawPeer.tunnel(proxy.port, `a.test:${port}`), target, target),
  ],
  [
    "in TLS",
    true,
    async (proxy, port, target) =>
      bodyOf(await RawPeer.secure(proxy.port, `a.test:${port}`, proxy.clientCa), target, target),
  ],
  [
    "in HTTP/2",
    true,
    async (proxy, port, target) => {
      const session = await http2Client(proxy, `https://a.test:${port}`);
      const { body } = await ask(session, { ":path": target });
      session.destroy();
      return body.toString("latin1");
    },
  ],
];

describe("non-ASCII bytes in a request target", (test) => {
  for (const [name, secure, asks] of WAYS) {
    test(`given any target ${name}, the server gets the same bytes, and the row has them`, () =>
      withProxy({}, async (proxy) => {
        const server = await (secure ? proxy.tlsServer(echo) : proxy.server(echo));
        let asked = 0;
        await fc.assert(
          fc.asyncProperty(anyTarget, async (target) => {
            assert.is(await asks(proxy, server.port, target), target);
            const { started, ended } = await proxy.traffic.row(asked);
            asked += 1;
            assert.is(started.target, target);
            assert.equal(ended.tags, []);
          }),
          { numRuns: rounds(30), examples: [["/caf\xc3\xa9?\xe4\xbd\xa0=\xff"]] },
        );
      }));
  }

  test("given HTTP/2 on both sides, the server gets the same bytes", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, (stream, headers) => {
        stream.respond({ ":status": 200 });
        stream.end(Buffer.from(String(headers[":path"]), "latin1"));
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      await fc.assert(
        fc.asyncProperty(anyTarget, async (target) => {
          assert.is((await ask(session, { ":path": target })).body.toString("latin1"), target);
        }),
        { numRuns: rounds(30), examples: [["/caf\xc3\xa9"]] },
      );
      session.destroy();
      await server.stop();
    }));
});
