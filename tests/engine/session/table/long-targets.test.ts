import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { latin1OfText } from "../../../../src/engine/quoting/utf8.ts";
import { matchingExchanges } from "../../../../src/engine/session/lists/matching-exchanges.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const word = fc.constantFrom("alpha", "beta", "gamma", "characters", "hash");
/** A target whose words are at its end, beyond what memory keeps if it is long. */
const target = fc
  .record({ length: fc.constantFrom(10, 600, 5_000), inPath: fc.boolean(), words: fc.array(word, { maxLength: 3 }) })
  .map(({ length, inPath, words }) =>
    inPath
      ? `/${"x".repeat(length)}/${words.join("/")}?q=1`
      : `/x?q=${"é".repeat(length)}&${words.map((one) => `${one}=1`).join("&")}`,
  );

describe("long targets in a table", (test) => {
  test("given any filter of a target, matches as the whole targets in storage do", () =>
    fc.assert(
      fc.property(fc.array(target, { minLength: 1, maxLength: 12 }), word, (targets, wanted) => {
        const session = recorded(
          targets.map((sent, at) => exchange({ id: at + 1, start: at, end: at + 1, target: sent })),
        );
        const headsOf = (id: number) => ({ target: latin1OfText(targets[id - 1] ?? ""), request: "", response: null });
        const source = { session, settings: DEFAULT_SETTINGS, headsOf, findings: null };
        const idsOf = (filter: string) => Array.from(unwrap(matchingExchanges(source, filter)), ({ id }) => Number(id));
        const expected = (holds: (sent: string) => boolean) =>
          targets.flatMap((sent, at) => (holds(sent) ? at + 1 : []));
        assert.equal(
          idsOf(wanted),
          expected((sent) => sent.includes(wanted)),
        );
        assert.equal(
          idsOf(`-${wanted}`),
          expected((sent) => !sent.includes(wanted)),
        );
        assert.equal(
          idsOf(`path:${wanted}`),
          expected((sent) => (sent.split("?")[0] ?? "").includes(wanted)),
        );
        assert.equal(
          idsOf(`q.${wanted}:1`),
          expected((sent) => (sent.split("?")[1] ?? "").split("&").includes(`${wanted}=1`)),
        );
      }),
    ));
});
