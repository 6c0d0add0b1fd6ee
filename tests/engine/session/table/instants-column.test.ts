import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { latencyOf, PHASES, phasesOf, startedAt } from "../../../../src/engine/model/phases.ts";
import { CHUNK_ROWS } from "../../../../src/engine/session/table/column.ts";
import { InstantsColumn, SlowedColumn } from "../../../../src/engine/session/table/instants-column.ts";
import { anyInstants } from "../../../support/any-instants.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";

const someInstants = fc
  .tuple(anyInstants(fc.nat(1_000).map(instant)), fc.option(fc.nat(1_000).map(instant)))
  .map(([instants, released]) => (released === null ? instants : { ...instants, released }));

/** NaN stands for `null`. */
const orNull = (length: number): number | null => (Number.isNaN(length) ? null : length);

describe("instants column", (test) => {
  test("given any instants, restores them, with the same latency and phases as the exchange", () => {
    fc.assert(
      fc.property(someInstants, fc.nat(3 * CHUNK_ROWS), (instants, row) => {
        const column = new InstantsColumn();
        column.put(row, instants);
        assert.equal(column.at(row), instants);
        assert.is(column.startAt(row), instants.startTime);
        assert.is(orNull(column.latencyAt(row)), latencyOf(instants));
        for (const phase of PHASES)
          if (phase !== "weir") assert.is(orNull(column.phaseAt(row, phase)), phasesOf(instants)[phase], phase);
      }),
    );
  });

  test("given instants that are written again, replaces the earlier ones, with null too", () => {
    fc.assert(
      fc.property(someInstants, someInstants, (before, after) => {
        const column = new InstantsColumn();
        column.put(1, before);
        column.put(1, after);
        assert.equal(column.at(1), after);
      }),
    );
  });

  test("given an exchange that has only started, all its other instants are null", () => {
    const column = new InstantsColumn();
    for (const row of [6, 7, 8]) column.putStart(row, instant(row));
    const { startTime, ...others } = column.at(7);
    assert.is(startTime, 7);
    assert.ok(Object.values(others).every((other) => other === null));
  });

  test("given evicted rows, their instants are null and other rows keep theirs", () => {
    const column = new InstantsColumn();
    const rows = [0, CHUNK_ROWS - 1, CHUNK_ROWS];
    for (const row of rows) column.put(row, { ...startedAt(instant(row), null), connectEnd: instant(row + 1) });
    column.forgetBefore(CHUNK_ROWS);
    assert.equal(
      rows.map((row) => [orNull(column.startAt(row)), column.at(row).connectEnd]),
      [
        [null, null],
        [null, null],
        [CHUNK_ROWS, CHUNK_ROWS + 1],
      ],
    );
  });
});

describe("slowed column", (test) => {
  test("given rows of which some were slowed, returns what was written, and null for the others", () => {
    const ms = fc.double({ min: 0, max: 5_000, noNaN: true });
    const anySlowed = fc.record({ request: ms, upload: ms, response: ms }, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(fc.option(anySlowed), { maxLength: 50 }), (rows) => {
        const column = new SlowedColumn();
        for (const [row, slowed] of rows.entries()) if (slowed !== null) column.put(row, slowed);
        for (const [row, slowed] of rows.entries()) assert.equal(column.at(row), slowed);
        assert.is(
          column.isEmpty,
          rows.every((slowed) => slowed === null),
        );
      }),
    );
  });
});
