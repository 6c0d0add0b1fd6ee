import * as fc from "fast-check";
import type { Instants } from "../../src/engine/model/phases.ts";
import type { Instant } from "../../src/engine/model/units.ts";

/** Arbitrary instants of an exchange. Each is drawn from `time`; all except the first may be `null`. */
export function anyInstants(time: fc.Arbitrary<Instant>): fc.Arbitrary<Instants> {
  const maybe = fc.option(time, { freq: 3 });
  return fc.record(
    {
      startTime: time,
      headReceived: maybe,
      domainLookupStart: maybe,
      domainLookupEnd: maybe,
      connectStart: maybe,
      secureConnectionStart: maybe,
      connectEnd: maybe,
      requestStart: maybe,
      requestEnd: maybe,
      responseStart: maybe,
      responseForwarded: maybe,
      responseEnd: maybe,
    },
    { noNullPrototype: true },
  );
}
