import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { beginsSocks } from "../../../../../extensions/proxy/data-thread/network/socks/socks-messages.ts";
import { isForeign } from "../../../../../extensions/proxy/data-thread/network/tls/sniffed-protocol.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { ok } from "../../../../support/raw-server.ts";
import { someOf } from "../../../../support/rounds.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";
import { BAD_REQUESTS, BAD_RESPONSES, type BadRequest } from "../http1/corpus.ts";

/*
 * docs/security.md F1: the codec's whole corpus over real sockets in three positions, with Node's own HTTP as the judge
 * at the other end. No bad message arrives whole, nothing hangs, and after each case the next good request works.
 */

/** A case takes about a millisecond. */
const HANG = 5_000;

/** An HTTP server that records which requests arrived completely. */
class Judge {
  readonly ended: string[] = [];
  readonly #server: Server;

  constructor(proxy: TestProxy, secure: boolean) {
    this.#server = secure ? createSecureServer(servedBy(proxy.servers)) : createServer();
    this.#server.on("request", (incoming, answer) => {
      incoming.on("error", () => {});
      incoming.resume().on("end", () => {
        this.ended.push(incoming.url ?? "");
        answer.end("fine");
      });
    });
  }

  async start(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** The errors in how these requests were treated, by title. */
async function wrongOf(proxy: TestProxy, secure: boolean, requests: readonly BadRequest[]): Promise<readonly string[]> {
  const evaluator = new Judge(proxy, secure);
  const port = await evaluator.start();
  const authority = `a.test:${port}`;
  const wrong: string[] = [];
  const connected = () => (secure ? RawPeer.secure(proxy.port, authority, proxy.clientCa) : RawPeer.to(proxy.port));
  const target = (text: string): string => (secure ? text : text.replace(" /", ` http://${authority}/`));
  const good = await connected();
  try {
    for (const { title, bytes, status } of requests) {
      const bad = await connected();
      bad.send(bytes.replace(/ \/(?= HTTP\/1)/, (path) => target(path)));
      const answer = await within(bad.rest());
      if (answer === null) wrong.push(`${title}: hangs`);
      else if (!answer.toString("latin1").startsWith(`HTTP/1.1 ${status} `)) wrong.push(`${title}: ${answer}`);
      bad.close();
      good.send(target(`GET /good HTTP/1.1\r\nHost: ${authority}\r\n\r\n`));
      if ((await within(good.until("fine"))) === null) wrong.push(`${title}: no good request after it`);
    }
    assert.equal(new Set(evaluator.ended), new Set(["/good"]));
    assert.is(evaluator.ended.length, requests.length);
    const rows = proxy.traffic.rows.filter(({ started }) => started.target !== "/good");
    assert.is(rows.length, requests.length, "each has its row");
    assert.ok(rows.every(({ ended }) => ended.outcome.kind === "failed"));
  } finally {
    good.close();
    await evaluator.stop();
  }
  return wrong;
}

/**
 * The response as Node's client saw it: its status (0: none before the connection broke), and whether it is complete.
 */
async function asked(proxyPort: number, method: string, url: string): Promise<{ status: number; complete: boolean }> {
  return await new Promise((resolve) => {
    const asking = request({ host: "127.0.0.1", port: proxyPort, method, path: url, agent: false });
    asking.on("error", () => resolve({ status: 0, complete: false }));
    asking.on("response", (answer) => {
      answer.on("error", () => {});
      answer.on("close", () => resolve({ status: answer.statusCode ?? 0, complete: answer.complete }));
      answer.resume();
    });
    asking.end();
  });
}

async function within<Value>(promise: Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), HANG);
  });
  const value = await Promise.race([promise, late]);
  clearTimeout(timer);
  return value;
}

const MOST_ROWS = 20;

const HOST = "Host: a.test\r\n";

describe("malformed request corpus over sockets", (test) => {
  // SOCKS is spoken on the proxy's port: socks-connection.test.ts.
  const inClear = someOf(BAD_REQUESTS.filter(({ bytes }) => !beginsSocks(Buffer.from(bytes, "latin1"))));
  // Of more unreadable requests within ten seconds a proxy counts the rest in one row (docs/security.md S16).
  test(`given ${inClear.length} bad requests to the proxy, refuses each and forwards none`, async () => {
    for (let from = 0; from < inClear.length; from += MOST_ROWS)
      await withProxy({}, async (proxy) =>
        assert.equal(await wrongOf(proxy, false, inClear.slice(from, from + MOST_ROWS)), []),
      );
  });

  // Binary frames of another protocol are not requests: not-http.test.ts.
  const inTls = someOf(BAD_REQUESTS.filter(({ bytes }) => !isForeign(Buffer.from(bytes, "latin1"))));
  test(`given ${inTls.length} bad requests inside intercepted TLS, refuses each and forwards none`, () =>
    withProxy({}, async (proxy) => assert.equal(await wrongOf(proxy, true, inTls), [])));

  const upgrading = inTls
    .filter(({ bytes }) => bytes.includes(HOST))
    .map((bad) => ({ ...bad, bytes: bad.bytes.replace(HOST, `${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n`) }));
  for (const secure of [false, true])
    test(`given ${upgrading.length} bad requests to upgrade, ${secure ? "inside opened TLS" : "in clear"}, refuses each and forwards none`, async () => {
      for (let from = 0; from < upgrading.length; from += MOST_ROWS)
        await withProxy({}, async (proxy) =>
          assert.equal(await wrongOf(proxy, secure, upgrading.slice(from, from + MOST_ROWS)), []),
        );
    });

  const answers = someOf(BAD_RESPONSES);
  test(`given ${answers.length} bad responses, completes none of them at the client and serves the next request`, () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        for (;;) {
          const index = /\/bad\/(\d+) /.exec(await peer.head())?.[1];
          peer.send(index === undefined ? ok("fine") : (answers[Number(index)]?.bytes ?? ""));
        }
      });
      const origin = `http://a.test:${server.port}`;
      const wrong: string[] = [];
      for (const [index, { title, method }] of answers.entries()) {
        const seen = await within(asked(proxy.port, method, `${origin}/bad/${index}`));
        if (seen === null) wrong.push(`${title}: hangs`);
        // Either our own response, or the beginning of a response that was cut because its body later turned out bad.
        else if (seen.status !== 502 && seen.complete) wrong.push(`${title}: ${seen.status} ${seen.complete}`);
        const next = await within(asked(proxy.port, "GET", `${origin}/good`));
        if (next?.status !== 200 || !next.complete) wrong.push(`${title}: no good request after it`);
      }
      assert.equal(wrong, []);
      const bad = proxy.traffic.rows.filter(({ started }) => started.target.startsWith("/bad/"));
      const types = bad.map(({ ended }) => (ended.outcome.kind === "failed" ? ended.outcome.errorType : "responded"));
      assert.equal(new Set(types), new Set(["response-malformed"]));
    }));
});
