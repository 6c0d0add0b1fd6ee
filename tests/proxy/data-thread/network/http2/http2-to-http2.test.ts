import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { ask, replyOn } from "../../../../support/http2-peer.ts";
import { echo } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";

describe("HTTP/2 to HTTP/2", (test) => {
  test("given a request with a body, delivers request and response whole and records both sides", () =>
    withHttp2Ends(echo, async ({ proxy, server, session }) => {
      const sent = randomBytes(3_000_000);
      const head = { ":method": "POST", ":path": "/a?b=%20", "X-Twice": ["1", "2"], cookie: ["a=1", "b=2"] };
      const reply = await ask(session, head, sent);
      assert.is(reply.status, 200);
      assert.ok(reply.body.equals(sent));
      assert.is(reply.headers["x--path"], "/a?b=%20");
      assert.is(reply.headers["x--authority"], `a.test:${server.port}`);
      assert.is(reply.headers["x--scheme"], "https");
      assert.is(reply.headers["x-x-twice"], "1, 2");
      assert.is(reply.headers["x-cookie"], "a=1; b=2");
      assert.is(reply.headers["x-transfer-encoding"], undefined);
      const { started, response, ended, requestBody, responseBody } = await proxy.traffic.row(0);
      assert.is(started.protocol, "h2");
      assert.match(started.head, /^POST \/a\?b=%20 HTTP\/2\r\nhost: a\.test:\d+\r\nx-twice: 1\r\nx-twice: 2\r\n/);
      assert.not.match(started.head, /transfer-encoding|connection/);
      assert.match(response?.head ?? "", /^HTTP\/2 200\r\nx--method: POST\r\n/);
      assert.not.match(response?.head ?? "", /transfer-encoding/);
      assert.ok(requestBody.equals(sent) && responseBody.equals(sent));
      assert.equal(ended.outcome, { kind: "responded", status: 200 });
      assert.is(proxy.traffic.connections[0]?.tls?.alpn, "h2");
    }));

  test("given trailers both ways and an interim response, delivers all of them", () =>
    withHttp2Ends(
      (stream) => {
        stream.additionalHeaders({ ":status": 103, link: "</a>; rel=preload" });
        stream.on("trailers", (trailers) => {
          stream.respond({ ":status": 200, "x-seen": String(trailers["x-sum"]) }, { waitForTrailers: true });
          stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
          stream.end("body");
        });
        stream.resume();
      },
      async ({ session }) => {
        const stream = session.request(
          { ":method": "POST", te: "trailers" },
          { waitForTrailers: true, endStream: false },
        );
        stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
        const early: unknown[] = [];
        stream.on("headers", (headers) => early.push(headers[":status"], headers["link"]));
        stream.end("x");
        const reply = await replyOn(stream);
        assert.is(reply.headers["x-seen"], "7");
        assert.is(reply.trailers["grpc-status"], "0");
        assert.is(reply.body.toString(), "body");
        assert.equal(early, [103, "</a>; rel=preload"]);
      },
    ));

  test("given bodies with a length, delivers trailers that are announced or belong to gRPC", () =>
    withHttp2Ends(
      (stream, headers) => {
        stream.on("trailers", (trailers) => {
          const said =
            headers[":path"] === "/grpc" ? { "content-type": " Application/gRPC+proto" } : { trailer: "x-sum" };
          const head = { ":status": 200, "x-content-length": "4", "content-length": 4, ...said };
          stream.respond(head, { waitForTrailers: true });
          stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": `${trailers["x-sum"]}!` }));
          stream.end("body");
        });
        stream.resume();
      },
      async ({ session }) => {
        for (const path of ["/announced", "/grpc"]) {
          const head = { ":method": "POST", ":path": path, trailer: "x-sum", "content-length": 2 };
          const stream = session.request(head, { waitForTrailers: true, endStream: false });
          stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
          stream.end("hi");
          const reply = await replyOn(stream);
          assert.is(reply.body.toString(), "body");
          assert.is(reply.trailers["x-sum"], "7!");
          assert.is(reply.headers["x-content-length"], "4");
        }
      },
    ));

  test("given unannounced trailers after a body with a length, leaves them out and passes the whole body (RFC 9110, 6.5.1)", () =>
    withHttp2Ends(
      (stream) => {
        let asked = 0;
        stream.on("trailers", () => {
          asked += 1;
        });
        stream.on("end", () => {
          stream.respond({ ":status": 200, "content-length": 4 }, { waitForTrailers: true });
          stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": String(asked) }));
          stream.end("body");
        });
        stream.resume();
      },
      async ({ proxy, server, session }) => {
        const stream = session.request(
          { ":method": "POST", ":path": "/", "content-length": 2 },
          { waitForTrailers: true, endStream: false },
        );
        stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
        stream.end("hi");
        const reply = await replyOn(stream);
        assert.equal([reply.body.toString(), reply.headers["content-length"]], ["body", "4"]);
        assert.equal(Object.keys(reply.trailers), []);
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assert.match((await client.rest()).toString(), /\r\n\r\nbody$/);
        for (const row of [0, 1])
          assert.equal((await proxy.traffic.row(row)).ended.outcome, { kind: "responded", status: 200 });
        client.close();
      },
    ));

  test("given a response without a body, sends it as one frame", () =>
    withHttp2Ends(
      (stream) => stream.respond({ ":status": 200, "grpc-status": "12" }, { endStream: true }),
      async ({ proxy, session }) => {
        const stream = session.request({ ":method": "POST" }, { endStream: false });
        const [, flags] = (await once(stream, "response")) as [unknown, number];
        assert.is(flags & 1, 1);
        stream.end();
        stream.resume();
        await once(stream, "close");
        assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
      },
    ));

  test("given messages in both directions at once, forwards each as it arrives", () =>
    withHttp2Ends(
      (stream) => {
        stream.respond({ ":status": 200 }, { waitForTrailers: true });
        stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.on("data", (bytes: Buffer) => stream.write(`<${bytes.toString()}>`));
        stream.on("end", () => stream.end());
      },
      async ({ session }) => {
        const stream = session.request({ ":method": "POST", te: "trailers" }, { endStream: false });
        let trailers: unknown = null;
        stream.on("trailers", (fields) => {
          trailers = fields["grpc-status"];
        });
        for (const word of ["one", "two", "three"]) {
          stream.write(word);
          const [bytes] = (await once(stream, "data")) as [Buffer];
          assert.is(bytes.toString(), `<${word}>`);
        }
        stream.end();
        await once(stream, "close");
        assert.is(trailers, "0");
      },
    ));

  test("given HEAD, 204 and 304, sends no body and keeps the declared length of HEAD and 304", () =>
    withHttp2Ends(
      (stream, headers) => {
        const status = Number(headers[":path"]?.slice(1));
        stream.respond({ ":status": status, ...(status === 204 ? {} : { "content-length": 5 }) }, { endStream: true });
      },
      async ({ session }) => {
        for (const [method, status] of [
          ["HEAD", 200],
          ["GET", 204],
          ["GET", 304],
        ] as const) {
          const reply = await ask(session, { ":method": method, ":path": `/${status}` });
          assert.is(reply.status, status);
          assert.is(reply.body.length, 0);
          assert.is(reply.headers["content-length"], status === 204 ? undefined : "5");
        }
      },
    ));

  test("given HTTP/2 in clear text with prior knowledge, forwards over HTTP/2 and records it", () =>
    withHttp2Ends(
      echo,
      async ({ proxy, session }) => {
        const reply = await ask(session, { ":method": "POST", ":path": "/c" }, "hello");
        assert.is(reply.body.toString(), "hello");
        assert.is(reply.headers["x--scheme"], "http");
        const { started } = await proxy.traffic.row(0);
        assert.is(started.protocol, "h2");
        assert.match(started.origin, /^http:/);
      },
      { clear: true },
    ));
});
