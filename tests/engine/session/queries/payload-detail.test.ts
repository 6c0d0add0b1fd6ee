import * as assert from "uvu/assert";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator, OversizedCounter } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { PayloadDetails } from "../../../../src/engine/session/queries/payload-detail.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";

const ENDPOINT = endpointOf("GET", "https://api.test", "/a");

describe("payload detail", (test) => {
  test("given an endpoint's exchanges, returns the mean sizes of each slice in which it was used", () => {
    const session = recorded(
      [0, 100, 5_000, 5_100, 5_200, 20_000].map((start, index) =>
        exchange({
          id: index + 1,
          target: "/a",
          start,
          requestBodySize: index,
          encodedBodySize: 1_000 * (index + 1),
          ...(index === 5 ? { outcome: { kind: "failed", errorType: "server-reset", detail: "", status: null } } : {}),
        }),
      ),
    );
    const detail = detailOf(session);
    assert.is(detail?.sliceLength, 1_000);
    assert.equal(detail?.slices, [
      { at: 0, requests: 2, avgRequestSize: 0.5, avgResponseSize: 1_500 },
      { at: 5_000, requests: 3, avgRequestSize: 3, avgResponseSize: 4_000 },
      { at: 20_000, requests: 1, avgRequestSize: 5, avgResponseSize: null },
    ]);
  });

  test("given a long session, has at most 40 slices", () => {
    const session = recorded(
      Array.from({ length: 200 }, (_, index) => exchange({ id: index + 1, target: "/a", start: index * 60_000 })),
    );
    const slices = detailOf(session)?.slices ?? [];
    assert.ok(slices.length > 20 && slices.length <= 40, String(slices.length));
    assert.is(
      slices.reduce((sum, { requests }) => sum + requests, 0),
      200,
    );
  });

  test("given the latest start first, the slices still reach to that start", () => {
    const exchanges = Array.from({ length: 10 }, (_, index) =>
      exchange({ id: index + 1, target: "/a", start: 100_000 * index }),
    );
    const { slices } = detailOf(recorded(exchanges.toReversed())) ?? {};
    assert.is(slices?.length, 10);
    assert.equal(slices, detailOf(recorded(exchanges))?.slices);
  });

  test("given oversized and compressible responses, names the latest of each", () => {
    const sizes = [1_000, 1_000, 1_000, 1_000, 90_000, 1_000];
    const types = ["text/html", "text/html", "image/png", "image/png", "image/png", "image/png"];
    const session = recorded(
      sizes.map((encodedBodySize, index) =>
        exchange({
          id: index + 1,
          target: "/a",
          encodedBodySize: encodedBodySize * 2,
          contentType: types[index] ?? "",
        }),
      ),
    );
    assert.equal(detailOf(session)?.oversized, [5]);
    assert.is(detailOf(session)?.shrinkable, 2);
  });

  test("given one request, there is a detail; without any, none", () => {
    assert.is(detailOf(recorded([exchange({ target: "/a" })]))?.record.isCollecting, true);
    assert.is(detailOf(recorded([])), null);
  });
});

function detailOf(session: Session) {
  const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
  const counts = new OversizedCounter().counts(session, DEFAULT_SETTINGS, evaluator);
  return new PayloadDetails().of(session, ENDPOINT, evaluator, counts);
}
