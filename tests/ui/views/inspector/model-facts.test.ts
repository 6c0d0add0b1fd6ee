import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeDetail, ModelCallRecord } from "../../../../src/engine/messages/exchange-messages.ts";
import { followModelCall, modelFactsOf } from "../../../../src/ui/views/inspector/model-facts.ts";
import { describe } from "../../../support/describe.ts";

const CALL: ModelCallRecord = {
  model: "small-1",
  isStream: true,
  firstToken: 840.24,
  rate: { perSecond: 52.4, isAbout: false },
  longestPause: 1_240,
  stalls: 1,
  input: 12_402,
  output: 512,
  cached: 11_000,
  tools: ["weather", "search"],
  finish: "stop",
  error: null,
  buffered: null,
};

const textOf = (call: Partial<ModelCallRecord>, name: string) =>
  modelFactsOf({ ...CALL, ...call }).find((fact) => fact.name === name)?.value;

describe("facts of a language model call", (test) => {
  test("given a streamed call, tells each figure with its unit", () => {
    assert.equal(
      modelFactsOf(CALL).map(({ name, value }) => `${name}: ${value}`),
      [
        "Model: small-1",
        "Answer: streamed",
        "First token: 840.2 ms",
        "Rate: 52 tokens/s",
        "Longest stall: 1,240.0 ms",
        "Tokens in: 12,402",
        "Cached tokens: 11,000",
        "Tokens out: 512",
        "Tool calls: 2 calls: weather, search",
        "Finish reason: stop",
      ],
    );
  });

  test("given figures that are unknown, counted from events or of a buffered response, says so", () => {
    assert.is(textOf({ rate: { perSecond: 4.26, isAbout: true } }, "Rate"), "about 4.3 tokens/s");
    assert.is(textOf({ rate: null, buffered: "certain" }, "Rate"), "unknown");
    for (const buffered of ["certain", "likely"] as const)
      assert.is(textOf({ buffered }, "Buffered"), "yes, all events came in one burst");
    assert.match(textOf({ buffered: "unclear" }, "Buffered") ?? "", /^can't tell: 1 to 3 events came at once/);
    assert.is(textOf({ error: "overloaded_error" }, "Outcome"), "failed within the answer: overloaded_error");
    assert.is(textOf({ stalls: 0 }, "Longest stall"), "none");
    assert.is(textOf({ stalls: 0 }, "Longest pause"), "1,240.0 ms");
    assert.is(textOf({ stalls: 1 }, "Longest pause"), undefined);
    assert.is(textOf({ stalls: 3 }, "Longest stall"), "1,240.0 ms, 3 stalls");
    assert.is(textOf({ model: null }, "Model"), "not named");
    assert.is(textOf({ cached: null }, "Cached tokens"), undefined);
    for (const name of ["First token", "Tokens out", "Tool calls", "Finish reason"])
      assert.is(textOf({ firstToken: null, output: null, tools: [], finish: null }, name), undefined);
    assert.equal(modelFactsOf(null), []);
  });

  test("given opened exchanges, asks once for each call that has ended, and shows none of an earlier one", async () => {
    const asked: number[] = [];
    const shown: number[] = [];
    const send = ({ exchange }: { readonly exchange: number }) => {
      asked.push(exchange);
      return Promise.resolve({ ok: true as const, value: { ...CALL, output: exchange } });
    };
    const follow = followModelCall({ commands: { send } } as never, (facts) =>
      shown.push(Number(facts.find(({ name }) => name === "Tokens out")?.value ?? 0)),
    );
    const detail = (id: number, target: string, ended = true) =>
      ({ exchange: { id, target, outcome: ended ? {} : null } }) as unknown as ExchangeDetail;
    follow(detail(1, "/v1/messages", false));
    follow(detail(1, "/v1/messages"));
    follow(detail(1, "/v1/messages"));
    follow(detail(2, "/v1/messages"));
    await Promise.resolve();
    await Promise.resolve();
    follow(detail(3, "/v1/news"));
    await Promise.resolve();
    assert.equal(asked, [1, 2]);
    assert.equal(
      shown.filter((one) => one > 0),
      [2],
    );
    assert.is(shown.at(-1), 0);
  });

  test("given any rate, the text is one number with its unit", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.boolean(), (perSecond, isAbout) => {
        assert.match(textOf({ rate: { perSecond, isAbout } }, "Rate") ?? "", /^(?:about )?[\d,]+(?:\.\d)? tokens\/s$/);
      }),
    );
  });
});
