import * as assert from "uvu/assert";
import type { SetDifference } from "../../../../src/engine/messages/difference-messages.ts";
import { differenceTextsOf } from "../../../../src/ui/views/shell/difference-rows.ts";
import { describe } from "../../../support/describe.ts";

const ENDPOINT = { method: "GET", origin: "https://a.test", path: "/x", operation: null };

const found = (more: Partial<SetDifference> = {}): SetDifference => ({
  chosen: 36,
  others: 300,
  leftOut: 0,
  endpoints: 1,
  endpoint: ENDPOINT,
  tried: 40,
  latencies: [],
  latenciesTried: 0,
  attributes: [{ name: "query:sort", value: "price", chosen: 34, others: 12 }],
  ...more,
});

describe("rows of a set's differences", (test) => {
  test("given attributes, shows the counts of both sides, and a filter for the endpoint's requests with it", () => {
    const { subject, rows, nothing, notes } = differenceTextsOf(found(), "36 selected requests");
    assert.is(subject, "36 selected requests, compared with 300 other requests of GET /x");
    assert.equal(rows, [
      {
        name: "?sort=price",
        chosen: "34 of 36",
        others: "12 of 300",
        filter: 'endpoint:"GET https://a.test/x" q.sort:"price"',
      },
    ]);
    assert.equal([nothing, notes], ["", ["Significant after correction for 40 comparisons."]]);
  });

  test("given latencies that differ, shows the median and the requests of both sides first", () => {
    const latencies = [
      { endpoint: ENDPOINT, chosen: { requests: 6, median: 1_307 }, others: { requests: 7, median: 705 } },
    ];
    const { rows, notes } = differenceTextsOf(found({ latencies, latenciesTried: 2 }), "");
    assert.equal(rows[0], {
      name: "Median latency of GET /x",
      chosen: "1,307 ms (n = 6)",
      others: "705 ms (n = 7)",
      filter: 'endpoint:"GET https://a.test/x"',
    });
    assert.is(rows.length, 2);
    assert.equal(notes, ["Significant after correction for 40 comparisons, and for 2 latencies."]);
    const alone = differenceTextsOf(found({ latencies, latenciesTried: 1, attributes: [] }), "");
    assert.equal([alone.nothing, alone.notes], ["", ["Significant after correction for 1 latency."]]);
  });

  test("given nothing significant, says so; given too few, says how many are needed", () => {
    const said = (more: Partial<SetDifference>) => differenceTextsOf(found({ attributes: [], ...more }), "").nothing;
    assert.match(said({}), /^Nothing significant/);
    assert.match(said({ chosen: 4 }), /At least 5 requests are needed; 4/);
    assert.match(said({ others: 2 }), /^Its endpoint has 2 other requests.*at least 5/);
    assert.match(said({ others: 0, endpoints: 3, endpoint: null }), /^Their endpoints have 0 other requests/);
  });

  test("given several endpoints and exchanges that were left out, names both numbers, and offers no filter", () => {
    const { subject, rows, notes } = differenceTextsOf(found({ endpoint: null, endpoints: 3, leftOut: 2 }), "A set");
    assert.is(subject, "A set, compared with the 300 other requests of their 3 endpoints");
    assert.is(rows[0]?.filter, "");
    assert.match(notes[1] ?? "", /^2 exchanges were left out/);
  });
});
