import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { latencyOf, PHASES, phasesOf } from "../../../src/engine/model/phases.ts";
import { CHUNK_ROWS } from "../../../src/engine/session/column.ts";
import { InstantsColumn } from "../../../src/engine/session/instants-column.ts";
import { anyInstants } from "../../support/any-instants.ts";
import { instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";

const someInstants = anyInstants(fc.nat(1_000).map(instant));

/** NaN stands for `null`. */
const orNull = (length: number): number | null => (Number.isNaN(length) ? null : length);

describe("column of instants", (test) => {
  test("gives back every instant, and tells latency and phases as they are told of an exchange", () => {
    fc.assert(
      fc.property(someInstants, fc.nat(3 * CHUNK_ROWS), (instants, row) => {
        const column = new InstantsColumn();
        column.put(row, instants);
        assert.equal(column.at(row), instants);
        assert.is(column.startAt(row), instants.startTime);
        assert.is(orNull(column.latencyAt(row)), latencyOf(instants));
        for (const phase of PHASES) assert.is(orNull(column.phaseAt(row, phase)), phasesOf(instants)[phase], phase);
      }),
    );
  });

  test("of one that has only started nothing else is known, and neighbours do not meet", () => {
    const column = new InstantsColumn();
    for (const row of [6, 7, 8]) column.putStart(row, instant(row));
    const { startTime, ...others } = column.at(7);
    assert.is(startTime, 7);
    assert.ok(Object.values(others).every((other) => other === null));
  });

  test("rows that are forgotten give their memory back, the others stay", () => {
    const column = new InstantsColumn();
    for (const row of [0, CHUNK_ROWS - 1, CHUNK_ROWS]) column.putStart(row, instant(row));
    column.forgetBefore(CHUNK_ROWS);
    assert.equal(
      [0, CHUNK_ROWS - 1, CHUNK_ROWS].map((row) => orNull(column.startAt(row))),
      [null, null, CHUNK_ROWS],
    );
  });
});
