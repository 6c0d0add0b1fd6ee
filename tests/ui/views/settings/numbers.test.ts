import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { NUMBER_BOUNDS, settingProblem } from "../../../../src/engine/model/setting-rules.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import {
  NO_NUMBERS,
  numbersChanged,
  numbersTold,
  readNumber,
  readThreshold,
} from "../../../../src/ui/views/settings/numbers.ts";
import { describe } from "../../../support/describe.ts";

const ROWS = [...NO_NUMBERS.insight, ...NO_NUMBERS.limits];
const BODY_CAP = { key: "bodyCap", unit: "MB" } as const;
const nobody = () => false;

describe("number settings", (test) => {
  test("given the number settings, has one field for each", () => {
    assert.equal(ROWS.map(({ key }) => key).toSorted(), Object.keys(NUMBER_BOUNDS).toSorted());
  });

  test("given the default settings, reads each displayed value back as the same value", () => {
    for (const { key, unit, text } of numbersTold(ROWS, DEFAULT_SETTINGS, nobody)) {
      assert.equal(readNumber({ key, unit }, text), { ok: true, value: DEFAULT_SETTINGS[key] }, key);
    }
    assert.is(numbersTold(ROWS, DEFAULT_SETTINGS, nobody).find(({ key }) => key === "bodyCap")?.text, "10");
  });

  test("given any text, accepts only what the engine accepts, and names the field's unit in a refusal", () => {
    const digits = fc.oneof(
      fc.nat(2_000_000).map(String),
      fc.float({ min: 0, max: 200, noNaN: true }).map((n) => n.toFixed(2)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...ROWS), digits, (row, text) => {
        const reading = readNumber(row, text);
        if (reading.ok) assert.is(settingProblem(row.key, reading.value), null);
        else assert.match(reading.problem, `(${row.unit})`);
      }),
    );
    for (const text of ["", "ten", "-1", "1e3", "0x10", "1,5", "12 MB"])
      assert.is(readNumber(BODY_CAP, text).ok, false, text);
    assert.equal(readNumber({ key: "dataCap", unit: "MB" }, "63"), {
      ok: false,
      problem: "Enter a number from 64 to 1,048,576 (MB).",
    });
    assert.equal(readNumber(BODY_CAP, " 0.5 "), { ok: true, value: 512 * 1024 });
    assert.equal(readNumber({ key: "chainGap", unit: "ms" }, "1.5"), {
      ok: false,
      problem: "Enter a whole number from 0 to 10,000 (ms).",
    });
  });

  test("given a refused value or one being saved, keeps the field's text", () => {
    const refused = numbersChanged(ROWS, "chainGap", { text: "many", problem: "No." });
    const told = numbersTold(refused, DEFAULT_SETTINGS, (key) => key === "bodyCap");
    assert.is(told.find(({ key }) => key === "chainGap")?.text, "many");
    assert.is(told.find(({ key }) => key === "bodyCap")?.text, "");
    assert.is(told.find(({ key }) => key === "historyKept")?.text, "50");
  });
});

describe("fixed threshold setting", (test) => {
  test("given a whole number from 1 to 600,000, accepts it as milliseconds, and empty text as off", () => {
    assert.equal(readThreshold(" 1500 "), { ok: true, value: 1500 });
    assert.equal(readThreshold("1"), { ok: true, value: 1 });
    assert.equal(readThreshold("600000"), { ok: true, value: 600_000 });
    assert.equal(readThreshold("  "), { ok: true, value: null });
  });

  test("given any other text, refuses it", () => {
    for (const text of ["0", "-5", "600001", "1.5", "1e3", "fast", "12 ms", "0x10"]) {
      assert.is(readThreshold(text).ok, false, text);
    }
  });
});
