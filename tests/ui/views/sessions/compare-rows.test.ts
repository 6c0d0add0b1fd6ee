import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CompareRecord } from "../../../../src/engine/messages/compare-messages.ts";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import { compareHeadsOf, compareRowOf, compareWidthsOf } from "../../../../src/ui/views/sessions/compare-rows.ts";
import { describe } from "../../../support/describe.ts";

describe("comparison rows", (test) => {
  const figures = { requests: 10, p50: 80, p95: 251, p99: 300, avgSize: 2_048, errorRate: 0 };
  const record: CompareRecord = {
    endpoint: endpointOf("GET", "https://api.shop.test", "/v1/cart"),
    method: "GET",
    origin: "https://api.shop.test",
    path: "/v1/cart",
    operation: null,
    left: figures,
    right: { ...figures, p95: 312, avgSize: 1_024 },
    lost: 36_600,
    change: { requests: 0, p50: 0, p95: 61, p99: 0, avgSize: -1_024, errorRate: 0 },
    verdict: "slower",
    note: null,
    shown: null,
    samples: { left: 240, right: 1_200 },
    uncertain: { left: 0, right: 0 },
    distributions: { from: 50, to: 400, left: [0, 1, 0.5, 0], right: [0, 0, 1, 0.5] },
    protocols: { left: ["http/1.1"], right: ["http/1.1"] },
  };

  test("given the protocols of both sessions, shows them where they differ and both are known", () => {
    const between = (left: string[], right: string[]) =>
      compareRowOf({ ...record, protocols: { left, right } }).protocols;
    assert.is(between(["http/1.1"], ["h2"]), "HTTP/1.1 → HTTP/2");
    assert.is(between(["h2", "http/1.1"], ["h2"]), "HTTP/2, HTTP/1.1 → HTTP/2");
    assert.equal([between(["h2"], ["h2"]), between([], ["h2"]), between(["h2"], [])], ["", "", ""]);
  });

  test("given uncertain times on any side, the row itself says of how many the others are", () => {
    const side = fc.record({ samples: fc.integer({ min: 1, max: 900 }), uncertain: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(side, side, (left, right) => {
        const samples = { left: left.samples, right: right.samples };
        const uncertain = { left: left.uncertain, right: right.uncertain };
        const sides = [left, right].map((one) =>
          one.uncertain === 0 ? `${one.samples}` : `${one.samples} of ${one.samples + one.uncertain}`,
        );
        assert.is(compareRowOf({ ...record, samples, uncertain }).counts, `n = ${sides.join(", ")}`);
      }),
    );
  });

  test("given a verdict, shows a mark, a word and both counts, and explains uncertainty in the title", () => {
    const textsOf = (change: Partial<CompareRecord>) => {
      const { verdictKind, verdict, counts, verdictTitle } = compareRowOf({ ...record, ...change });
      return [verdictKind, verdict, counts, verdictTitle];
    };
    assert.equal(textsOf({}), ["is-rising", "slower", "n = 240, 1,200", "240, 1,200 latencies counted"]);
    assert.is(textsOf({ verdict: "faster", note: "by p50: 27 → 22 ms" })[1], "faster at p50");
    const open = { verdict: "unknown", note: "can't tell: n = 7, about 60 needed" } as const;
    assert.equal(textsOf({ ...open, samples: { left: 240, right: 7 } }), [
      "is-stable",
      "can't tell",
      "n = 240, 7",
      "about 60 needed; 240, 7 latencies counted",
    ]);
    assert.is(
      textsOf({ ...open, samples: { left: 4, right: 6 }, uncertain: { left: 2, right: 1 } })[3],
      "about 60 needed; 2 before and 1 now left out: uncertain times; 4 of 6, 6 of 7 latencies counted",
    );
    assert.is(
      textsOf({ uncertain: { left: 0, right: 1 } })[3],
      "1 now left out: uncertain times; 240, 1,200 of 1,201 latencies counted",
    );
    const alone = { verdict: "absent", distributions: null, left: null, uncertain: { left: 0, right: 3 } } as const;
    const title = "3 now left out: uncertain times; 1,200 of 1,203 latencies counted";
    assert.equal(textsOf(alone), ["is-omitted", "up to 4 requests before", "n = 1,200 of 1,203", title]);
    assert.equal(textsOf({ verdict: "absent", right: null }).slice(1, 3), ["up to 4 requests now", "n = 240"]);
  });

  test("given rows, each column is as wide as its longest text, and no narrower than before", () => {
    const [row, wider] = [record, { ...record, left: { ...figures, p50: 12_345 } }].map(compareRowOf);
    assert.ok(row !== undefined && wider !== undefined);
    const widths = compareWidthsOf([row]);
    const verdict = `${"slower".length + Math.ceil(0.86 * "n = 240, 1,200".length)}ch`;
    assert.equal(widths, {
      "--verdict": verdict,
      "--p50": "2ch",
      "--p95": "9ch",
      "--avgSize": "15ch",
      "--errorRate": "3ch",
    });
    assert.is(compareWidthsOf([row, wider], widths)["--p50"], "11ch");
    assert.equal(compareWidthsOf([], widths), widths);
    const uncertain = compareRowOf({ ...record, uncertain: { left: 8, right: 0 } });
    assert.ok(Number.parseInt(compareWidthsOf([uncertain])["--verdict"] ?? "", 10) > Number.parseInt(verdict, 10));
  });

  test("given two distributions, draws their bars on both sides of one axis", () => {
    const shape = compareRowOf(record).shape;
    assert.is(shape?.text, "Latencies from 50 ms to 400 ms");
    assert.is(shape?.left, "M32 11V1h31.4V11zM64 11V6h31.4V11z");
    assert.is(shape?.right, "M64 13V23h31.4V13zM96 13V18h31.4V13z");
    assert.is(compareRowOf({ ...record, distributions: null }).shape, null);
  });

  test("given figures of both sessions, shows the values before and after with the change", () => {
    assert.equal(
      compareRowOf(record).cells.map(({ left, right, change }) => [left, right, change]),
      [
        ["", "80", ""],
        ["251", "312", "+61"],
        ["2.0 KB", "1.0 KB", "−1.0 KB"],
        ["", "0 %", ""],
      ],
    );
    const line = "p50 80 ms; p95 251 → 312 ms; average size 2.0 KB → 1.0 KB; error rate 0 %";
    assert.is(compareRowOf(record).figures, line);
    const lost = (change: Partial<CompareRecord>) => {
      const shown = compareRowOf({ ...record, ...change });
      return [shown.lost, shown.lostSame];
    };
    assert.equal(lost({}), ["+36,600", false]);
    assert.equal(lost({ lost: -350.2, verdict: "faster" }), ["−350", false]);
    assert.equal(lost({ lost: 0, verdict: "same" }), ["0", true]);
    assert.equal(lost({ lost: null, verdict: "absent" }), ["–", true]);
    const worse = compareRowOf({
      ...record,
      right: { ...figures, errorRate: 2.1 },
      change: { ...record.change, errorRate: 2.1 },
    });
    assert.is(worse.cells.at(-1)?.change, "+2.1 points");
    assert.is(compareHeadsOf({ column: "p95", descending: true }).length, compareRowOf(record).cells.length + 4);
  });

  test("given unchanged figures, dims them, and shows one dash for a figure that neither session has", () => {
    const { cells } = compareRowOf({
      ...record,
      left: { ...figures, avgSize: null },
      right: { ...figures, p95: 312, avgSize: null },
      change: { requests: 0, p50: 0, p95: 61, p99: 0, avgSize: null, errorRate: 0 },
    });
    assert.equal(
      cells.filter(({ same }) => !same).map(({ key }) => key),
      ["p95"],
    );
    const none = cells.find(({ key }) => key === "avgSize");
    assert.equal([none?.left, none?.right], ["", "–"]);
  });

  test("given an endpoint in one session only, shows its figures alone", () => {
    const none = { requests: null, p50: null, p95: null, p99: null, avgSize: null, errorRate: null };
    const cells = compareRowOf({ ...record, right: null, change: none }).cells;
    assert.equal(
      cells.map(({ left, right, change }) => [left, right, change]),
      [
        ["", "80", ""],
        ["", "251", ""],
        ["", "2.0 KB", ""],
        ["", "0 %", ""],
      ],
    );
  });
});
