import { createHash, randomBytes } from "node:crypto";
import * as assert from "uvu/assert";
import type { CaptureEvent, Side } from "../../../src/engine/capture/event.ts";
import { latencyOf, phasesOf } from "../../../src/engine/model/phases.ts";
import { describe } from "../../support/describe.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { answering, ok } from "../../support/raw-server.ts";
import { testResolver, withProxy } from "../../support/test-proxy.ts";

/** security.md, F9. */
const MANY = 1_000;

/** A request in absolute-form. */
function get(port: number, path = "/", ...lines: readonly string[]): string {
  return request("GET", port, path, ...lines);
}

function request(method: string, port: number, path = "/", ...lines: readonly string[]): string {
  return [`${method} http://a.test:${port}${path} HTTP/1.1`, `Host: a.test:${port}`, ...lines, "\r\n"].join("\r\n");
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Bytes as chunks of random lengths, with an extension now and then. */
function chunked(bytes: Buffer, trailers = ""): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(Math.random() * 5_000);
    const piece = bytes.subarray(at, at + length);
    const extension = at % 3 === 0 ? ";q=1" : "";
    pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from("\r\n"));
    at += length;
  }
  return Buffer.concat([...pieces, Buffer.from(`0\r\n${trailers}\r\n`)]);
}

/** Hashes of the bodies that were captured of exchanges that followed one another. */
function capturedBodies(events: readonly CaptureEvent[]): Record<Side, string[]> {
  const hashes: Record<Side, string[]> = { request: [], response: [] };
  const pieces: Record<Side, Uint8Array[]> = { request: [], response: [] };
  for (const event of events) {
    if (event.type === "body-captured") pieces[event.side].push(event.bytes);
    if (event.type !== "exchange-ended") continue;
    for (const side of ["request", "response"] as const) hashes[side].push(hash(Buffer.concat(pieces[side].splice(0))));
  }
  return hashes;
}

describe("relay", (test) => {
  test("a plain request goes through with its head as it was, less what was for the proxy", () =>
    withProxy({}, async (proxy) => {
      let seen = "";
      const server = await proxy.server(
        answering((head) => {
          seen = head;
          return ok("hello", "X-Odd:  Spaced ", "x-odd: twice");
        }),
      );
      const client = await RawPeer.to(proxy.port);
      const own = "Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eDp5\r\n";
      client.send(
        `GET http://a.test:${server.port}/p%2e/../q?x=1 HTTP/1.1\r\nhOsT: other.test\r\nAccept:*/*\r\n${own}X-A: 1\r\nx-a: 2\r\n\r\n`,
      );
      assert.is(await client.head(), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Odd:  Spaced \r\nx-odd: twice\r\n\r\n");
      assert.is((await client.bytes(5)).toString(), "hello");
      assert.is(
        seen,
        `GET /p%2e/../q?x=1 HTTP/1.1\r\nhOsT: a.test:${server.port}\r\nAccept:*/*\r\nX-A: 1\r\nx-a: 2\r\n\r\n`,
      );
      const row = await proxy.traffic.row(0);
      assert.is(row.started.origin, `http://a.test:${server.port}`);
      assert.is(row.started.target, "/p%2e/../q?x=1");
      assert.equal(row.ended.outcome, { kind: "responded", status: 200 });
      assert.is(row.ended.encodedBodySize, 5);
      assert.is(row.responseBody.toString(), "hello");
      assert.is(row.ended.reused, false);
      client.close();
    }));

  test("an intercepted request goes over TLS on both sides", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("secret")));
      const client = await RawPeer.secure(proxy.port, `b.test:${server.port}`, proxy.clientCa);
      client.send(`GET /s HTTP/1.1\r\nHost: b.test:${server.port}\r\n\r\n`);
      assert.match(await client.head(), "200 OK");
      assert.is((await client.bytes(6)).toString(), "secret");
      const row = await proxy.traffic.row(0);
      assert.is(row.started.origin, `https://b.test:${server.port}`);
      const [connection] = proxy.traffic.connections;
      assert.is(connection?.tls?.version, "TLSv1.3");
      assert.match(connection?.tls?.certificates[0]?.names ?? "", "b.test");
      client.close();
    }));

  test("an absolute-form https target in clear is fetched over TLS, and tagged", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("ok")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET https://c.test:${server.port}/x HTTP/1.1\r\nHost: c.test\r\n\r\n`);
      assert.match(await client.head(), "200 OK");
      const row = await proxy.traffic.row(0);
      assert.equal(row.ended.tags, ["https-in-clear"]);
      assert.is(row.started.origin, `https://c.test:${server.port}`);
      client.close();
    }));

  test("pipelined requests are answered in their order, over one connection", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head.split(" ")[1] ?? "")));
      const client = await RawPeer.to(proxy.port);
      client.send(Array.from({ length: 20 }, (_, index) => get(server.port, `/n${index + 10}`)).join(""));
      for (let index = 0; index < 20; index += 1) {
        await client.head();
        assert.is((await client.bytes(4)).toString(), `/n${index + 10}`);
      }
      assert.is(server.peers.length, 1);
      await proxy.traffic.row(19);
      const reused = proxy.traffic.rows.map(({ ended }) => ended.reused);
      assert.equal(reused, [false, ...new Array<boolean>(19).fill(true)]);
      client.close();
    }));

  test("a second client uses the connection that the first one left", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("x")));
      for (let round = 0; round < 2; round += 1) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port, "/", "Connection: close"));
        assert.match((await client.rest()).toString(), /Connection: close\r\n\r\nx$/);
      }
      assert.is(server.peers.length, 1);
      const { instants } = (await proxy.traffic.row(1)).ended;
      const { dns, connect, tls, ttfb } = phasesOf(instants);
      assert.equal([dns, connect, tls], [null, null, null]);
      assert.ok(ttfb !== null && ttfb >= 0);
    }));

  test("chunks, extensions and trailers pass byte for byte, and the body is captured without them", () =>
    withProxy({}, async (proxy) => {
      const body = randomBytes(60_000);
      const wire = chunked(body, "X-Sum: 1\r\nx-Sum:2\r\n");
      const server = await proxy.server(async (peer) => {
        await peer.head();
        assert.equal(await peer.bytes(wire.length), wire);
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n");
        peer.send(wire);
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("POST", server.port, "/", "Transfer-Encoding: chunked"));
      client.send(wire);
      await client.head();
      assert.is(hash(await client.bytes(wire.length)), hash(wire));
      const row = await proxy.traffic.row(0);
      assert.is(hash(row.requestBody), hash(body));
      assert.is(hash(row.responseBody), hash(body));
      assert.is(row.ended.encodedBodySize, body.length);
      assert.is(row.ended.requestBodySize, body.length);
      client.close();
    }));

  test(`${MANY} bodies of all sizes and framings arrive unchanged, over TLS, both ways`, () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(async (peer) => {
        for (;;) {
          const head = await peer.head();
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
          const body = Buffer.from(await peer.bytes(length));
          if (length % 2 === 0) {
            peer.send(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`);
            peer.send(body);
          } else {
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            peer.send(chunked(body));
          }
        }
      });
      const client = await RawPeer.secure(proxy.port, `d.test:${server.port}`, proxy.clientCa);
      const sent: string[] = [];
      for (let index = 0; index < MANY; index += 1) {
        const body = randomBytes(Math.floor(Math.random() ** 8 * 300_000));
        sent.push(hash(body));
        client.send(`POST / HTTP/1.1\r\nHost: d.test\r\nContent-Length: ${body.length}\r\n\r\n`);
        client.send(body);
        const head = await client.head();
        if (head.includes("Content-Length")) assert.is(hash(await client.bytes(body.length)), hash(body));
        else await client.until("\r\n0\r\n\r\n");
      }
      client.close();
      const seen = capturedBodies(proxy.traffic.events);
      assert.equal(seen.request, sent);
      assert.equal(seen.response, sent);
    }));

  test("interim responses pass, and TTFB is that of the final one", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        const head = await peer.head();
        assert.match(head, "Expect: 100-continue");
        peer.send("HTTP/1.1 100 Continue\r\n\r\n");
        await peer.bytes(4);
        peer.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
        peer.send(ok("done"));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("PUT", server.port, "/", "Content-Length: 4", "Expect: 100-continue"));
      assert.is(await client.head(), "HTTP/1.1 100 Continue\r\n\r\n");
      client.send("body");
      assert.is(await client.head(), "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
      assert.match(await client.head(), "200 OK");
      const { ended, response } = await proxy.traffic.row(0);
      assert.is(response?.status, 200);
      const { requestEnd, responseStart } = ended.instants;
      assert.ok(requestEnd !== null && responseStart !== null && responseStart >= requestEnd);
      client.close();
    }));

  test("a flood of interim responses ends in 502", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 102 Processing\r\n\r\n".repeat(200));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.until("HTTP/1.1 502 ");
      assert.match(JSON.stringify((await proxy.traffic.row(0)).ended.outcome), "response-malformed");
      client.close();
    }));

  test("answers without a body are ended by their head: HEAD, 204, 304", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(
        answering((head) => {
          if (head.startsWith("HEAD")) return "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
          if (head.startsWith("GET /304")) return "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n";
          return "HTTP/1.1 204 No Content\r\n\r\n";
        }),
      );
      const client = await RawPeer.to(proxy.port);
      client.send(request("HEAD", server.port) + get(server.port, "/304") + get(server.port, "/204"));
      assert.match(await client.head(), "Content-Length: 1000");
      assert.match(await client.head(), "304");
      assert.match(await client.head(), "204");
      assert.is(server.peers.length, 1);
      client.close();
    }));

  test("a body that ends with the connection ends the client's too", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end");
        peer.socket.end();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      assert.match((await client.rest()).toString(), /Connection: close\r\n\r\nto the end$/);
      assert.is(await client.over, "end");
      assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
    }));

  test("an HTTP/1.0 client gets a chunked body unwrapped", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        assert.match(await peer.head(), `GET / HTTP/1.1\r\nHost: a.test:${server.port}\r\n`);
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.0\r\n\r\n`);
      const answer = (await client.rest()).toString();
      assert.match(answer, /\r\n\r\nabcde$/);
      assert.not.match(answer, "chunked");
      assert.is((await proxy.traffic.row(0)).started.protocol, "http/1.0");
    }));

  test("an answer that comes before the request has ended arrives, and the connection goes on", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(ok("early"));
        await peer.bytes(10);
        await peer.head();
        peer.send(ok("later"));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("POST", server.port, "/", "Content-Length: 10"));
      await client.until("early");
      client.send("0123456789");
      client.send(get(server.port));
      await client.until("later");
      await proxy.traffic.row(1);
      assert.is(server.peers.length, 1);
      client.close();
    }));

  test("a stale pooled connection is tried once more on a new one, for a request that may be repeated", () =>
    withProxy({}, async (proxy) => {
      let connections = 0;
      const server = await proxy.server(async (peer) => {
        connections += 1;
        await peer.head();
        peer.send(ok("x"));
        await peer.head();
        if (connections === 1) peer.socket.resetAndDestroy();
        else peer.send(ok("x"));
      });
      const client = await RawPeer.to(proxy.port);
      for (let round = 0; round < 2; round += 1) {
        client.send(get(server.port));
        await client.head();
        await client.bytes(1);
      }
      assert.is(connections, 2);
      const row = await proxy.traffic.row(1);
      assert.is(row.ended.reused, false);
      assert.ok(phasesOf(row.ended.instants).connect !== null);
      client.close();
    }));

  test("requests that wait for their turn's end are tried once more, if their connections end in that very turn", () =>
    withProxy({}, async (proxy) => {
      const many = 8;
      let asked = 0;
      let allAsked: () => void = () => {};
      const all = new Promise<void>((resolve) => {
        allAsked = resolve;
      });
      const server = await proxy.server(async (peer) => {
        for (;;) {
          const head = await peer.head();
          asked += 1;
          if (asked === many) allAsked();
          await all;
          peer.send(ok(/\/n\d+/.exec(head)?.[0] ?? ""));
        }
      });
      const clients = await Promise.all(Array.from({ length: many }, () => RawPeer.to(proxy.port)));
      const ask = (round: number): void => {
        for (const [index, client] of clients.entries()) client.send(get(server.port, `/n${round}${index}`));
      };
      const hear = async (round: number): Promise<void> => {
        for (const [index, client] of clients.entries()) {
          await client.head();
          assert.is((await client.bytes(4)).toString(), `/n${round}${index}`);
        }
      };
      ask(1);
      await hear(1);
      assert.is(server.peers.length, many);
      // All of this lies before the proxy when it looks again.
      ask(2);
      for (const peer of server.peers) peer.socket.resetAndDestroy();
      await hear(2);
      await proxy.traffic.row(2 * many - 1);
      for (const { ended } of proxy.traffic.rows.slice(many)) {
        const { connectEnd, requestStart, responseStart, responseForwarded, responseEnd } = ended.instants;
        assert.is(ended.reused, false);
        assert.ok((connectEnd ?? 0) > 0 && (requestStart ?? 0) >= (connectEnd ?? 0), "sent once it was connected");
        assert.ok((responseStart ?? 0) <= (responseForwarded ?? 0) && (responseForwarded ?? 0) <= (responseEnd ?? 0));
      }
      for (const client of clients) client.close();
    }));

  test("a request that may not be repeated is not: the client reads why", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(ok("x"));
        await peer.head();
        peer.close();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.until("\r\n\r\nx");
      client.send(request("POST", server.port, "/", "Content-Length: 0"));
      assert.match(await client.head(), "502 Bad Gateway");
      await client.until("server-closed");
      assert.is(server.peers.length, 1);
      client.close();
    }));

  test("a connection that authenticated a client stays with it", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(
        answering((head) =>
          head.includes("/ntlm")
            ? "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"
            : ok("x"),
        ),
      );
      const first = await RawPeer.to(proxy.port);
      first.send(get(server.port, "/ntlm"));
      await first.head();
      const second = await RawPeer.to(proxy.port);
      second.send(get(server.port));
      await second.head();
      first.send(get(server.port));
      await first.head();
      const rows = [await proxy.traffic.row(0), await proxy.traffic.row(1), await proxy.traffic.row(2)];
      const [a, b, c] = rows.map(({ ended }) => ended.connection);
      assert.is.not(a, b);
      assert.is(a, c);
      first.close();
      await (await server.peer(0)).over;
      second.close();
    }));

  test("streamed events arrive as they are sent, and the row is tagged", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.head();
      const peer = await server.peer(0);
      const delays: number[] = [];
      for (let index = 0; index < 20; index += 1) {
        const sent = performance.now();
        peer.send(`8\r\ndata: ${index % 10}\n\r\n`);
        await client.until(`data: ${index % 10}\n\r\n`);
        delays.push(performance.now() - sent);
      }
      delays.sort((a, b) => a - b);
      assert.ok((delays[10] ?? 99) <= 20, `median delay ${delays[10]} ms`);
      peer.send("0\r\n\r\n");
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["event-stream"]);
      client.close();
    }));

  test("a stalled client stalls the server, instead of filling memory", () =>
    withProxy({ settings: { bodyCap: 0 } }, async (proxy) => {
      const size = 64 * 1024 * 1024;
      const piece = Buffer.alloc(64 * 1024);
      let sent = 0;
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
        const more = (): void => {
          while (sent < size) {
            sent += piece.length;
            if (!peer.socket.write(piece)) return;
          }
        };
        peer.socket.on("drain", more);
        more();
      });
      const client = await RawPeer.to(proxy.port);
      client.socket.pause();
      client.send(get(server.port));
      const peer = await server.peer(0);
      // Everything between the two has filled up when two looks see the same.
      let before = -1;
      while (sent === 0 || sent !== before) {
        before = sent;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes were taken from the server`);
      let arrived = 0;
      client.socket.removeAllListeners("data");
      client.socket.on("data", (bytes) => {
        arrived += bytes.length;
      });
      client.socket.resume();
      const row = await proxy.traffic.row(0);
      assert.is(row.ended.encodedBodySize, size);
      assert.is(row.responseBody.length, 0);
      while (arrived < size) await new Promise((resolve) => client.socket.once("data", resolve));
      peer.close();
      client.close();
    }));

  test("of a large body the first part is kept, and all of it is counted", () =>
    withProxy({ settings: { bodyCap: 1_000 } }, async (proxy) => {
      const server = await proxy.server(answering(() => ok("x".repeat(5_000))));
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      const row = await proxy.traffic.row(0);
      assert.is(row.responseBody.length, 1_000);
      assert.is(row.ended.encodedBodySize, 5_000);
      client.close();
    }));

  test("a host that is not to be captured is proxied without a single event", () =>
    withProxy({}, async (proxy) => {
      proxy.traffic.unwanted = ["a.test"];
      const server = await proxy.server(answering(() => ok("quiet")));
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.until("quiet");
      client.send(`GET http://b.test:${server.port}/ HTTP/1.1\r\nHost: b.test\r\n\r\n`);
      await proxy.traffic.row(0);
      assert.is(proxy.traffic.events.filter(({ type }) => type === "request-started").length, 1);
      client.close();
    }));

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

  test("100 requests of a tenth of a second take no second together", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        for (;;) {
          await peer.head();
          await new Promise((resolve) => setTimeout(resolve, 100));
          peer.send(ok("x"));
        }
      });
      const begun = performance.now();
      const clients = await Promise.all(Array.from({ length: 100 }, () => RawPeer.to(proxy.port)));
      await Promise.all(
        clients.map(async (client) => {
          client.send(get(server.port));
          await client.head();
          client.close();
        }),
      );
      assert.ok(performance.now() - begun < 1_000);
    }));
});

function isAbout(actual: number | null, made: number): void {
  assert.ok(actual !== null && actual >= made - 2 && actual < made + 40, `${actual} ms instead of ${made} ms`);
}
