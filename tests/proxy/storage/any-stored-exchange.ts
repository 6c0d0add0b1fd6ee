import * as fc from "fast-check";
import type { StoredExchange } from "../../../extensions/proxy/storage/exchange-row.ts";
import { ERROR_TYPES, type Outcome, TAGS } from "../../../src/engine/model/exchange.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { WAITED_FOR } from "../../../src/engine/model/wait.ts";
import { anyInstants } from "../../support/any-instants.ts";
import { idOf } from "./story.ts";

const text = fc.string({ unit: "binary" });
const latin1 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("latin1"));
const instant = fc.double({ noNaN: true, noDefaultInfinity: true }).map((at) => at as Instant);
const tags = fc.subarray([...TAGS]);
const count = fc.nat();

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  count.map((status) => ({ kind: "responded" as const, status })),
  fc
    .tuple(fc.constantFrom(...ERROR_TYPES), text, fc.option(count))
    .map(([errorType, detail, status]) => ({ kind: "failed" as const, errorType, detail, status })),
);

/** An arbitrary exchange in any stage. */
export const anyStoredExchange: fc.Arbitrary<StoredExchange> = fc
  .record({
    started: fc.record({
      at: instant,
      method: text,
      origin: text,
      target: text,
      head: latin1,
      clientAddress: text,
      protocol: text,
      clientConnection: fc.option(count),
      clientStream: fc.option(count),
      tags,
    }),
    page: fc.option(text),
    fields: fc.option(
      fc.dictionary(fc.stringMatching(/^_[a-z]{1,9}$/), fc.oneof(text, count), { noNullPrototype: true }),
    ),
    answered: fc.option(fc.record({ at: instant, status: count, head: latin1 })),
    ended: fc.option(
      fc.record({
        at: instant,
        instants: anyInstants(instant),
        outcome,
        requestBodySize: count,
        encodedBodySize: count,
        connection: fc.option(count),
        reused: fc.option(fc.boolean()),
        stream: fc.option(count),
        waitedFor: fc.option(fc.constantFrom(...WAITED_FOR)),
        uncertainty: fc.constantFrom(0, 0, 7, 40),
        tags,
      }),
    ),
  })
  .map(({ started: first, page, fields, answered: second, ended: last }) => ({
    started: {
      ...{ type: "request-started", id: idOf(3), ...first },
      ...(page === null ? {} : { page }),
      ...(fields === null ? {} : { fields }),
    },
    answered: second === null ? null : { type: "response-started", id: idOf(3), ...second },
    ended: last === null ? null : { type: "exchange-ended", id: idOf(3), ...last },
  }));
