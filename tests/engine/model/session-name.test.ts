import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  reportTitleOf,
  runIn,
  runNameOf,
  sessionLabelOf,
  sessionNameProblem,
} from "../../../src/engine/model/session-name.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";

describe("session name", (test) => {
  test("given printable text of up to 200 characters, takes it", () => {
    const name = fc.string({ unit: fc.constantFrom(..."aZ9 ü漢.:/-"), minLength: 1, maxLength: 199 });
    fc.assert(fc.property(name, (text) => assert.is(sessionNameProblem(`${text}x`), null)));
  });

  test("given nothing, too much, control characters or a word of --session, says why not", () => {
    const hostile = fc.constantFrom("\n", "\u0000", "\u001b", "\u007f", "\u0085", "\u2028", "\u202e", "\u200f");
    fc.assert(
      fc.property(fc.string(), hostile, fc.string(), (before, character, after) => {
        assert.type(sessionNameProblem(`${before}${character}${after}`), "string");
      }),
    );
    assert.match(String(sessionNameProblem("  ")), "must not be empty");
    assert.match(String(sessionNameProblem("x".repeat(201))), "at most 200 characters, this one 201");
    for (const word of ["current", "last", "newest", "20261120T120000123-1a2b3c"])
      assert.match(String(sessionNameProblem(word)), "already means another session");
  });
});

describe("run name", (test) => {
  test("given the name as the address of a client, finds it again", () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.string(), (run, isCached, agent) => {
        const name = runNameOf(run, isCached);
        assert.is(runIn(name), name);
        assert.is(runIn(`${name} ${agent}`), name);
      }),
    );
  });

  test("given a client of no run, finds none", () => {
    for (const client of ["", "unknown", "192.0.2.1 run-1", "run-", "run-1x Agent/1", "runner Agent/1"])
      assert.is(runIn(client), null, client);
  });
});

describe("session label", (test) => {
  test("given a name and a title, is the name; without a name the title", () => {
    const labels = ["Checkout", ""].flatMap((name) =>
      ["shop.test", ""].map((title) => sessionLabelOf({ name, title })),
    );
    assert.equal(labels, ["Checkout", "Checkout", "shop.test", ""]);
  });

  test("given a label or none, a report's title has it or says Session, and the start", () => {
    const startedAt = Date.UTC(2026, 10, 28, 21, 5, 59) as Instant;
    assert.is(reportTitleOf("Checkout", startedAt), "Checkout, 2026-11-28 21:05 UTC");
    assert.is(reportTitleOf("", startedAt), "Session, 2026-11-28 21:05 UTC");
  });
});
