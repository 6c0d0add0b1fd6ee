import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type AcceptedEntry,
  acceptedOf,
  acceptedText,
  NOTHING_ACCEPTED,
  untilOf,
  withAccepted,
} from "../../../src/engine/budget/accepted-file.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

const days = fc.date({ min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
const until = days.map((date) => date.toISOString().slice(0, 10));
const amount = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0);
const number = fc.integer({ min: 1, max: 9_999 });
const cost = fc.record(
  { time: amount, bytes: amount, count: number, requests: number, p50: amount, latencies: number },
  { requiredKeys: [] },
);
const entry: fc.Arbitrary<AcceptedEntry> = fc.record(
  {
    fingerprint: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 16, maxLength: 16 }),
    finding: fc.string({ unit: anyCharacter }),
    reason: fc.string().map((text) => `r${text}r`),
    until,
    cost,
  },
  { requiredKeys: ["fingerprint", "reason"] },
);
const entries = fc.uniqueArray(entry, { maxLength: 6, selector: ({ fingerprint }) => fingerprint });
const ENTRY = { fingerprint: "0123456789abcdef", reason: "Known." };

describe("accepted findings file", (test) => {
  test("given entries in any order, has the same bytes, and is read back", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const text = acceptedText({ schema: 1, accepted: all });
        assert.is(acceptedText({ schema: 1, accepted: all.toReversed() }), text);
        assert.not.match(text, /[^\P{C}\n]/u);
        const read = unwrap(acceptedOf(text));
        assert.is(acceptedText(read), text);
        assert.equal(
          new Map(read.accepted.map((one) => [one.fingerprint, one])),
          new Map(all.map((one) => [one.fingerprint, JSON.parse(JSON.stringify(one))])),
        );
      }),
    );
  });

  test("given what git's union merge makes of two sides, has the entries of both; one changed on both is named", () => {
    fc.assert(
      fc.property(entries, entries, (ours, theirs) => {
        // Lines of both sides, in any order and with the commas that they had.
        const linesOf = (all: readonly AcceptedEntry[]) =>
          acceptedText({ schema: 1, accepted: all }).match(/^ {4}\{.*$/gm) ?? [];
        const merged = `{\n  "schema": 1,\n  "accepted": [\n${[...linesOf(ours), ...linesOf(theirs)].join("\n")}\n  ]\n}\n`;
        const read = acceptedOf(merged);
        const fingerprints = [...ours, ...theirs].map(({ fingerprint }) => fingerprint);
        if (new Set(fingerprints).size < fingerprints.length)
          return assert.match(problemOf(read), /^Line \d+: accepted › .* occurs twice\.$/);
        assert.equal(new Set(unwrap(read).accepted.map(({ fingerprint }) => fingerprint)), new Set(fingerprints));
      }),
    );
  });

  test("given new entries, replaces those of the same fingerprint and keeps all others", () => {
    fc.assert(
      fc.property(entries, entries, (known, added) => {
        const file = { ...NOTHING_ACCEPTED, $schema: "weir.accepted.schema.json", accepted: known };
        const all = withAccepted(file, added);
        const expected = new Map([...known, ...added].map((one) => [one.fingerprint, one]));
        assert.equal(new Map(all.accepted.map((one) => [one.fingerprint, one])), expected);
        assert.is(all.accepted.length, expected.size);
        assert.match(acceptedText(all), /^\{\n {2}"\$schema": "weir\.accepted\.schema\.json",\n/);
      }),
    );
  });

  test("given a broken or foreign file, says what is wrong and on which line", () => {
    const said = [
      '{\n "name": "weir", "version": "1" }',
      "null",
      "[]",
      '{"schema":2,"accepted":[]}',
      '{"schema":1,"accepted":{}}',
      JSON.stringify({ schema: 1, accepted: [{ ...ENTRY, fingerprint: "ABC" }] }),
      JSON.stringify({ schema: 1, accepted: [{ ...ENTRY, reason: "  " }] }),
      JSON.stringify({ schema: 1, accepted: [{ ...ENTRY, until: "2026-02-30" }] }),
      JSON.stringify({ schema: 1, accepted: [{ ...ENTRY, untill: "2026-02-01" }] }),
      JSON.stringify({ schema: 1, accepted: [ENTRY, ENTRY] }, null, 1),
    ].map((text) => problemOf(acceptedOf(text)));
    assert.equal(said, [
      'Line 1: the file has no list "accepted", so it is not one that weir accept wrote.',
      "Line 1: the file must be an object, but is null.",
      "Line 1: the file must be an object, but is a list.",
      "Line 1: schema must be 1, but is 2.",
      "Line 1: accepted must be a list, but is an object.",
      'Line 1: accepted › [0] › fingerprint must be a fingerprint of 16 hexadecimal digits, but is "ABC".',
      'Line 1: accepted › [0] › reason must be a text that is not empty, but is "".',
      'Line 1: accepted › [0] › until must be a date such as 2026-12-31, but is "2026-02-30".',
      "Line 1: accepted › [0] › untill is not a known name; known are fingerprint, finding, reason, until, cost.",
      "Line 9: accepted › [1] › fingerprint 0123456789abcdef occurs twice.",
    ]);
    assert.match(problemOf(acceptedOf("{")), /^The file is not JSON: /);
    assert.match(problemOf(acceptedOf("{\n<<<<<<< HEAD\n}")), /^Line 2: a merge left its conflict here\. /);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.match(problemOf(acceptedOf(text)), /\.$/)),
    );
  });

  test("given a last day, takes today and later days of the calendar", () => {
    fc.assert(fc.property(until, until, (day, today) => assert.is(untilOf(day, today).ok, day >= today)));
    for (const text of ["2026-13-01", "2026-02-29", "tomorrow", "2026-1-1", "2026-01-01T00:00:00Z"])
      assert.match(problemOf(untilOf(text, "2000-01-01")), /^--until takes a date such as 2026-12-31, not "/);
  });
});
