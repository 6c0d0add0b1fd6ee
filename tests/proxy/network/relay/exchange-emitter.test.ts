import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { ExchangeEmitter } from "../../../../extensions/proxy/network/relay/exchange-emitter.ts";
import { instant } from "../../../support/capture.ts";
import { CapturedTraffic } from "../../../support/captured-traffic.ts";
import { describe } from "../../../support/describe.ts";

describe("the emitter of an exchange", (test) => {
  test("given a failure that quotes a peer at any length, keeps at most 1,000 characters of its detail", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(100_000), async (length) => {
        const traffic = new CapturedTraffic();
        const emitter = new ExchangeEmitter(traffic, "a.test", 0, {
          ...{ at: instant(0), headReceived: null, method: "GET", origin: "https://a.test", target: "/" },
          ...{ head: "GET / HTTP/1.1\r\n\r\n", clientAddress: "127.0.0.1", protocol: "http/1.1" },
          ...{ clientConnection: 1, clientStream: null, tags: [], log: null },
        });
        const detail = "n".repeat(length);
        emitter.ended(instant(1), { kind: "failed", errorType: "tls-wrong-host", detail, status: 502 });
        const { outcome } = (await traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" && outcome.detail, length <= 1_000 ? detail : `${"n".repeat(1_000)}…`);
      }),
    ));
});
