import * as assert from "uvu/assert";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { barOf, lengthPositionOf, timelineRowOf } from "../../../../src/ui/views/timeline/rows.ts";
import { describe } from "../../../support/describe.ts";
import { timelineRecord } from "./record.ts";

const NOW = timelineRecord().startTime;
const row = (change: Parameters<typeof timelineRecord>[0], before: string | null = null, later = 5_000) =>
  timelineRowOf(timelineRecord(change), before, (NOW + later) as Instant);

describe("Timeline rows", (test) => {
  test("given an exchange, returns its name, status and length as frozen texts", () => {
    const { method, changes, path, host, status, failed, length } = row({});
    assert.equal(
      [method, changes, path, host, status, failed, length],
      ["POST", true, "/v1/checkout", "api.shop.test", "200", false, "1,967 ms"],
    );
    assert.ok(Object.isFrozen(row({})));
  });

  test("given an operation, names it behind the target, in the row and in its title", () => {
    const { path, title } = row({ target: "/graphql?v=2", operation: "GetUser" });
    assert.is(path, "/graphql?v=2 · GetUser");
    assert.match(title, /^POST https:\/\/api\.shop\.test\/graphql\?v=2 · GetUser\n/);
  });

  test("given a reused connection, says so in words and does not name phases that did not happen", () => {
    const { title } = row({});
    assert.match(title, "connection reused: no DNS, Connect or TLS");
    assert.match(title, "TTFB 1,869 ms, Transfer 97 ms");
    assert.not.match(title, "DNS 0");
    assert.not.match(row({ reused: false }).title, "reused");
  });

  test("given a connection, a stream and a wait, names all three in the title", () => {
    assert.match(row({}).title, /^connection 3$/m);
    const { title } = row({
      stream: 7,
      clientConnection: 2,
      clientStream: 5,
      wait: { waitedFor: "connection", from: 1, to: 42.4 },
    });
    assert.match(title, /^waited 41 ms$/m);
    assert.match(title, /^connection 3 · stream 7$/m);
    assert.match(title, /^client’s connection 2 · stream 5$/m);
    assert.not.match(row({ connection: null }).title, /^connection \d/m);
  });

  test("given a link to an earlier exchange, names that exchange and how certain the link is", () => {
    const follows = { from: 6 as ExchangeId, kind: "proven", gap: 12.4 } as const;
    assert.match(
      row({ follows }, "GET /v1/cart").title,
      "follows GET /v1/cart after 12 ms, proven to need its response",
    );
    assert.match(
      row({ follows: { ...follows, kind: "sequential" } }).title,
      "sequential, not proven to need its response",
    );
  });

  test("given a failure, marks it and names the cause in words", () => {
    assert.equal([row({ status: 502 }).failed, row({ status: 502 }).status], [true, "502"]);
    const failed = row({ status: null, errorType: "connection-refused" });
    assert.equal([failed.failed, failed.status], [true, "failed"]);
    assert.match(failed.title, "The server refused the connection");
  });

  test("given an exchange in flight, shows its length so far in whole seconds, up to the session's end", () => {
    const inFlight = { endTime: null, latency: null, status: null } as const;
    assert.is(row(inFlight, null, 3_700).length, "3,000 ms so far");
    assert.is(row(inFlight, null, 300).length, "");
    assert.is(barOf(timelineRecord(inFlight), (NOW + 300) as Instant).end, NOW + 300);
    const ended = { ...inFlight, sessionEnd: (NOW + 4_700) as Instant };
    assert.is(row(ended, null, 86_400_000).length, "4,000 ms so far");
    assert.is(barOf(timelineRecord(ended), (NOW + 86_400_000) as Instant).end, NOW + 4_700);
  });

  test("given a bar, places its length right of it, or left of it or on it where there is no room", () => {
    const scale = { range: { from: 0 as Instant, to: 1_000 as Instant }, width: 1_000 };
    const plain = { slow: false, inFlight: false, link: null };
    const bar = { start: 100, end: 300, spans: [], wait: null, slowed: [] };
    assert.equal(lengthPositionOf(bar, plain, scale), {
      kind: "",
      style: { left: "308px", right: "auto" },
      before: 0,
    });
    assert.equal(lengthPositionOf(bar, { ...plain, link: 302 }, scale), {
      kind: "",
      style: { left: "312px", right: "auto" },
      before: 0,
    });
    assert.is(
      lengthPositionOf(bar, { ...plain, link: 600 }, scale).style.right,
      "908px",
      "a link would run through it",
    );
    assert.is(lengthPositionOf({ ...bar, start: 10 }, { ...plain, link: 600 }, scale).style.left, "312px");
    assert.equal(lengthPositionOf({ ...bar, end: 990 }, plain, scale), {
      kind: "",
      style: { left: "auto", right: "908px" },
      before: 64,
    });
    assert.equal(lengthPositionOf({ ...bar, start: -50, end: 2_000 }, plain, scale), {
      kind: "is-inside",
      style: { left: "auto", right: "8px" },
      before: 0,
    });
  });

  test('given an exchange in flight, reserves room for "so far" when it places the length', () => {
    const scale = { range: { from: 0 as Instant, to: 1_000 as Instant }, width: 1_000 };
    const place = (start: number, inFlight: boolean) =>
      lengthPositionOf(
        { start, end: 2_000, spans: [], wait: null, slowed: [] },
        { slow: false, inFlight, link: null },
        scale,
      );
    assert.equal([place(90, false).style.right, place(90, false).before], ["918px", 64]);
    assert.is(place(90, true).kind, "is-inside");
    assert.equal([place(200, true).style.right, place(200, true).before], ["808px", 112]);
  });
});
