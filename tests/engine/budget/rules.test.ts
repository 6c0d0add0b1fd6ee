import * as assert from "uvu/assert";
import { ruleOf } from "../../../src/engine/budget/rules.ts";
import { FINDING_KINDS, FINDING_NAMES } from "../../../src/engine/model/finding.ts";
import { describe } from "../../support/describe.ts";

describe("code scanner rules", (test) => {
  test("given each kind of finding and each limit, has a name, a sentence and what helps", () => {
    for (const id of [...FINDING_KINDS, "p95", "size", "load p95", "load bytes", "requests"]) {
      const { name, description, help } = ruleOf(id);
      assert.match(description, /^[A-Z].*\.$/, id);
      assert.match(help, /^[A-Z].*\.$/, id);
      assert.ok(name.length > 0);
    }
    for (const kind of FINDING_KINDS) assert.is(ruleOf(kind).name, FINDING_NAMES[kind]);
  });
});
