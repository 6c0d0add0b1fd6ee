import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type {
  BodyDifference,
  ComparedRow,
  ExchangeComparison,
} from "../../../../src/engine/messages/difference-messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { comparisonTextsOf } from "../../../../src/ui/views/shell/comparison-rows.ts";
import { describe } from "../../../support/describe.ts";

const SIDE = {
  id: 1 as ExchangeId,
  method: "GET",
  url: "https://a.test/x",
  start: 0 as Instant,
  outcome: "200",
  latency: 412,
};

const row = (more: Partial<ComparedRow>): ComparedRow => ({
  group: "query",
  name: "sort",
  one: "price",
  other: null,
  unit: "text",
  shared: null,
  limit: null,
  isTelling: false,
  isMinor: false,
  ...more,
});

const textsOf = (rows: readonly ComparedRow[], responseBody: BodyDifference = { kind: "same", size: 0 }) => {
  const found: ExchangeComparison = {
    one: SIDE,
    other: { ...SIDE, latency: null },
    slowFrom: 240,
    rows,
    more: 0,
    responseBody,
    isCut: false,
    requestBody: { kind: "same", size: 10 },
  };
  return comparisonTextsOf(found);
};

describe("rows of a comparison of two exchanges", (test) => {
  test("given what slow requests share, shows it first and in no other group, with the counts of both sides", () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), fc.nat(50), fc.nat(50), (slowWith, slow, othersWith, others) => {
        const shared = { slowWith, slow, othersWith, others };
        const { groups } = textsOf([row({ name: "page" }), row({ shared, isTelling: true })]);
        assert.equal(
          groups.map(({ name, rows }) => [name, rows.map((one) => one.name)]),
          [
            ["Slow requests have it more often", ["sort"]],
            ["Query", ["page"]],
          ],
        );
        const plural = others === 1 ? "other" : "others";
        assert.is(groups[0]?.rows[0]?.shared, `${slowWith} of ${slow} slow, ${othersWith} of ${others} ${plural}`);
      }),
    );
  });

  test("given numbers, shows them in their unit and says what was counted", () => {
    const size = row({ group: "size", name: "response-size", one: 2_048, other: 512, unit: "bytes", limit: 1_024 });
    const [group] = textsOf([size]).groups;
    assert.equal(group, {
      name: "Sizes",
      rows: [
        {
          name: "Response body",
          one: "2.0 KB",
          other: "512 B",
          shared: "",
          isTelling: false,
          title: "Counted: above 1.0 KB",
        },
      ],
    });
    const phase = row({ group: "phase", name: "ttfb", one: 390, other: 12.25, unit: "ms" });
    assert.equal(textsOf([phase]).groups[0]?.rows[0]?.other, "12");
  });

  test("given bodies, says in a sentence how they differ, and lists keys or lines", () => {
    const bodies: readonly (readonly [BodyDifference, string, number])[] = [
      [{ kind: "same", size: 0 }, "None in both.", 0],
      [{ kind: "same", size: 5 }, "The same, 5 B.", 0],
      [{ kind: "unknown", why: "it was deleted" }, "Not compared: it was deleted.", 0],
      [{ kind: "binary", one: 5, other: 6, at: 1_234 }, "5 B and 6 B; they first differ at byte 1,234.", 0],
      [{ kind: "json", differences: [], more: 0 }, "The same values, written differently.", 0],
      [{ kind: "json", differences: [{ path: "", one: "1", other: null }], more: 0 }, "1 value differs.", 1],
      [
        { kind: "text", differences: [{ side: "one", line: 3, text: "a" }], more: null },
        "Many lines differ; the first are listed.",
        1,
      ],
    ];
    for (const [found, text, rows] of bodies) {
      const body = textsOf([], found).bodies[1];
      assert.equal([body?.text, body?.rows.length], [text, rows]);
    }
  });

  test("given headers that differ with every request, keeps them apart", () => {
    const { groups, minor, minorText } = textsOf([row({ group: "response", name: "date", isMinor: true })]);
    assert.equal([groups.length, minor.length, minorText], [0, 1, "1 header differs with almost every request"]);
  });
});
