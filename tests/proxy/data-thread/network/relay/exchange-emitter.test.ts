import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ExchangeEmitter } from "../../../../../extensions/proxy/data-thread/network/relay/exchange-emitter.ts";
import { instant } from "../../../../support/capture.ts";
import { CapturedTraffic } from "../../../../support/captured-traffic.ts";
import { describe } from "../../../../support/describe.ts";

function emitterInto(traffic: CapturedTraffic): ExchangeEmitter {
  return new ExchangeEmitter(traffic, "a.test", 0, {
    at: instant(0),
    headReceived: null,
    method: "GET",
    origin: "https://a.test",
    target: "/",
    head: "GET / HTTP/1.1\r\n\r\n",
    clientAddress: "127.0.0.1",
    protocol: "http/1.1",
    clientConnection: 1,
    clientStream: null,
    tags: [],
    log: null,
  });
}

describe("exchange emitter", (test) => {
  test("given an exchange that ends in any way, closes the memory of its messages", () => {
    const failed = { kind: "failed", errorType: "server-reset", detail: "", status: null } as const;
    for (const outcome of [failed, { kind: "responded", status: 200 } as const]) {
      const emitter = emitterInto(new CapturedTraffic());
      assert.ok(emitter.messageMemory.take(1_000));
      emitter.ended(instant(1), outcome);
      assert.not(emitter.messageMemory.take(1));
    }
  });

  test("given a failure that quotes a peer at any length, keeps at most 1,000 characters of its detail", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(100_000), async (length) => {
        const traffic = new CapturedTraffic();
        const emitter = emitterInto(traffic);
        const detail = "n".repeat(length);
        emitter.ended(instant(1), { kind: "failed", errorType: "tls-wrong-host", detail, status: 502 });
        const { outcome } = (await traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" && outcome.detail, length <= 1_000 ? detail : `${"n".repeat(1_000)}…`);
      }),
    ));
});
