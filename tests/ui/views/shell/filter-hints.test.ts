import * as assert from "uvu/assert";
import { FIGURES, filterOf, isProblem, KEYS } from "../../../../src/engine/session/filter/filter.ts";
import { hintsFor, withHint } from "../../../../src/ui/views/shell/filter-hints.ts";
import { describe } from "../../../support/describe.ts";

const HOSTS = ["api.shop.test", "cdn.shop.test"];
const words = (draft: string): readonly string[] => hintsFor(draft, HOSTS).map(({ word }) => word);

describe("hints of the filter box", (test) => {
  test("for an empty word all terms are offered, each with what it finds", () => {
    const keys = [...KEYS.filter((key) => key !== "not").map((key) => `${key}:`), ...FIGURES.map((key) => `${key}>`)];
    assert.equal([...words("")].sort(), [...keys, "q.", "-"].sort());
    assert.ok(hintsFor("checkout ", HOSTS).every(({ note }) => note !== ""));
  });

  test("a word is completed to the terms that begin so", () => {
    assert.equal(words("st"), ["status:"]);
    assert.equal(words("users S"), ["status:", "size>", "slow:"]);
    assert.equal(words("orders"), []);
  });

  test("after a key its values are offered, hosts from what was captured", () => {
    assert.equal(words("status:"), ["status:2xx", "status:3xx", "status:4xx", "status:5xx"]);
    assert.equal(words("mark:"), ["mark:star", "mark:flag", "mark:check", "mark:cross"]);
    assert.equal(words("protocol:h"), ["protocol:h2", "protocol:http/1.1", "protocol:http/1.0"]);
    assert.equal(words("host:cdn"), ["host:cdn.shop.test"]);
    assert.equal(words("method:p"), ["method:POST", "method:PUT", "method:PATCH", "method:OPTIONS"]);
  });

  test("a negated term and a further alternative are completed, too", () => {
    assert.equal(words("-st"), ["-status:"]);
    assert.equal(words("not:slo"), ["not:slow:"]);
    assert.equal(words("-status:2xx,4"), ["-status:2xx,4xx"]);
    assert.is(withHint("-slo", { word: "-slow:", note: "" }), "-slow: ");
  });

  test("a finished term is followed by a space, one that waits for a value is not", () => {
    assert.is(withHint("users st", { word: "status:", note: "" }), "users status:");
    assert.is(withHint("users status:", { word: "status:5xx", note: "" }), "users status:5xx ");
    assert.is(withHint("", { word: "slow:", note: "" }), "slow: ");
  });

  test("the engine understands everything that is offered, with a value where one is waited for", () => {
    const values: Record<string, string> = { "status:": "404", "tag:": "probe", "mark:": "star" };
    for (const draft of ["", "status:", "method:", "type:", "protocol:", "tag:", "mark:", "host:"]) {
      for (const { word } of hintsFor(draft, HOSTS)) {
        const whole = withHint("", { word, note: "" });
        const filter = filterOf(whole.endsWith(" ") ? whole : `${whole}${values[word] ?? "7"}`);
        assert.not.ok(isProblem(filter), word);
      }
    }
  });
});
