import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { modelFiguresOf } from "../../../../src/engine/session/evaluation/found-findings.ts";
import { plainPercentile } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";

const sample = fc.record({
  model: fc.nat(2),
  endpoint: fc.option(fc.nat(1), { nil: null }),
  firstToken: fc.option(fc.nat(5_000), { nil: Number.NaN }),
  rate: fc.option(fc.nat(300), { nil: Number.NaN }),
});

describe("language model figures", (test) => {
  test("given any calls, each endpoint's figures by model are exact percentiles, from five values on", () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 80 }), (all) => {
        const samples = {
          ids: Float64Array.from(all, (_, index) => index),
          models: Uint32Array.from(all, ({ model }) => model),
          firstTokens: Float64Array.from(all, ({ firstToken }) => firstToken),
          rates: Float64Array.from(all, ({ rate }) => rate),
          names: ["a", "b", "c"],
        };
        const figures = modelFiguresOf(samples, (id) => all[id]?.endpoint ?? null);
        for (const endpoint of [0, 1]) {
          const own = figures.get(endpoint) ?? [];
          assert.is(
            own.reduce((sum, { calls }) => sum + calls, 0),
            all.filter((one) => one.endpoint === endpoint).length,
          );
          for (const [position, { model, calls, firstToken, rate, firstTokens, rates: rateBars }] of own.entries()) {
            const mine = all.filter((one) => one.endpoint === endpoint && samples.names[one.model] === model);
            const known = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value));
            const tokens = known(mine.map((one) => one.firstToken));
            const rates = known(mine.map((one) => one.rate));
            assert.is(calls, mine.length);
            assert.ok(position === 0 || calls <= (own[position - 1]?.calls ?? 0));
            assert.is(rate, rates.length < 5 ? null : plainPercentile(rates, 0.5));
            assert.equal(
              firstToken,
              tokens.length < 5 ? null : { p50: plainPercentile(tokens, 0.5), p95: plainPercentile(tokens, 0.95) },
            );
            for (const [bars, values] of [
              [firstTokens, tokens],
              [rateBars, rates],
            ] as const) {
              const isIn =
                ({ lo, hi }: (typeof bars)[number]) =>
                (value: number) =>
                  value >= lo && value < (hi ?? Number.POSITIVE_INFINITY);
              assert.equal(
                bars.map(({ count }) => count),
                bars.map((bar) => values.filter(isIn(bar)).length),
              );
              const counted = bars.reduce((sum, { count }) => sum + count, 0);
              assert.is(counted, values.length < 5 ? 0 : values.length);
            }
          }
        }
      }),
    );
  });
});
