import type { OutgoingHttpHeaders } from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { ask, http2Client, replyOn } from "../../../../support/http2-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("HTTP/2 to HTTP/1.1", (test) => {
  test("given requests with and without a length and responses of every framing, delivers each body whole", () =>
    withProxy({}, async (proxy) => {
      const answers: Readonly<Record<string, string>> = {
        "/length": ok("hello"),
        "/chunked":
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nX-After: yes\r\n\r\n",
        "/close": "HTTP/1.1 200 OK\r\nConnection: close\r\nKeep-Alive: timeout=5\r\n\r\nhello",
      };
      const server = await proxy.tlsServer(async (peer) => {
        for (;;) {
          const head = await peer.head();
          const path = head.split(" ")[1] ?? "";
          if (/content-length: 3/.test(head)) await peer.bytes(3);
          else if (/transfer-encoding: chunked/.test(head)) await peer.until("0\r\n\r\n");
          peer.send(answers[path] ?? "");
          if (path === "/close") peer.socket.end();
        }
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (const path of Object.keys(answers)) {
        const heads: readonly OutgoingHttpHeaders[] = [
          {},
          { ":method": "POST" },
          { ":method": "POST", "content-length": 3 },
        ];
        for (const head of heads) {
          const reply = await ask(session, { ":path": path, ...head }, head[":method"] === undefined ? null : "abc");
          assert.is(reply.body.toString(), "hello");
          assert.is(reply.trailers["x-after"], path === "/chunked" ? "yes" : undefined);
          for (const name of ["connection", "keep-alive", "transfer-encoding"])
            assert.is(reply.headers[name], undefined);
        }
      }
      for (const { ended } of proxy.traffic.rows) assert.equal(ended.outcome, { kind: "responded", status: 200 });
      session.destroy();
    }));

  test("given 30 requests at once, gives each its own response", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering((head) => ok(head.split(" ")[1] ?? "")));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, index) => ask(session, { ":path": `/${index}` })),
      );
      assert.equal(
        replies.map(({ body }) => body.toString()),
        Array.from({ length: 30 }, (_, index) => `/${index}`),
      );
      session.destroy();
    }));
});

describe("HTTP/2 to HTTP/1.1, header fields", (test) => {
  test("given several cookie fields among others, sends one Cookie line in the place of the first", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering((head) => ok(head)));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const fields = ["x-a", "1", "cookie", "a=1", "x-b", "2", "cookie", "b=2", "x-c", "3"];
      const stream = session.request([":method", "GET", ":path", "/", ...fields]);
      const { body } = await replyOn(stream);
      assert.match(body.toString(), /\r\nx-a: 1\r\ncookie: a=1; b=2\r\nx-b: 2\r\nx-c: 3\r\n/);
      session.destroy();
    }));
});

describe("HTTP/2 to HTTP/1.1, limits", (test) => {
  test("given response fields that HTTP/2 forbids, removes them, and delivers a head of 100 KB", () =>
    withProxy({}, async (proxy) => {
      const lines = [
        "TE: gzip",
        "HTTP2-Settings: AA",
        "Upgrade: h3",
        "Connection: x-own, close",
        "X-Own: 1",
        "Set-Cookie: a",
        "Set-Cookie: b",
      ];
      const long = "v".repeat(50_000);
      const server = await proxy.tlsServer(answering(() => ok("x", ...lines, `X-One: ${long}`, `X-Two: ${long}`)));
      const session = await http2Client(proxy, `https://a.test:${server.port}`, {
        settings: { maxHeaderListSize: 1_000_000 },
      });
      const reply = await ask(session, { ":path": "/" });
      assert.is(reply.status, 200);
      assert.is(reply.headers["x-one"], long);
      assert.is(reply.headers["x-two"], long);
      assert.equal(reply.headers["set-cookie"], ["a", "b"]);
      for (const name of ["te", "http2-settings", "upgrade", "connection", "x-own"])
        assert.is(reply.headers[name], undefined);
      session.destroy();
    }));

  test("given a response field over 64 KB, responds 502 with the reason and keeps the connection", () =>
    withProxy({}, async (proxy) => {
      // A character that HPACK does not compress.
      const long = "Z".repeat(66_000);
      const server = await proxy.tlsServer(
        answering((head) => ok("x", `X-Long: ${head.startsWith("GET /long") ? long : ""}`)),
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const reply = await ask(session, { ":path": "/long" });
      assert.is(reply.status, 502);
      assert.match(reply.body.toString(), /A field in the server's response is over 64 KB/);
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.equal([outcome.kind === "failed" && outcome.errorType, outcome.status], ["response-malformed", 502]);
      assert.is((await ask(session, { ":path": "/" })).status, 200);
      session.destroy();
    }));

  test("given a trailer over 64 KB, resets the stream after the body; 100 shorter trailers pass", () =>
    withProxy({}, async (proxy) => {
      const many = Array.from({ length: 100 }, (_, at) => `x-${at}: ${"Z".repeat(1_000)}\r\n`).join("");
      const server = await proxy.tlsServer(
        answering((head) => {
          const trailers = head.startsWith("GET /long") ? `x-long: ${"Z".repeat(66_000)}\r\n` : many;
          return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n${trailers}\r\n`;
        }),
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`, {
        settings: { maxHeaderListSize: 200_000 },
      });
      const trouble = await ask(session, { ":path": "/long" }).then(
        () => "",
        (error: Error) => error.message,
      );
      assert.match(trouble, "INTERNAL_ERROR");
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.equal([outcome.kind === "failed" && outcome.errorType, outcome.status], ["response-malformed", 200]);
      assert.match(outcome.kind === "failed" ? outcome.detail : "", /A field in the server's response is over 64 KB/);
      const reply = await ask(session, { ":path": "/" });
      assert.equal([reply.body.toString(), Object.keys(reply.trailers).length], ["body", 100]);
      session.destroy();
    }));

  test("given a response that HTTP/1.1 forbids, responds 502 on its stream", () =>
    withProxy({}, async (proxy) => {
      const bad = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab";
      const server = await proxy.tlsServer(answering(() => bad));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      assert.is((await ask(session, { ":path": "/" })).status, 502);
      const unasked = await proxy.tlsServer(
        answering(() => "HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
      );
      const other = await http2Client(proxy, `https://a.test:${unasked.port}`);
      assert.is((await ask(other, { ":path": "/" })).status, 502);
      session.destroy();
      other.destroy();
    }));
});
