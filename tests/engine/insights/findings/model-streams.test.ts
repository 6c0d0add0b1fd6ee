import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ModelCall } from "../../../../src/engine/insights/models/read-call.ts";
import { redactedFinding } from "../../../../src/engine/interchange/finding-redaction.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { callOfModel } from "../../../support/model-calls.ts";
import { Scene, times } from "../../../support/scene.ts";

interface Planted {
  readonly firstToken?: number;
  readonly stall?: number;
  readonly buffered?: ModelCall["buffered"];
  /** Whether the planted answers are all that the endpoint has. */
  readonly isAlone?: boolean;
  readonly refused?: { readonly status: number; readonly wait: number };
}

const at = (instant: number) => instant as Instant;

/** Eight calls, a minute apart, whose tokens take 2 s; every second one has what is planted. */
function scene({ firstToken, stall, buffered = null, isAlone = false, refused }: Planted, count = 8): Scene {
  const made = new Scene();
  for (const call of times(count)) {
    const isPlanted = isAlone || call % 2 === 1;
    const sent = `{"prompt":${call}}`;
    const common = { method: "POST", target: "/v1/messages", sent };
    const start = call * 60_000;
    if (refused !== undefined && isPlanted) made.ask({ ...common, at: start, status: refused.status, server: 20 });
    const begun = start + (refused !== undefined && isPlanted ? refused.wait : 0);
    const first = begun + (isPlanted ? (firstToken ?? 400) : 400);
    const stalled = first + 500;
    const stalls = stall !== undefined && isPlanted ? [{ start: at(stalled), end: at(stalled + stall) }] : [];
    const model = callOfModel({
      firstToken: first - begun,
      tokens: { start: at(first), end: at(first + 2_000) },
      usualPause: 50,
      stalls,
      ...(isPlanted && buffered !== null ? { buffered, rate: null } : {}),
    });
    made.ask({ ...common, at: begun, tags: ["event-stream"], events: [first], server: 100, transfer: 3_000, model });
  }
  return made;
}

describe("slow streams of language models", (test) => {
  test("given late first tokens, the model thinks, and the wait is the cost", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 20_000 }), (firstToken) => {
        const finding = scene({ firstToken }).only();
        assert.is(finding.kind, "slow-streams");
        assert.equal([finding.count, finding.time], [4, 4 * firstToken]);
        assert.match(finding.summary, /8 calls of a language model: the model thinks before 4 first tokens\.$/);
      }),
    );
  });

  test("given a request that takes long to arrive, the model is not said to think", () => {
    const made = new Scene();
    for (const call of times(8)) {
      const start = call * 60_000;
      const model = callOfModel({ firstToken: 3_400, tokens: { start: at(start + 3_400), end: at(start + 5_400) } });
      const asked = { method: "POST", target: "/v1/messages", sent: `{"prompt":${call}}`, upload: 3_000 };
      made.ask({ ...asked, at: start, tags: ["event-stream"], events: [start + 3_400], server: 100, model });
    }
    assert.not.ok(made.kinds().includes("slow-streams"), String(made.kinds()));
  });

  test("given late first tokens, a redacted report keeps the figures", () => {
    const { evidence } = redactedFinding(scene({ firstToken: 3_000 }).only());
    assert.ok(
      evidence.length > 0 && evidence.every(({ value }) => !value.includes("REDACTED")),
      JSON.stringify(evidence),
    );
  });

  test("given stalls, they cost what is above the usual pause", () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 9_000 }), (stall) => {
        const finding = scene({ stall }).only();
        assert.equal([finding.kind, finding.count, finding.time], ["slow-streams", 4, 4 * (stall - 50)]);
        assert.match(finding.summary, /: the answer stalls in 4 calls\.$/);
      }),
    );
  });

  test("given buffered answers, they cost what was held back, and are no thinking", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3_000, max: 9_000 }), fc.boolean(), (wait, isTold) => {
        const finding = scene({
          firstToken: wait,
          buffered: { certainty: "certain", generation: isTold ? wait : null },
        }).only();
        // The server made the last tokens while the burst came.
        assert.equal([finding.kind, finding.time], ["slow-streams", 4 * (isTold ? wait - 2_000 : wait)]);
        assert.match(finding.summary, /: something between buffers 4 answers\.$/);
        assert.match(finding.advice, /proxy_buffering off/);
      }),
    );
  });

  test("given short answers in bursts, what others of the endpoint show decides; alone, they are likely or unclear", () => {
    const said = (certainty: "likely" | "unclear", isAlone: boolean, wait: number) =>
      scene({ firstToken: wait, buffered: { certainty, generation: null }, isAlone })
        .report()
        .findings.map(({ summary, time }) => [summary.replace(/^.*: /, ""), time]);
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 9_000 }), (wait) => {
        assert.equal(said("likely", true, wait), [["something between buffers 8 answers.", 8 * wait]]);
        assert.equal(said("unclear", true, wait), [
          ["can't tell in 8 calls with few events whether the model thinks or something buffers.", 8 * wait],
        ]);
        // Every second answer came token by token: nothing between holds events back.
        for (const certainty of ["likely", "unclear"] as const)
          assert.equal(said(certainty, false, wait), [["the model thinks before 4 first tokens.", 4 * wait]]);
      }),
    );
    for (const certainty of ["likely", "unclear"] as const) assert.equal(said(certainty, true, 1_900), []);
  });

  test("given streams that report an overload, end and are sent again, they are retries of the call", () => {
    fc.assert(
      fc.property(fc.constantFrom("overloaded_error", "UNAVAILABLE", "429"), (error) => {
        const made = new Scene();
        for (const call of times(8)) {
          const common = { method: "POST", target: "/v1/messages", sent: `{"prompt":${call}}`, server: 20 };
          const start = call * 60_000;
          const failed = callOfModel({ error, tokens: null, firstToken: null, rate: null });
          const tags = ["event-stream"] as const;
          if (call % 2 === 1) made.ask({ ...common, at: start, tags, model: failed });
          const begun = start + (call % 2 === 1 ? 3_000 : 0);
          const tokens = { start: at(begun + 400), end: at(begun + 2_400) };
          made.ask({ ...common, at: begun, tags, events: [begun + 400], model: callOfModel({ tokens }) });
        }
        const finding = made.only();
        assert.equal([finding.kind, finding.count, finding.time], ["slow-streams", 4, 12_000]);
        assert.match(finding.summary, new RegExp(`: 4 calls were retried after ${error} in a 200 stream\\.$`));
      }),
    );
  });

  test("given refused calls that were answered in the end, reports them as slow-streams only", () => {
    fc.assert(
      fc.property(fc.constantFrom(429, 503, 529), fc.integer({ min: 500, max: 30_000 }), (status, wait) => {
        const finding = scene({ refused: { status, wait } }).only();
        assert.equal([finding.kind, finding.count, finding.time], ["slow-streams", 4, 4 * wait]);
        assert.match(finding.summary, new RegExp(`4 calls were retried after ${status}\\.$`));
        assert.is(finding.exchanges.length, 4);
      }),
    );
  });

  test("given several causes, each is told, the costliest first", () => {
    const { summary, advice } = scene({ firstToken: 9_000, stall: 700 }).only();
    assert.match(summary, /: the model thinks before 4 first tokens, the answer stalls in 4 calls\.$/);
    assert.ok(advice.startsWith("Shorten the prompt"));
  });

  test("given healthy calls, nothing is said", () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 1_999 }), (firstToken) => {
        assert.equal(scene({ firstToken }).kinds(), []);
      }),
    );
  });
});
