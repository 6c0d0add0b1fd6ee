import * as assert from "uvu/assert";
import { findingsStateOf } from "../../../../src/engine/session/queries/finding-state.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { foundOf } from "../../../support/found.ts";
import { recorded } from "../../../support/recorded.ts";

describe("findings query with a filter", (test) => {
  test("given matching rows, list the findings that account for one of them, with the figures of the whole session", () => {
    const session = recorded([1, 2, 3, 4].map((id) => exchange({ id })));
    const found = foundOf([
      ["errors", [1, 2]],
      ["retries", [4]],
    ]);
    const of = (rows: readonly number[] | null) => {
      const ranked = { progress: 1, leftOut: 0, found };
      const state = findingsStateOf(session, null, ranked, rows === null ? null : Uint32Array.from(rows)).found;
      return [state?.findings.map(({ kind, count }) => `${kind} ${count}`), state?.matched, state?.total];
    };
    assert.equal(of(null), [["errors 2", "retries 1"], 2, 2]);
    assert.equal(of([1, 2]), [["errors 2"], 1, 2]);
    assert.equal(of([2]), [[], 0, 2]);
  });
});
