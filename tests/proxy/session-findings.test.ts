import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { SessionFindings } from "../../extensions/proxy/session-findings.ts";
import type { SessionReader } from "../../extensions/proxy/storage/session-reader.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import type { ChainsFound, Overlaps } from "../../src/engine/session/findings.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { eventsOf } from "../support/capture.ts";
import { describe } from "../support/describe.ts";
import { exchange } from "../support/exchange.ts";
import { withStored } from "../support/stored.ts";

describe("findings of a session", (test) => {
  test("nothing is looked for until somebody asks", () =>
    withStored(PAIR, async ({ session, reader }) => {
      const { findings } = findingsOf(session, reader);
      assert.is(findings.version, 0);
    }));

  test("an edge is proven when a value of A's response appears in B's request: the body, decoded", () =>
    withStored(
      [
        {
          sketch: {
            id: 1,
            end: 50,
            target: "/login",
            method: "POST",
            contentEncoding: "gzip",
            contentType: "application/json",
          },
          responseHeaders: ["Content-Type: application/json", "Content-Encoding: gzip"],
          responseBody: gzipSync('{"token":"s3cr3t-4f9a"}'),
        },
        { sketch: { id: 2, start: 60, end: 90 }, requestHeaders: ["Authorization: Bearer s3cr3t-4f9a"] },
        { sketch: { id: 3, start: 100, end: 120, target: "/other" } },
      ],
      async ({ session, reader }) => {
        const [chain] = (await chainsOf(session, reader)).chains;
        assert.equal(
          chain?.edges.map(({ from, to, kind, evidence }) => [from, to, kind, evidence]),
          [
            [1, 2, "proven", { source: "body", value: "s3cr3t-4f9a" }],
            [2, 3, "sequential", null],
          ],
        );
      },
    ));

  test("Location, Set-Cookie and request bodies prove too", () =>
    withStored(
      [
        {
          sketch: { id: 1, end: 50, status: 302 },
          responseHeaders: ["Location: /orders/abc123", "Set-Cookie: sid=q1w2e3r4; Path=/"],
        },
        {
          sketch: { id: 2, start: 60, end: 90, target: "/orders/abc123" },
          responseHeaders: ["Content-Type: application/json"],
          responseBody: '{"id": 7654321}',
        },
        {
          sketch: { id: 3, start: 100, end: 120, method: "POST", target: "/pay" },
          requestHeaders: ["Content-Type: application/json"],
          requestBody: '{"order": 7654321}',
        },
      ],
      async ({ session, reader }) => {
        const [chain] = (await chainsOf(session, reader)).chains;
        assert.equal(
          chain?.edges.map(({ evidence }) => evidence?.source),
          ["location", "body"],
        );
        assert.is(chain?.couldSave, null);
      },
    ));

  test("pictures are not read for proofs", () =>
    withStored(
      [
        {
          sketch: { id: 1, end: 50 },
          responseHeaders: ["Content-Type: image/png"],
          responseBody: '"abcdefgh"',
        },
        { sketch: { id: 2, start: 60, end: 90, target: "/abcdefgh" } },
      ],
      async ({ session, reader }) => {
        assert.is((await chainsOf(session, reader)).chains[0]?.edges[0]?.kind, "sequential");
      },
    ));

  test("what is captured later is found too, and another chain gap begins anew", () =>
    withStored(PAIR, async ({ session, reader }) => {
      const { findings, setGap } = findingsOf(session, reader);
      await changed(findings, () => findings.chains());
      assert.is(findings.chains().chains[0]?.steps.length, 2);
      session.apply(eventsOf(exchange({ id: 3, start: 100, end: 130 })));
      await changed(findings, () => findings.chains());
      assert.is(findings.chains().chains[0]?.steps.length, 3);
      setGap(0);
      await changed(findings, () => findings.chains());
      assert.equal([findings.chains().chains.length, findings.chains().chainGap], [0, 0]);
    }));

  test("what ended a moment ago is found although nothing happens any more, and nobody asks again", () =>
    withStored(PAIR, async ({ session, reader }) => {
      let now = 90;
      const { findings } = findingsOf(session, reader, () => now as Instant);
      await changed(findings, () => findings.chains());
      now = 1_000;
      await changed(findings, () => {});
      assert.is(findings.chains().chains[0]?.steps.length, 2);
    }));

  test("duplicates have the same request body", () =>
    withStored(
      ["a=1", "a=2", "a=1"].map((requestBody, index) => ({
        sketch: { id: index + 1, start: index * 100, method: "POST" },
        requestBody,
      })),
      async ({ session, reader }) => {
        const { repeats } = await overlapsOf(session, reader);
        assert.equal(
          repeats.map(({ kind, exchanges }) => [kind, exchanges]),
          [["duplicate", [1, 3]]],
        );
      },
    ));
});

const PAIR = [{ sketch: { id: 1, end: 50 } }, { sketch: { id: 2, start: 60, end: 90, target: "/b" } }];

function findingsOf(
  session: Session,
  reader: SessionReader,
  until: () => Instant = () => Number.POSITIVE_INFINITY as Instant,
) {
  let gap = 300;
  const findings = new SessionFindings({
    session,
    reader: () => reader,
    chainGap: () => gap,
    until,
  });
  return {
    findings,
    setGap: (value: number) => {
      gap = value;
    },
  };
}

async function chainsOf(session: Session, reader: SessionReader): Promise<ChainsFound> {
  const { findings } = findingsOf(session, reader);
  await changed(findings, () => findings.chains());
  return findings.chains();
}

async function overlapsOf(session: Session, reader: SessionReader): Promise<Overlaps> {
  const { findings } = findingsOf(session, reader);
  await changed(findings, () => findings.overlaps());
  return findings.overlaps();
}

/** Asks, and waits until something new was found. */
async function changed(findings: SessionFindings, ask: () => unknown): Promise<void> {
  const { version } = findings;
  ask();
  while (findings.version === version) await new Promise((resolve) => setTimeout(resolve, 5));
}
