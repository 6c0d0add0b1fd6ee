import * as assert from "uvu/assert";
import { PHASES } from "../../../src/engine/model/phases.ts";
import { WAIT_PHASES } from "../../../src/engine/model/where.ts";
import { describe } from "../../support/describe.ts";

describe("kinds of waiting", (test) => {
  test("given any phase of an exchange, waiting can be spent on it", () => {
    assert.equal(
      PHASES.filter((phase) => !WAIT_PHASES.includes(phase)),
      [],
    );
  });
});
