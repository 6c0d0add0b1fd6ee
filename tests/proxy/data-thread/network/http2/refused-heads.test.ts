import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as assert from "uvu/assert";
import { MOST_FIELDS } from "../../../../../extensions/proxy/data-thread/network/http2/limits.ts";
import { describe } from "../../../../support/describe.ts";
import { END_HEADERS, END_STREAM, fields, frame, GREETING, longHead } from "../../../../support/http2-frames.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rounds } from "../../../../support/rounds.ts";
import { inShortSlices } from "../../../../support/short-slices.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const STREAMS = 20;
const ROUNDS = rounds(10);
const AUTHORITY = "probe.weir.test";

function many(count: number): readonly (readonly [name: string, value: string])[] {
  return Array.from({ length: count }, (_, index) => [`x-${index}`, "v"]);
}

/** A request with more fields than we accept, followed by more trailers than Node accepts. */
function tooMuch(id: number): Buffer {
  const target = { ":method": "POST", ":scheme": "https", ":path": "/", ":authority": AUTHORITY };
  return Buffer.concat([
    frame("headers", END_HEADERS, id, fields(...Object.entries(target), ...many(MOST_FIELDS))),
    frame("data", 0, id, "body"),
    longHead(END_HEADERS | END_STREAM, id, fields(...many(2_100))),
  ]);
}

describe("refused HTTP/2 heads", (test) => {
  const sent = Buffer.concat([GREETING, ...Array.from({ length: STREAMS }, (_, at) => tooMuch(2 * at + 1))]);
  const visits = () =>
    withProxy({}, async (proxy) => {
      setFlagsFromString("--expose-gc");
      const collect: () => void = runInNewContext("gc");
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = proxy.traffic.rows.length;
        const client = await RawPeer.secure(proxy.port, `${AUTHORITY}:443`, proxy.clientCa, ["h2"]);
        client.send(sent);
        // The proxy disconnects after it has read only some of the streams.
        const { outcome } = (await proxy.traffic.row(before + round)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "request-malformed");
        client.close();
        while (proxy.listener.connections > 0) await pause(1);
        if (round % 5 === 4 || round === ROUNDS - 1) collect();
      }
    });

  test("given too many trailers right after a refused head, a garbage collection does not end the process", visits);

  test("given such heads handled in later turns, a garbage collection does not end the process either", () =>
    inShortSlices(visits));
});
