import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { latin1OfText } from "../../../../src/engine/quoting/utf8.ts";
import { matchingExchanges } from "../../../../src/engine/session/lists/matching-exchanges.ts";
import { RepeatingTextColumn } from "../../../../src/engine/session/table/column.ts";
import { TargetParts } from "../../../../src/engine/session/table/long-targets.ts";
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

describe("long target filters", (test) => {
  test("given any filter of a target, matches as the whole targets in storage do", () =>
    fc.assert(
      fc.property(fc.array(target, { minLength: 1, maxLength: 12 }), word, (targets, wanted) => {
        const session = recorded(
          targets.map((sent, at) => exchange({ id: at + 1, start: at, end: at + 1, target: sent })),
        );
        const headsOf = (id: number) => ({ target: latin1OfText(targets[id - 1] ?? ""), request: "", response: null });
        const source = { session, settings: DEFAULT_SETTINGS, headsOf, insights: null };
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

describe("long target parts", (test) => {
  test("given targets that come in any pieces, each part has the exchanges of all targets with it", () => {
    const target = fc.stringMatching(/^[abc]{1,3}$/);
    fc.assert(
      fc.property(fc.array(target, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (targets, most) => {
        const column = new RepeatingTextColumn();
        let asked = 0;
        const parts = new TargetParts(column, (text) => {
          asked += 1;
          return text;
        });
        const exchanges: number[] = [];
        for (const [row, each] of targets.entries()) {
          column.put(row, each);
          const number = column.numbers.at(row);
          exchanges[number] = (exchanges[number] ?? 0) + 1;
          if (row % 4 === 0) while (!parts.read(most));
        }
        while (!parts.read(most));
        const counts = parts.countsOf(exchanges);
        for (const letter of "abc") {
          const expected = targets.filter((each) => each.includes(letter)).length;
          assert.is(counts.get(letter) ?? 0, expected, letter);
        }
        assert.is(asked, new Set(targets).size, "each text is read once");
        assert.equal([...parts.countsOf([])], []);
      }),
    );
  });
});
