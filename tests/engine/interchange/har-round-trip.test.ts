import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import type { Entry } from "har-format";
import * as assert from "uvu/assert";
import { HAR_SEPARATOR, type HarSource, harEnd, harStart } from "../../../src/engine/interchange/har.ts";
import { MARKS } from "../../../src/engine/model/annotation.ts";
import { ERROR_TYPES, type Outcome } from "../../../src/engine/model/exchange.ts";
import { WAITED_FOR } from "../../../src/engine/model/phases.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { checkHar } from "../../support/har-schema.ts";
import { entryText, harSource } from "../../support/har-source.ts";
import { importedFrom } from "../../support/imported-entry.ts";
import { rounds } from "../../support/rounds.ts";

const fixtures = new URL("../../fixtures/har/", import.meta.url);

describe("HAR round trip", (test) => {
  for (const name of readdirSync(fixtures).filter((name) => name.endsWith(".har")))
    test(`given ${name}, exports valid HAR 1.2, and further round trips change nothing`, () => {
      const entries: Entry[] = JSON.parse(readFileSync(new URL(name, fixtures), "utf8")).log.entries;
      const exported = entries.map((entry) => entryText(importedFrom(entry), false));
      checkHar(JSON.parse(harStart("1.2.3", [], false) + exported.join(HAR_SEPARATOR) + harEnd(0)));
      for (const text of exported) {
        const first = JSON.parse(text);
        assert.equal(rounded(JSON.parse(entryText(importedFrom(first), false))), rounded(first));
      }
      const redacted = entries.map((entry) => entryText(importedFrom(entry), true));
      checkHar(JSON.parse(harStart("1.2.3", [], true) + redacted.join(HAR_SEPARATOR) + harEnd(0)));
    });

  test("given any exchange, export, import and another export give the same entry", () => {
    fc.assert(
      fc.property(anySource, (source) => {
        const first = JSON.parse(entryText(source, false));
        const second = JSON.parse(entryText(importedFrom(first), false));
        assert.equal(
          rounded({ ...second, _tags: second._tags.filter((tag: string) => tag !== "imported") }),
          rounded(first),
        );
      }),
      { numRuns: rounds(500) },
    );
  });
});

const anySource: fc.Arbitrary<HarSource> = fc
  .record({
    lengths: fc.array(fc.option(fc.integer({ min: 0, max: 500 })), { minLength: 5, maxLength: 5 }),
    start: fc.integer({ min: 0, max: 2_000_000_000_000 }),
    blocked: fc.nat(20),
    failed: fc.option(fc.constantFrom(...ERROR_TYPES)),
    method: fc.constantFrom("GET", "POST", "PROPFIND"),
    target: fc.constantFrom("/", "/a?x=1&y=%20", "/?a", "/\u00c3\u00a9"),
    texts: fc.tuple(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter })),
    bytes: fc.option(fc.uint8Array({ minLength: 1 })),
    headers: fc.array(
      fc.tuple(fc.constantFrom("X-A", "Cookie", "Set-Cookie", "x-b"), fc.stringMatching(/^[!-~]{0,12}$/)),
      { maxLength: 4 },
    ),
    websocket: fc.boolean(),
    stream: fc.constantFrom(null, 1, 2 ** 31 - 1),
    waitedFor: fc.constantFrom(null, ...WAITED_FOR),
    clientStream: fc.constantFrom(null, 5),
    program: fc.constantFrom(null, "curl"),
    annotation: fc.record({ mark: fc.constantFrom(null, ...MARKS), comment: fc.string({ unit: anyCharacter }) }),
  })
  .map(
    ({
      lengths,
      start,
      blocked,
      failed,
      method,
      target,
      texts,
      bytes,
      headers,
      websocket,
      annotation,
      ...carriers
    }) => {
      const [dns, connect, tls, ttfb, transfer] = lengths as [
        number | null,
        number | null,
        number | null,
        number | null,
        number | null,
      ];
      let now = start + blocked;
      const after = (length: number | null) => {
        now += length ?? 0;
        return length === null ? null : now;
      };
      const instants = {
        domainLookupStart: dns === null ? null : now,
        domainLookupEnd: after(dns),
        connectStart: connect === null ? null : now,
        secureConnectionStart: connect === null || tls === null ? null : after(connect),
        connectEnd: connect === null ? null : after(tls ?? connect),
        requestStart: now,
        requestEnd: after((ttfb ?? 0) / 4),
        responseStart: after(((ttfb ?? 0) * 3) / 4),
        responseForwarded: now,
        responseEnd: after(transfer ?? 0),
      };
      const outcome: Outcome =
        failed === null
          ? { kind: "responded", status: websocket ? 101 : 200 }
          : { kind: "failed", errorType: failed, detail: "Why.", status: 502 };
      const lines = headers.map(([name, value]) => `${name}: ${value}`);
      const text = texts[1].replaceAll(/\p{Cs}/gu, "");
      return harSource({
        annotation,
        start,
        end: now,
        instants: failed === null ? instants : { ...instants, responseEnd: null },
        outcome,
        method,
        target,
        requestHeaders: ["Content-Type: text/plain", ...lines],
        responseHeaders: ["Content-Type: text/plain", ...lines],
        requestBody: bytes ?? texts[0].replaceAll(/\p{Cs}/gu, ""),
        responseBody: bytes ?? text,
        reused: connect === null,
        connection: 7,
        clientConnection: 2,
        ...carriers,
        client: "127.0.0.1",
        tags: websocket ? ["websocket"] : [],
        messages: websocket
          ? [
              { at: start as Instant, side: "request", kind: "text", bytes: Buffer.from(text), cut: false },
              { at: start as Instant, side: "response", kind: "binary", bytes: Uint8Array.of(255, 0), cut: true },
            ]
          : [],
      });
    },
  );

/** Sums of floats may differ in their last digits. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part) => (typeof part === "number" ? Math.round(part * 1_000) / 1_000 : part)),
  );
}
