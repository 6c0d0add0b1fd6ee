import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Refusals } from "../../../../../extensions/proxy/data-thread/network/client/refusals.ts";
import type { Outcome } from "../../../../../src/engine/model/exchange.ts";
import { UNCOUNTED_TAGS } from "../../../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const REASONS = ["A request was refused. One reason.", "A request was refused. Another reason."];

describe("refused requests", (test) => {
  test("given requests refused for some reasons, makes one row for each reason, with their number", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...REASONS), { minLength: 1, maxLength: 200 }), (reasons) => {
        const refusals = new Refusals();
        const ends: Outcome[] = [];
        const ended = (_at: Instant, outcome: Outcome) => void ends.push(outcome);
        for (const [at, reason] of reasons.entries())
          refusals.add({ reason, status: 403 }, at as Instant, () => ({ ended }));
        refusals.expire((reasons.length + 1) as Instant);
        assert.is(ends.length, 0);
        refusals.expire(1_000_000 as Instant);
        assert.is(ends.length, new Set(reasons).size);
        for (const reason of new Set(reasons)) {
          const count = reasons.filter((one) => one === reason).length;
          const told = ends.find((end) => end.kind === "failed" && end.detail.startsWith(reason));
          assert.match(
            told?.kind === "failed" ? told.detail : "",
            count === 1 ? /reason\.$/ : ` ${count} such requests`,
          );
        }
      }),
    ));

  test("given requests that ask for hosts, the row tells up to ten of them, each once and shortened", () => {
    const name = fc.integer({ min: 0, max: 20 }).map((number) => `host-${number}.${"x".repeat(200)}`);
    fc.assert(
      fc.property(fc.array(fc.option(name, { nil: null }), { minLength: 1, maxLength: 60 }), (names) => {
        const refusals = new Refusals();
        const ends: Outcome[] = [];
        for (const one of names)
          refusals.add(
            { reason: "One reason.", status: null },
            0 as Instant,
            () => ({ ended: (_at: Instant, outcome: Outcome) => void ends.push(outcome) }),
            one,
          );
        refusals.close();
        const [end] = ends;
        const detail = end?.kind === "failed" ? end.detail : "";
        const distinct = [...new Set(names.flatMap((one) => one?.slice(0, 100) ?? []))];
        const asked = /Asked for: (.*?)(, and others)?\.$/.exec(detail);
        assert.equal(asked?.[1]?.split(", ") ?? [], distinct.slice(0, 10));
        assert.is(asked?.[2] !== undefined, distinct.length > 10);
      }),
    );
  });

  for (const [what, fields] of Object.entries({
    "with another site's Origin": "Origin: https://evil.test\r\n",
    "without Origin, from another site": "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n",
    "without a sign of their page": "",
  }))
    test(`given many long requests to the proxy itself ${what}, makes one uncounted row below 4 KB`, () =>
      withProxy({}, async (proxy) => {
        const count = 40;
        const peer = await RawPeer.to(proxy.port);
        for (let each = 1; each <= count; each += 1) {
          const last = each === count ? "Connection: close\r\n" : "";
          peer.send(
            `GET /${each}${"x".repeat(60_000)} HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\n${fields}${last}\r\n`,
          );
        }
        const answers = (await peer.rest()).toString("latin1");
        assert.is(answers.match(/^HTTP\/1\.1 40[34] /gm)?.length, count);
        await proxy.listener.stop();
        const { ended } = await proxy.traffic.row(0);
        assert.match(ended.outcome.kind === "failed" ? ended.outcome.detail : "", `${count} such requests`);
        assert.ok(ended.tags.some((tag) => UNCOUNTED_TAGS.includes(tag)));
        assert.is(proxy.traffic.events.filter(({ type }) => type === "request-started").length, 1);
        assert.ok(JSON.stringify(proxy.traffic.events).length < 4_096);
      }));

  test("given many TLS handshakes at the proxy's port, gives few of them rows of their own", () =>
    withProxy({}, async (proxy) => {
      for (let each = 0; each < 60; each += 1) {
        const peer = await RawPeer.to(proxy.port);
        peer.send(Buffer.from(`\x16\x03\x01\x02\x00\x01${"x".repeat(500)}`, "latin1"));
        await peer.rest();
      }
      await proxy.listener.stop();
      const rows = proxy.traffic.events.filter(({ type }) => type === "request-started");
      assert.is(rows.length, 21);
    }));
});
