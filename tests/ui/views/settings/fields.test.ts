import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NUMBER_BOUNDS, type NumberKey, settingProblem } from "../../../../src/engine/model/setting-rules.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { FIELDS, patternsOf } from "../../../../src/ui/views/settings/fields.ts";
import { describe } from "../../../support/describe.ts";

const NUMBERS = Object.keys(NUMBER_BOUNDS) as NumberKey[];

describe("number settings", (test) => {
  test("given the default settings, reads each displayed value back as the same value", () => {
    for (const key of NUMBERS) {
      const { textOf, read } = FIELDS[key];
      assert.equal(read(textOf(DEFAULT_SETTINGS[key])), { ok: true, value: DEFAULT_SETTINGS[key] }, key);
    }
    assert.is(FIELDS.bodyCap.textOf(DEFAULT_SETTINGS.bodyCap), "10");
  });

  test("given any text, accepts only what the engine accepts, and names the field's unit in a refusal", () => {
    const digits = fc.oneof(
      fc.nat(2_000_000).map(String),
      fc.float({ min: 0, max: 200, noNaN: true }).map((n) => n.toFixed(2)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...NUMBERS), digits, (key, text) => {
        const reading = FIELDS[key].read(text);
        if (reading.ok) assert.is(settingProblem(key, reading.value), null);
        else assert.match(reading.problem, `(${FIELDS[key].unit})`);
      }),
    );
    for (const text of ["", "ten", "-1", "1e3", "0x10", "1,5", "12 MB"])
      assert.is(FIELDS.bodyCap.read(text).ok, false, text);
    assert.equal(FIELDS.dataCap.read("63"), { ok: false, problem: "Enter a number from 64 to 1,048,576 (MB)." });
    assert.equal(FIELDS.bodyCap.read(" 0.5 "), { ok: true, value: 512 * 1024 });
    assert.equal(FIELDS.chainGap.read("1.5"), { ok: false, problem: "Enter a whole number from 0 to 10,000 (ms)." });
  });
});

describe("fixed threshold setting", (test) => {
  const { read } = FIELDS.fixedThreshold;

  test("given a whole number from 1 to 600,000, accepts it as milliseconds, and empty text as off", () => {
    assert.equal(read(" 1500 "), { ok: true, value: 1500 });
    assert.equal(read("1"), { ok: true, value: 1 });
    assert.equal(read("600000"), { ok: true, value: 600_000 });
    assert.equal(read("  "), { ok: true, value: null });
  });

  test("given any other text, refuses it", () => {
    for (const text of ["0", "-5", "600001", "1.5", "1e3", "fast", "12 ms", "0x10"]) {
      assert.is(read(text).ok, false, text);
    }
  });
});

describe("upstream proxy setting", (test) => {
  test("given a text, sets it without the blanks around it, and empty text as none", () => {
    assert.equal(FIELDS.upstreamProxy.read(" http://a.test:1 "), { ok: true, value: "http://a.test:1" });
    assert.equal(FIELDS.upstreamProxy.read("  "), { ok: true, value: null });
  });
});

describe("host pattern settings", (test) => {
  test("given patterns on lines or separated by commas and spaces, reads each once", () => {
    assert.equal(patternsOf(" *.a.test\nb.test, c.test\n\n*.a.test"), ["*.a.test", "b.test", "c.test"]);
    assert.equal(patternsOf(""), []);
  });
});
