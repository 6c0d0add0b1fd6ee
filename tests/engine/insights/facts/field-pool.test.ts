import * as assert from "uvu/assert";
import { FieldPool } from "../../../../src/engine/insights/facts/field-pool.ts";
import { describe } from "../../../support/describe.ts";

describe("header field pool", (test) => {
  test("given repeated header lines, returns one shared object per line despite 100,000 lines that occur once", () => {
    const pool = new FieldPool();
    const headOf = (id: number) => `GET / HTTP/1.1\nHost: a.test\nX-Request-Id: ${id}`;
    const [first] = pool.fieldsOf(headOf(0));
    for (let id = 1; id < 100_000; id += 1) pool.fieldsOf(headOf(id));
    const last = pool.fieldsOf(headOf(100_000));
    assert.is(last[0], first);
    assert.equal(last, [
      { name: "host", value: "a.test" },
      { name: "x-request-id", value: "100000" },
    ]);
    // A line that comes only now is shared from now on.
    const [late] = pool.fieldsOf("GET / HTTP/1.1\nHost: b.test");
    assert.is(pool.fieldsOf("GET / HTTP/1.1\nHost: b.test")[0], late);
  });

  test("given lines that are not fields or no head, leaves them out", () => {
    const pool = new FieldPool();
    assert.equal(pool.fieldsOf("GET / HTTP/1.1\nno field\n: nor this\nA: 1"), [{ name: "a", value: "1" }]);
    assert.equal(pool.fieldsOf(null), []);
  });
});
