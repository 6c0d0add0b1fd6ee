import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { harRecordOf, RECORD_IN_HAR, recordIn } from "../../../src/engine/interchange/har-record.ts";
import { JsonValue } from "../../../src/engine/interchange/json-value.ts";
import { KEPT, KEPT_NAMES } from "../../../src/engine/model/exchange-fields.ts";
import { anyKeptIn } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";

const NULLS = Object.fromEntries(KEPT_NAMES.map((name) => [name, null]));

describe("the record's fields in HAR entries", (test) => {
  test("given any values, an entry has those that are known, and an import reads them again", () => {
    fc.assert(
      fc.property(fc.record(anyKeptIn(KEPT), { noNullPrototype: true }), (kept) => {
        const entry = harRecordOf(kept, false);
        const known = RECORD_IN_HAR.filter((name) => kept[name] !== null);
        assert.equal(
          Object.keys(entry),
          known.map((name) => `_${name}`),
        );
        assert.equal({ ...recordIn(new JsonValue(entry), KEPT), connection: null }, { ...kept, connection: null });
      }),
    );
  });

  test("given values of other types or out of range, the fields are unknown", () => {
    const invalid = fc.constantFrom({}, [], "?", -1, 1.5, 2 ** 40, null);
    fc.assert(
      fc.property(fc.tuple(...RECORD_IN_HAR.map(() => invalid)), (values) => {
        const entry = Object.fromEntries(RECORD_IN_HAR.map((name, index) => [`_${name}`, values[index]]));
        assert.equal(recordIn(new JsonValue(entry), KEPT), NULLS);
      }),
    );
  });
});
