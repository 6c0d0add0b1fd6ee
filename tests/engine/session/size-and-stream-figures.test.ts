import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { ExchangeFolder } from "../../../src/engine/capture/exchange-folder.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { InsightEvaluator, OversizedCounter } from "../../../src/engine/session/evaluation/insight-evaluator.ts";
import { PayloadDetails } from "../../../src/engine/session/queries/payload-detail.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

interface Sketch {
  readonly status: number;
  readonly size: number;
  readonly latency: number;
  readonly tag: "stream" | "event-stream" | null;
  readonly contentType: string;
}

const sketch: fc.Arbitrary<Sketch> = fc.record({
  status: fc.constantFrom(200, 200, 304, 404),
  size: fc.constantFrom(0, 100, 3_000, 50_000),
  latency: fc.integer({ min: 1, max: 2_000 }),
  tag: fc.constantFrom(null, null, "stream", "event-stream"),
  contentType: fc.constantFrom(
    "text/plain",
    "multipart/x-mixed-replace",
    "application/stream+json",
    "text/event-stream",
  ),
});

describe("size and stream figures", (test) => {
  test("given 304 responses, leaves them out of all size figures and of oversized responses", () => {
    fc.assert(
      fc.property(fc.array(sketch, { minLength: 5, maxLength: 30 }), (sketches) => {
        const { live } = sessionsOf(sketches);
        // The figures by their definitions.
        const sizes = sketches.filter(({ status }) => status !== 304).map(({ size }) => size);
        const mean = sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
        const largest = sizes.length === 0 ? null : Math.max(...sizes);
        const isOversized = ({ status, size }: Sketch): boolean => {
          if (status === 304 || sizes.length < 5) return false;
          const others = (sizes.reduce((sum, one) => sum + one, 0) - size) / (sizes.length - 1);
          return size > DEFAULT_SETTINGS.oversizedFactor * others && size - others >= DEFAULT_SETTINGS.oversizedFloor;
        };
        const evaluator = new InsightEvaluator(live, DEFAULT_SETTINGS);
        const oversized = new OversizedCounter().counts(live, DEFAULT_SETTINGS, evaluator);
        const endpoint = live.table.endpointAt(0);
        const detail = new PayloadDetails().of(live, endpoint, evaluator, oversized);
        assert.equal([detail?.record.avgResponseSize, detail?.record.largest], [mean, largest]);
        assert.is(detail?.avgDecodedSize, mean);
        assert.is(live.tally(endpoint)?.figures()?.avgSize, mean);
        const course = detail?.slices.map(({ avgResponseSize }) => avgResponseSize) ?? [];
        if (course.length === 1) assert.equal(course, [mean]);
        assert.equal(
          sketches.map((_, row) => evaluator.isOversized(row)),
          sketches.map(isOversized),
        );
        assert.is(detail?.record.oversized, sketches.filter(isOversized).length);
      }),
    );
  });

  test("given streams, live or read from disk, they have no latency and other exchanges have one", () => {
    fc.assert(
      fc.property(fc.array(sketch, { minLength: 5, maxLength: 30 }), (sketches) => {
        const latencies = sketches
          .filter(({ tag, contentType }) => tag === null && contentType === "text/plain")
          .map(({ latency }) => latency)
          .sort((a, b) => a - b);
        for (const session of Object.values(sessionsOf(sketches))) {
          const figures = session.tally(session.table.endpointAt(0))?.figures();
          assert.equal([figures?.requests, figures?.samples], [sketches.length, latencies.length]);
          assert.equal(
            [figures?.p50, figures?.p95],
            [0.5, 0.95].map((share) => percentileOf(latencies, share)),
          );
          assert.is(session.summary.counted, sketches.length);
        }
      }),
    );
  });
});

/** The same exchanges as live events, as events read back from storage, and as whole exchanges. */
function sessionsOf(sketches: readonly Sketch[]): { readonly live: Session; readonly folded: Session } {
  const live = new Session();
  const folded = new Session();
  const recorder = new ExchangeFolder();
  for (const [index, { status, size, latency, tag, contentType }] of sketches.entries()) {
    const start = 1_000 + index;
    const made = exchange({
      id: index + 1,
      start,
      end: start + latency,
      status,
      encodedBodySize: size,
      contentType,
      target: "/x",
    });
    const events = eventsOf(made).map((event): CaptureEvent => {
      // Only the end event tells whether the exchange is a stream.
      return event.type === "exchange-ended" && tag !== null ? { ...event, tags: [tag] } : event;
    });
    for (const event of events) {
      live.apply([event]);
      const known = recorder.fold(event);
      if (event.type === "exchange-ended" && known !== null) folded.add({ ...known });
    }
  }
  return { live, folded };
}

/** Linear interpolation at rank (n - 1)p of the sorted values. */
function percentileOf(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const rank = (values.length - 1) * share;
  const low = values[Math.floor(rank)] as number;
  const high = values[Math.ceil(rank)] as number;
  return low + (high - low) * (rank - Math.floor(rank));
}
