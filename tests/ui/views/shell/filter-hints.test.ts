import * as assert from "uvu/assert";
import type { OccurringValues } from "../../../../src/engine/messages/traffic-messages.ts";
import { FIGURES, filterOf, isProblem, KEYS } from "../../../../src/engine/session/filter/filter.ts";
import { hintsFor, keyToComplete, withHint } from "../../../../src/ui/views/shell/filter-hints.ts";
import { describe } from "../../../support/describe.ts";

const values = (...known: readonly [string, number][]) => known.map(([value, exchanges]) => ({ value, exchanges }));
const OCCURRING: OccurringValues = {
  status: values(["200", 40], ["404", 3], ["503", 1], ["204", 1]),
  method: values(["GET", 30], ["POST", 14], ["PUT", 1]),
  type: values(["application/json", 20], ["text/html", 2]),
  protocol: values(["h2", 40], ["http/1.1", 5]),
  client: values(["curl", 40], ["node server", 5]),
  host: values(["api.shop.test", 40], ["cdn.shop.test", 5]),
};
const words = (draft: string): readonly string[] => hintsFor(draft, OCCURRING).map(({ word }) => word);

describe("hints of the filter box", (test) => {
  test("for an empty word all terms are offered, each with what it finds", () => {
    const keys = [...KEYS.filter((key) => key !== "not").map((key) => `${key}:`), ...FIGURES.map((key) => `${key}>`)];
    assert.equal([...words("")].sort(), [...keys, "q.", "-"].sort());
    assert.ok(hintsFor("checkout ", OCCURRING).every(({ note }) => note !== ""));
  });

  test("a word is completed to the terms that begin so", () => {
    assert.equal(words("st"), ["status:"]);
    assert.equal(words("users S"), ["status:", "size>", "slow:"]);
    assert.equal(words("orders"), []);
  });

  test("after a key the values that occur are offered with their number, statuses by class first", () => {
    assert.equal(
      hintsFor("status:", OCCURRING).map(({ word, note }) => `${word} ${note}`),
      [
        "status:2xx 41 exchanges",
        "status:4xx 3 exchanges",
        "status:5xx 1 exchange",
        "status:200 40 exchanges",
        "status:404 3 exchanges",
        "status:503 1 exchange",
        "status:204 1 exchange",
      ],
    );
    assert.equal(words("mark:"), ["mark:star", "mark:flag", "mark:check", "mark:cross"]);
    assert.equal(words("protocol:h"), ["protocol:h2", "protocol:http/1.1"]);
    assert.equal(words("host:cdn"), ["host:cdn.shop.test"]);
    assert.equal(words("method:p"), ["method:POST", "method:PUT"]);
    assert.equal(words("client:"), ["client:curl"], "one with a blank would be two words");
    assert.equal(hintsFor("status:", null), [], "before they are known");
    assert.equal(["-type:j", "not:host:a", "dur>", "st", "q.a:"].map(keyToComplete), [
      "type",
      "host",
      null,
      null,
      null,
    ]);
  });

  test("a negated term and a further alternative are completed, too", () => {
    assert.equal(words("-st"), ["-status:"]);
    assert.equal(words("not:slo"), ["not:slow:"]);
    assert.equal(words("-status:2xx,4"), ["-status:2xx,4xx", "-status:2xx,404", "-status:2xx,204"]);
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
      for (const { word } of hintsFor(draft, OCCURRING)) {
        const whole = withHint("", { word, note: "" });
        const filter = filterOf(whole.endsWith(" ") ? whole : `${whole}${values[word] ?? "7"}`);
        assert.not.ok(isProblem(filter), word);
      }
    }
  });
});
