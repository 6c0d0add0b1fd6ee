import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import { reportOf } from "../../../extensions/proxy/export/session-report.ts";
import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import { timedLatencyOf } from "../../../src/engine/model/exchange.ts";
import type { FindingKind } from "../../../src/engine/model/finding.ts";
import { phasesOf, waitOf } from "../../../src/engine/model/phases.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";

const FILES = fileURLToPath(new URL("../../fixtures/har-odd/", import.meta.url));

/** Opens a file of which one peculiarity is written by real tools, and reports it. */
async function withOdd(name: string, body: (report: SourceReport, session: Session) => void): Promise<void> {
  const source = unwrap(await openSource({ file: `${FILES}${name}.har` }));
  try {
    const report = await reportOf(source, true);
    if (report === null) throw new Error("no report");
    body(report, source.session);
  } finally {
    source.close();
  }
}

function kindsOf({ findings }: SourceReport): readonly FindingKind[] {
  return findings.map(({ kind }) => kind);
}

function exchangeOf(session: Session, id: number) {
  const exchange = session.exchange(id as ExchangeId);
  if (exchange === null) throw new Error(`no exchange ${id}`);
  return exchange;
}

/** The median latency of each endpoint. */
function mediansOf({ tallies }: Session): readonly number[] {
  return tallies.counted().map(({ latencies }) => Math.round(latencies.percentiles([0.5])?.[0] ?? Number.NaN));
}

describe("HAR files that break the format", (test) => {
  test("given cache hits as Firefox writes them, counts 10 of 15, at 214 ms", () =>
    withOdd("firefox-cache", (report, session) => {
      assert.equal([report.exchanges, report.uncounted], [10, 5]);
      assert.equal(mediansOf(session), [214]);
    }));

  test("given cache hits of Chrome, counts none", () =>
    withOdd("from-cache-chrome", (report, session) => {
      assert.equal([report.exchanges, report.uncounted], [6, 14]);
      assert.equal(mediansOf(session), [300]);
    }));

  test("given ssl on plain HTTP, has no TLS", () =>
    withOdd("playwright-http-ssl", (report, session) => {
      assert.is(phasesOf(exchangeOf(session, 1).instants).tls, null);
      assert.not.ok(report.where.parts.some(({ phase }) => phase === "tls"));
    }));

  test("given statuses as text, a null entry or no timings, reads all that can be read, and says what cannot", async () => {
    await withOdd("status-text", ({ exchanges, leftOutCount }) => assert.equal([exchanges, leftOutCount], [6, 0]));
    await withOdd("null-entry", ({ exchanges, leftOut }) => {
      assert.is(exchanges, 2);
      assert.equal(leftOut, [{ entry: 2, reason: "it is not an object: null" }]);
    });
    await withOdd("no-timings", ({ exchanges }, session) => {
      assert.is(exchanges, 1);
      assert.is(timedLatencyOf(exchangeOf(session, 1)), 100);
    });
  });

  test("given one slow request in a page, says it first", () =>
    withOdd("one-slow-request", ({ where, findings }) => {
      const [part] = where.parts;
      assert.equal(
        [part?.endpoint.path, part?.phase, Math.round(part?.time ?? 0)],
        ["/api/reports/quarter", "ttfb", 7_400],
      );
      assert.equal([findings[0]?.kind, findings[0]?.endpoint?.path], ["slow-server", "/api/reports/quarter"]);
    }));

  test("given Chrome's own queue over HTTP/2, no request waited for a connection", () =>
    withOdd("chrome-queueing", (report, session) => {
      assert.not.ok(kindsOf(report).includes("connection-queueing"));
      const queued = [...Array(10).keys()].map((index) => waitOf(exchangeOf(session, index + 1))?.waitedFor ?? null);
      assert.ok(queued.includes("browser"));
      assert.not.ok(queued.includes("unsaid"));
    }));

  test("given three runs in one file, has three clients, and nothing repeats", () =>
    withOdd("runs-in-one-file", (report) => {
      assert.is(report.clients, 3);
      const across: readonly FindingKind[] = [
        "new-connections",
        "polling",
        "duplicate-requests",
        "unchanged-refetches",
      ];
      assert.equal(
        kindsOf(report).filter((kind) => across.includes(kind)),
        [],
      );
      assert.ok(report.where.limits.includes("The file holds 3 runs, each with a client of its own."));
    }));

  test("given small bodies that take 1.6 s after the first byte, says that they come late", () =>
    withOdd("late-body", (report) => {
      const [first] = report.findings;
      assert.equal([first?.kind, first?.endpoint?.path], ["slow-transfer", "/tiles"]);
      assert.match(first?.summary ?? "", /body/);
    }));
});
