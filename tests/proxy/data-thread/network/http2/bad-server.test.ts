import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { answered, brokenOff, http2ByHand, reset } from "../../../../support/http2-by-hand.ts";
import { END_HEADERS, END_STREAM, fields, frame, longHead } from "../../../../support/http2-frames.ts";
import { ask, http2Client, replyOn } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const WHOLE = END_STREAM | END_HEADERS;

function many(count: number, value: string): readonly (readonly [string, string])[] {
  return Array.from({ length: count }, (_, index) => [`x-${index}`, value]);
}

/** Invalid responses, and the result of each. */
const BAD: readonly (readonly [
  title: string,
  answer: (stream: number) => Buffer,
  errorType: string,
  status: number | null,
])[] = [
  ["ends by a reset with NO_ERROR within its body", (id) => brokenOff(id, 0), "response-truncated", 200],
  [
    "ends by a reset with NO_ERROR right after its head",
    (id) => Buffer.concat([answered(id, END_HEADERS), reset(id, 0)]),
    "response-truncated",
    200,
  ],
  ["is cut off by a reset", (id) => brokenOff(id, 2), "response-truncated", 200],
  [
    "is shorter than its length",
    (id) => Buffer.concat([answered(id, END_HEADERS, ["content-length", "9"]), frame("data", END_STREAM, id, "part")]),
    "response-truncated",
    200,
  ],
  ["has a length and no body", (id) => answered(id, WHOLE, ["content-length", "9"]), "server-reset", 502],
  [
    "has two lengths",
    (id) => answered(id, WHOLE, ["content-length", "0"], ["content-length", "0"]),
    "server-reset",
    502,
  ],
  ["has no status", (id) => frame("headers", WHOLE, id, fields(["a", "b"])), "server-reset", 502],
  ["has a status of two digits", (id) => frame("headers", WHOLE, id, fields([":status", "20"])), "server-reset", 502],
  [
    "has a status that does not exist",
    (id) => frame("headers", WHOLE, id, fields([":status", "999"])),
    "response-malformed",
    502,
  ],
  ["has more fields than the limit", (id) => answered(id, WHOLE, ...many(1_001, "v")), "response-malformed", 502],
  [
    "has a head over the limit",
    (id) => longHead(WHOLE, id, fields([":status", "200"], ...many(33, "v".repeat(4_000)))),
    "response-malformed",
    502,
  ],
  ["switches protocols", (id) => frame("headers", END_HEADERS, id, fields([":status", "101"])), "server-reset", 502],
  ["has Connection", (id) => answered(id, WHOLE, ["connection", "close"]), "server-reset", 502],
  ["has Transfer-Encoding", (id) => answered(id, WHOLE, ["transfer-encoding", "chunked"]), "server-reset", 502],
  ["has an upper-case name", (id) => answered(id, WHOLE, ["X-A", "b"]), "server-reset", 502],
  ["has a body before its head", (id) => frame("data", END_STREAM, id, "x"), "response-malformed", 502],
  ["is not HTTP/2", () => Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), "response-malformed", 502],
  [
    "is a server push",
    (id) => frame("push", END_HEADERS, id, Buffer.concat([Buffer.from([0, 0, 0, 2]), fields([":status", "200"])])),
    "response-malformed",
    502,
  ],
];

describe("invalid HTTP/2 responses", (test) => {
  test("given a response of its whole length, then a reset with NO_ERROR, delivers all of it", () =>
    withProxy({}, async (proxy) => {
      const server = await http2ByHand(proxy, (id) =>
        Buffer.concat([answered(id, END_HEADERS, ["content-length", "4"]), frame("data", 0, id, "body"), reset(id, 0)]),
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "body");
      session.destroy();
      await server.stop();
    }));

  for (const [title, status, lines] of [
    ["a status that does not exist", "999", []],
    ["more fields than the limit", "200", many(1_001, "v")],
  ] as const) {
    test(`given a response with ${title}, read in one go within the upload, responds 502`, () =>
      withProxy({}, async (proxy) => {
        const server = await http2ByHand(proxy, (id) =>
          Buffer.concat([
            frame("headers", END_HEADERS, id, fields([":status", status], ...lines)),
            frame("data", END_STREAM, id, "x"),
          ]),
        );
        // Only the proxy uses HTTP/2 in this process: an HTTP/2 client would abort in the same way.
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\npart");
        assert.match((await client.rest()).toString(), /^HTTP\/1\.1 502 /);
        await server.stop();
      }));
  }

  for (const [title, answer, errorType, status] of BAD) {
    test(`given a response that ${title}, records the failure and still serves another client`, () =>
      withProxy({}, async (proxy) => {
        const server = await http2ByHand(proxy, (id) => answer(id));
        const session = await http2Client(proxy, `https://a.test:${server.port}`);
        const reply = await replyOn(session.request({ ":path": "/" })).catch(() => null);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.equal([outcome.kind === "failed" && outcome.errorType, outcome.status], [errorType, status]);
        assert.is(reply?.status ?? null, status === 200 ? null : status);
        const own = await http2Client(proxy, "https://probe.weir.test");
        assert.is((await ask(own, { ":path": "/anything/weir/x" })).status, 200, "the proxy goes on");
        own.destroy();
        session.destroy();
        await server.stop();
      }));
  }
});
