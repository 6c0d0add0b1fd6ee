import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { GainsFound } from "../../../../../src/engine/model/load-gain.ts";
import type { ExchangeId } from "../../../../../src/engine/model/units.ts";
import { SubscriptionStore } from "../../../../../src/ui/state/subscription-store.ts";
import {
  answerOf,
  StepWhatIf,
  timeFrom,
  type WhatIfTexts,
} from "../../../../../src/ui/views/performance/findings/step-what-if.ts";
import type { LoadRow } from "../../../../../src/ui/views/performance/findings/where-rows.ts";
import { describe } from "../../../../support/describe.ts";
import { fakeChannel } from "../../../../support/fake-channel.ts";

const step = (exchange: number, length: number) =>
  ({
    key: `step ${exchange}`,
    exchanges: [exchange as ExchangeId],
    times: "",
    method: "GET",
    path: "/v1/prices",
    length,
  }) as unknown as LoadRow;

const run = (first: number, count: number, length: number) =>
  ({
    key: `run ${first}`,
    exchanges: Array.from({ length: count }, (_, index) => first + index),
    times: `${count} ×`,
    method: "GET",
    path: "/v1/prices",
    length,
  }) as unknown as LoadRow;

const found = (byLinks: number, atMost: number): GainsFound => ({
  step: { unit: "load", duration: 1_412, took: 720, gain: { byLinks, atMost } },
  loads: null,
  walks: null,
});

describe("what-if field of a step", (test) => {
  test("given text in the field, takes times up to an hour", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600_000 }), (time) => {
        assert.is(timeFrom(String(time)), time);
        assert.is(timeFrom(` ${time.toLocaleString("en")} `), time);
      }),
    );
    for (const text of ["", "-1", "soon", "1e3", "3600001", "0x10", "5 6"]) assert.is(timeFrom(text), null, text);
  });

  test("given an answer, says how much sooner the load would end, and nothing where it saves nothing", () => {
    const said = (byLinks: number, atMost: number) => {
      const { lead, gain, of } = answerOf(found(byLinks, atMost));
      return `${lead} ${gain} ${of}`;
    };
    assert.is(said(611, 611), "This load would end 611 ms sooner (of 1,412 ms).");
    assert.is(said(0, 611), "This load would end at most 611 ms sooner (of 1,412 ms).");
    assert.is(said(0, 0.4), "This load would end no sooner (of 1,412 ms).");
    assert.is(answerOf(null).lead, "Calculating…");
    assert.is(answerOf({ step: null, loads: null, walks: null }).gain, "");
  });

  test("given steps and times, asks for each valid one, and says what is wrong with others", async () => {
    const { channel, sent, receive, enter } = fakeChannel();
    let shown: WhatIfTexts | null = null;
    const asking = new StepWhatIf(new SubscriptionStore(channel, (run) => run), (texts) => {
      shown = texts;
    });
    enter({ kind: "open" });
    const now = () => shown as WhatIfTexts | null;
    const askedFor = () =>
      sent.flatMap((message) =>
        "query" in message && message.query.view === "what-if" ? [[message.query.exchanges, message.query.to]] : [],
      );
    asking.choose(step(4, 720));
    await null;
    assert.equal([now()?.time, now()?.took, now()?.lead], ["360", "ms instead of 720 ms", "Calculating…"]);
    const [subscribed] = sent.flatMap((message) => (message.type === "subscribe" ? [message.subscription] : []));
    receive({ type: "value", subscription: subscribed ?? -1, revision: 1, value: found(360, 360) });
    await null;
    assert.is(now()?.gain, "360 ms sooner");
    asking.setTime("fast");
    assert.match(now()?.problem ?? "", /^Enter a time from 0 to 3,600,000 ms\.$/);
    assert.is(now()?.gain, "");
    asking.setTime("50");
    asking.choose(step(4, 720));
    assert.is(now()?.time, "50", "the same step again keeps the time");
    asking.choose(step(5, 101));
    await null;
    assert.is(now()?.time, "51");
    assert.equal(askedFor()[0], [[4], 360]);
    assert.equal(askedFor().at(-1), [[5], 51]);
    asking.choose(run(5, 4, 404));
    await null;
    assert.equal([now()?.key, now()?.exchange, now()?.times, now()?.time], ["run 5", 5, "4 ×", "51"]);
    assert.is(now()?.took, "ms each instead of 101 ms on average");
    assert.equal(askedFor().at(-1), [[5, 6, 7, 8], 51]);
    asking.close();
    shown = null;
    asking.setTime("60");
    assert.is(now(), null, "without a step, nothing is said");
    asking.choose(step(5, 101));
    await null;
    assert.equal([now()?.time, askedFor().at(-1)], ["51", [[5], 51]], "the same step may be chosen again");
    asking.close();
  });
});
