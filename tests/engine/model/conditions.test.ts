import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { checked, conditionsIn, conditionsOf, conditionsText, PRESETS } from "../../../src/engine/model/conditions.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

const anyRate = fc.oneof(fc.constant(0), fc.integer({ min: 8, max: 1_000_000 }));

describe("conditions text", (test) => {
  test("given a preset's name in any case, returns its figures for all hosts", () => {
    for (const preset of PRESETS)
      for (const text of [preset.id, preset.name, ` ${preset.name.toUpperCase()} `])
        assert.equal(conditionsIn(text), { ok: true, value: conditionsOf(preset) });
  });

  test("given own figures, returns them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), anyRate, anyRate, (roundTrip, down, up) => {
        const value = { name: null, roundTrip, down, up, hosts: [] };
        assert.equal(conditionsIn(`${roundTrip}ms,${down}/${up}`), { ok: true, value });
      }),
    );
  });

  test("given anything else, names what is allowed", () => {
    const isKnown = (text: string) => conditionsIn(text).ok;
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!isKnown(text))
          assert.match(problemOf(conditionsIn(text)), /slow-4g.*150ms,1600\/750|from 0 to|from 8 to|slow nothing/);
      }),
    );
    for (const text of [
      "5g",
      "150",
      "150ms",
      "150ms,1600",
      "1.5ms,8/8",
      "-1ms,8/8",
      "150ms,7/750",
      "10001ms,8/8",
      "0ms,0/0",
    ])
      assert.not.ok(isKnown(text), text);
  });

  test("given host patterns, refuses what is no host", () => {
    const own = { name: null, roundTrip: 10, down: 0, up: 0 };
    for (const host of ["a.test", "*.a.test", "10.0.0.1"]) assert.ok(checked({ ...own, hosts: [host] }).ok, host);
    for (const host of ["", "https://a.test", "a b", "a,b"]) assert.not.ok(checked({ ...own, hosts: [host] }).ok, host);
  });

  test("given network conditions, returns name, figures and hosts as text", () => {
    assert.is(
      conditionsText({ name: "Slow 4G", roundTrip: 150, down: 1_600, up: 0, hosts: ["*.a.test"] }),
      "Slow 4G, 150 ms, 1,600/unlimited kbit/s, for *.a.test",
    );
    assert.is(conditionsText({ name: null, roundTrip: 20, down: 0, up: 0, hosts: [] }), "20 ms");
  });
});
