import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import {
  END_HEADERS,
  END_STREAM,
  fields,
  frame,
  GREETING,
  nextFrame,
  TYPES,
} from "../../../../support/http2-frames.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { ok } from "../../../../support/raw-server.ts";
import { someOf } from "../../../../support/rounds.ts";
import { withProxy } from "../../../../support/test-proxy.ts";
import { CORPUS, type Verdict } from "./corpus.ts";

const GOOD = frame(
  "headers",
  END_STREAM | END_HEADERS,
  101,
  fields([":method", "GET"], [":scheme", "https"], [":authority", "a.test"], [":path", "/good"]),
);

/** What a server may see of a harmless case with these lines. */
function plain(lines = ""): string {
  return `GET /bad HTTP/1.1\r\nhost: a.test\r\n${lines}\r\n`;
}

interface Outcome {
  readonly verdict: Exclude<Verdict, { kind: "dropped" }>;
  /** Whether a good request on the same connection got its response. */
  readonly wentOn: boolean;
}

/** The result of stream 1. */
async function outcomeOf(peer: RawPeer): Promise<Outcome> {
  let verdict: Outcome["verdict"] = { kind: "ignored" };
  for (;;) {
    const next = await nextFrame(peer).catch(() => null);
    if (next === null) return { verdict, wentOn: false };
    const { type, stream, payload } = next;
    if (type === TYPES.goaway) return { verdict: { kind: "ended", code: payload.readUInt32BE(4) }, wentOn: false };
    if (stream === 101 && type === TYPES.headers) return { verdict, wentOn: true };
    if (stream !== 1 || verdict.kind !== "ignored") continue;
    if (type === TYPES.reset) verdict = { kind: "reset", code: payload.readUInt32BE(0) };
    if (type === TYPES.headers) {
      const status = statusIn(payload);
      verdict = status === 200 ? { kind: "forwarded", lines: "" } : { kind: "refused", status };
    }
  }
}

/**
 * RFC 7541, appendix A and 6.2.1: 200 and 400 are in the static table; other statuses are written as digits after their
 * name's index.
 */
function statusIn(head: Buffer): number {
  if (head[0] === 0x88) return 200;
  return head[0] === 0x8c ? 400 : Number(head.toString("latin1", 2, 5));
}

describe("malformed HTTP/2 corpus", (test) => {
  test("given the corpus, has at least 60 cases", () => assert.ok(CORPUS.length >= 60));

  test("given cases of the corpus, refuses each with the right code, forwards none and serves the next request", () =>
    withProxy({}, async (proxy) => {
      const seen: string[] = [];
      const server = await proxy.tlsServer(async (peer) => {
        for (;;) {
          const head = await peer.head();
          seen.push(head);
          peer.send(ok("x"));
        }
      });
      const wrong: unknown[] = [];
      for (const [title, bytes, expected] of someOf(CORPUS)) {
        seen.length = 0;
        const peer = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
        peer.send(Buffer.concat([GREETING, bytes, GOOD]));
        const { verdict, wentOn } = await outcomeOf(peer);
        peer.close();
        // Streams may have reached the server, but none was complete there.
        const whole = seen.filter((head) => /^GET \/bad |^0\r\n\r\n/.test(head));
        const mayPass = expected.kind === "dropped" || expected.kind === "forwarded";
        const told = mayPass ? { kind: "forwarded", lines: "" } : expected;
        const lines = expected.kind === "forwarded" ? expected.lines : "";
        const isKept = whole.every((head) => head === plain(lines) || head === "0\r\n\r\n");
        const mayBeWhole = mayPass && isKept;
        const fits = JSON.stringify(verdict) === JSON.stringify(told) && wentOn === (expected.kind !== "ended");
        if (!fits || (whole.length > 0 && !mayBeWhole))
          wrong.push({ title, verdict, wentOn, expected, seen: [...seen] });
      }
      assert.equal(wrong, []);
    }));
});
