import * as assert from "uvu/assert";
import { countsText, overallText } from "../../../src/engine/insights/comparison-text.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { describe } from "../../support/describe.ts";

const most = { endpoint: "GET https://api.test/v1/orders/{id}" as Endpoint, change: 1_100 };
const overall = { before: 16_500, change: 1_485, most, requests: 60, changed: 2, untold: 0, endpoints: 12 };

describe("text of a session comparison", (test) => {
  test("given a change, names its size, its direction and the endpoint with the largest part", () => {
    const slower =
      "Slower: 2 of 12 endpoints changed. Their 60 requests took 9 % longer in all (18.0 s instead of 16.5 s), 1.1 s of it at GET /v1/orders/{id}.";
    assert.is(overallText(overall), slower);
    assert.match(
      overallText({ ...overall, before: 1_151, change: 2_246 }),
      / took 195 % longer in all \(3,397 ms instead of 1,151 ms\)/,
    );
    assert.match(
      overallText({ ...overall, change: -40, most: { ...most, change: -40 } }),
      /^Faster: .* Their 60 requests took less than 1 % less in all .* 40 ms of it at GET/,
    );
  });

  test("given no change, says for how many endpoints the data cannot tell", () => {
    const none = { ...overall, change: 0, most: null };
    assert.is(overallText(none), "No endpoint became slower or faster.");
    assert.match(overallText({ ...none, untold: 3 }), /^No endpoint .* For 3 of 12 endpoints the requests are too few/);
    assert.is(overallText({ ...none, untold: 12 }), "Can’t tell whether it became slower: too few requests.");
  });

  test("given the verdicts of all endpoints, counts them", () => {
    const counts = { slower: 2, faster: 0, same: 9, "same-median": 0, unknown: 2, absent: 0 };
    const textOf = (more: Partial<typeof counts>) => countsText({ ...counts, ...more });
    assert.is(textOf({}), "2 slower, 0 faster, 9 same, 2 can't tell");
    assert.is(textOf({ "same-median": 3 }), "2 slower, 0 faster, 9 same, 3 same median, 2 can't tell");
    assert.match(textOf({ absent: 3 }), /; 3 not compared: fewer than 5 requests or no latency on one side$/);
  });
});
