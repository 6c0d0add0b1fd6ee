import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import {
  longTargetPredicate,
  longTargetsOf,
  rowPredicate,
  wordPredicate,
} from "../../../../src/engine/session/filter/row-predicate.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { ExchangeTable } from "../../../../src/engine/session/table/exchange-table.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

describe("predicate for long targets", (test) => {
  test("given rows with long and short targets, asks the column about read long ones, and the other test about the rest", () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), fc.nat(20), (areLong, most) => {
        const made = areLong.map((isLong, at) =>
          exchange({ id: at + 1, start: at, end: at + 1, target: `/${"x".repeat(isLong ? 3_000 : 3)}end` }),
        );
        const { table } = recorded(made);
        const column = longTargetsOf(table, { kind: "text", field: "path", text: "end" });
        if (column === null) throw new Error("a path is about targets");
        column.read((id) => ({ target: made[id - 1]?.target ?? "", request: "", response: null }), most);
        const asked: number[] = [];
        const others = rowPredicate((row) => {
          asked.push(row);
          return false;
        });
        const long = areLong.flatMap((isLong, row) => (isLong ? row : []));
        const rows = Uint32Array.from(areLong, (_, row) => row);
        const count = longTargetPredicate(column, others, false).retainMatches(rows, rows.length);
        assert.equal([...rows.subarray(0, count)], long.slice(0, most));
        assert.equal(
          asked,
          areLong.flatMap((isLong, row) => (isLong && long.indexOf(row) < most ? [] : row)),
        );
      }),
    ));
});

/** More different targets than are interned. */
const MANY = 65_536 + 100;

describe("predicate for a word", (test) => {
  test(
    "given many targets, finds a word in repeated and in single targets and across the host",
    () => {
      const table = new ExchangeTable(2 * MANY);
      const made = exchange();
      for (let id = 1; id <= MANY; id += 1) table.add({ ...made, id: id as ExchangeId, target: `/users?page=${id}` });
      const again = table.add(exchange({ id: MANY + 1, start: MANY + 1, target: "/users?page=7" }));
      const rowsWith = (text: string): readonly number[] => {
        const rows = Uint32Array.from({ length: table.nextRow }, (_, row) => row);
        return [...rows.subarray(0, wordPredicate(table, text).retainMatches(rows, rows.length))];
      };
      assert.equal(rowsWith("PAGE=65590"), [65_589]);
      assert.equal(rowsWith("test/users?page=65590"), [65_589]);
      assert.equal(rowsWith("api.test/users?page=100"), rowsWith("?page=100"));
      assert.is(rowsWith("?page=100").length, 1 + 10 + 100);
      assert.equal(
        rowsWith("page=7").filter((row) => row === 6 || row === again),
        [6, again],
      );
      assert.equal(rowsWith("page=x"), []);
    },
    { isLong: true },
  );

  test("given grouped paths, finds a word in the sent paths but not in the placeholder {id}", () => {
    const session = new Session(undefined, new PathTemplates());
    const targets = ["/users/17", "/users/18", "/users/19?id=5", "/paid/7", "/users/{id}"];
    for (const [index, target] of targets.entries()) session.apply(eventsOf(exchange({ id: index + 1, target })));
    const targetsWith = (text: string): readonly (string | undefined)[] => {
      const rows = Uint32Array.from(targets.keys());
      return [...rows.subarray(0, wordPredicate(session.table, text).retainMatches(rows, rows.length))].map(
        (row) => targets[row],
      );
    };
    assert.equal(
      targetsWith("users"),
      targets.filter((target) => target.includes("users")),
    );
    assert.equal(targetsWith("id"), ["/users/19?id=5", "/paid/7", "/users/{id}"]);
    assert.equal(targetsWith("users/1"), ["/users/17", "/users/18", "/users/19?id=5"]);
  });

  test("given many rows at once, keeps the same rows as a check of each row", () => {
    const sketch = fc.record({
      method: fc.constantFrom("GET", "POST"),
      target: fc.constantFrom("/a", "/a?b=1", "/a/b", "/404", "/", `/${"long".repeat(200)}?b`),
      status: fc.constantFrom(200, 404, 500),
      end: fc.constantFrom(null, 1),
    });
    const words = fc.constantFrom("a", "b=1", "t/a?b", "404", "4", "04", "get", "?b", "long", "test/", "zz", "long?b");
    fc.assert(
      fc.property(fc.array(fc.tuple(sketch, fc.boolean()), { maxLength: 60 }), words, (drawn, word) => {
        const table = new ExchangeTable(100);
        for (const [index, [each]] of drawn.entries()) table.add(exchange({ ...each, id: index + 1 }));
        const asked = drawn.flatMap(([, isAsked], row) => (isAsked ? row : []));
        const rows = Uint32Array.from(asked);
        const inOne = wordPredicate(table, word);
        const kept = [...rows.subarray(0, wordPredicate(table, word).retainMatches(rows, rows.length))];
        assert.equal(
          kept,
          asked.filter((row) => inOne.holds(row)),
        );
      }),
    );
  });
});
