import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { FindingSearch } from "../../../../../src/engine/insights/findings/index.ts";
import type { Finding } from "../../../../../src/engine/model/finding.ts";
import { describe } from "../../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../../support/linked.ts";
import { rounds } from "../../../../support/rounds.ts";
import { times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

const findingsIn = (talks: readonly Talk[]): readonly Finding[] => {
  const facts = factsOf(talks).map((one) => one.facts);
  const { links } = foundIn(talks);
  return new FindingSearch(facts, links, { source: "talks", baseline: new Map() }).findAll().report.findings;
};

const START = 1_750_000_000_000;
const JSON_TYPE = "content-type: application/json";

const tokenOf = (random: () => number) =>
  times(4)
    .map(() => Math.floor(random() * 36 ** 8).toString(36))
    .join("q");

const jwtOf = (end: number, random: () => number) =>
  [{ alg: "HS256" }, { sub: tokenOf(random), exp: Math.floor(end / 1_000) }, tokenOf(random)]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");

interface Plan {
  readonly seed: number;
  readonly rounds: number;
  readonly pause: number;
  /** The body of each answer. */
  readonly answer: (token: string, at: number, random: () => number) => string;
  readonly isSame?: boolean;
  readonly gives?: readonly string[];
  /** How long the client waits before the call. */
  readonly gap?: number;
  /** How often the client loads a page before a round. */
  readonly loads?: boolean;
  readonly sends?: (round: number) => readonly string[];
  readonly body?: (round: number) => string;
}

/** Rounds of a prerequisite and one of three calls that need it, and what the prerequisites cost. */
function drawn(plan: Plan) {
  const random = seeded(plan.seed);
  const constant = tokenOf(random);
  const talks: Talk[] = [];
  let at = START;
  let cost = 0;
  for (const round of times(plan.rounds)) {
    if (plan.loads)
      talks.push({
        at: at - 20,
        lasts: 10,
        target: "/",
        sends: ["sec-fetch-dest: document"],
        gives: ["content-type: text/html"],
      });
    const lasts = lognormal(random, 90, 0.3);
    const token = plan.isSame ? constant : tokenOf(random);
    const answer = plan.answer(token, at + lasts, random);
    const used = /"access":"([^"]+)"/.exec(answer)?.[1] ?? token;
    talks.push({
      at,
      lasts,
      method: "POST",
      target: "/oauth/token",
      answer,
      sends: plan.sends?.(round) ?? [],
      body: plan.body?.(round) ?? "grant_type=client_credentials&scope=all",
      gives: [JSON_TYPE, ...(plan.gives ?? [])],
    });
    if (round > 0) cost += lasts;
    at += lasts + (plan.gap ?? 1 + random() * 5);
    const call = lognormal(random, 80, 0.3);
    talks.push({
      at,
      lasts: call,
      target: `/orders/${["open", "late", "sent"][round % 3]}`,
      sends: [`authorization: Bearer ${used}`],
      gives: [JSON_TYPE],
      answer: `{"n":${round}}`,
    });
    at += call + plan.pause * (0.3 + 1.4 * random());
  }
  return { talks, cost };
}

const HOUR: Plan["answer"] = (token) => `{"access":"${token}","expires_in":3600}`;

describe("repeated-prerequisite", (test) => {
  test("given a credential that lasts, fetched before each call, all but the first are avoidable", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 6, max: 40 }),
        fc.constantFrom<Plan["answer"]>(
          HOUR,
          (token) => `{"access":"${token}","expiresIn":"86400"}`,
          (_, at, random) => `{"access":"${jwtOf(at + 3_600_000, random)}"}`,
        ),
        (seed, rounds, answer) => {
          const { talks, cost } = drawn({ seed, rounds, pause: 800, answer });
          const found = findingsIn(talks);
          const [finding] = found;
          assert.equal([finding?.kind, finding?.endpoint?.path], ["repeated-prerequisite", "/oauth/token"]);
          assert.match(finding?.summary ?? "", new RegExp(`: ${rounds - 1} of ${rounds} requests were avoidable\\.`));
          assert.is(finding?.confidence, "certain");
          assert.ok(Math.abs((finding?.time ?? 0) / cost - 1) < 0.3, `${finding?.time} ${cost}`);
          const others = ["duplicate-requests", "unchanged-refetches", "sequential-requests", "slow-server", "polling"];
          assert.not.ok(found.some(({ kind }) => others.includes(kind)));
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  test("given the same answer before each call, all but the first are avoidable, likely", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 8, max: 30 }), (seed, rounds) => {
        const { talks, cost } = drawn({
          seed,
          rounds,
          pause: 500,
          isSame: true,
          answer: (token) => `{"key":"${token}"}`,
        });
        const [finding] = findingsIn(talks);
        assert.equal([finding?.kind, finding?.confidence], ["repeated-prerequisite", "likely"]);
        assert.match(finding?.summary ?? "", /The response was the same each time\.$/);
        assert.ok(Math.abs((finding?.time ?? 0) / cost - 1) < 0.3, `${finding?.time} ${cost}`);
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given an equal value before calls of many endpoints, each call that carries it waited; others did not", () => {
    const drawn = fc.record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      rounds: fc.integer({ min: 10, max: 30 }),
      endpoints: fc.integer({ min: 2, max: 9 }),
      isCarried: fc.boolean(),
    });
    fc.assert(
      fc.property(drawn, ({ seed, rounds, endpoints, isCarried }) => {
        const random = seeded(seed);
        const value = tokenOf(random);
        let at = START;
        let cost = 0;
        const talks = times(rounds).flatMap((round): Talk[] => {
          const [asks, call] = [lognormal(random, 60, 0.2), lognormal(random, 90, 0.3)];
          const start = at;
          // Pauses that vary this much are no poll.
          at += asks + 2 + call + 200 + 2_500 * random() ** 2;
          if (round > 0) cost += asks;
          const carries = isCarried || round === 0;
          return [
            { at: start, lasts: asks, target: "/v2/flags", gives: [JSON_TYPE], answer: `{"variant":"${value}"}` },
            {
              at: start + asks + 2,
              lasts: call,
              target: `/${"abcdefghi"[round % endpoints]}/${round}/screen`,
              sends: carries ? [`x-variant: ${value}`] : [],
              gives: [JSON_TYPE],
              answer: `{"n":${round}}`,
            },
          ];
        });
        const found = findingsIn(talks);
        const finding = found.find(({ kind }) => kind === "repeated-prerequisite");
        if (!isCarried) return assert.ok((finding?.count ?? 0) < rounds - 1 - Math.floor(rounds / endpoints / 2));
        assert.is(finding?.count, rounds - 1);
        assert.ok(Math.abs((finding?.time ?? 0) / cost - 1) < 0.05, `${finding?.time} ${cost}`);
        assert.not.ok(found.some(({ kind }) => kind === "duplicate-requests"));
      }),
      { numRuns: rounds(40) },
    );
  });

  test("given responses in flight beside the prerequisite, the cost is what the client waits longer in all", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0.3, max: 1.5, noNaN: true }), (seed, share) => {
        const { talks } = drawn({ seed, rounds: 20, pause: 800, answer: HOUR });
        const beside: Talk[] = [];
        let truth = 0;
        for (const [index, { at, lasts = 0, target }] of talks.entries()) {
          if (target !== "/oauth/token") continue;
          const [ends, call] = [at + lasts * share, talks[index + 1] ?? { at, lasts: 0 }];
          beside.push({ at: at - 5, lasts: lasts * share + 5, target: "/feed" });
          const called = call.at + (call.lasts ?? 0);
          // Without the prerequisite, the call starts earlier by the prerequisite's length.
          if (index > 0) truth += Math.max(called, ends) - Math.max(called - lasts, ends);
        }
        const finding = findingsIn([...talks, ...beside]).find(({ kind }) => kind === "repeated-prerequisite");
        assert.ok(Math.abs((finding?.time ?? 0) - truth) < 0.1 * truth + 40, `${finding?.time} ${truth}`);
      }),
      { numRuns: rounds(30) },
    );
  });

  test("given credentials for one use, for a minute, for other users, or fetched by new pages or people, nothing is said", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom<Omit<Plan, "seed" | "rounds" | "pause">>(
          { answer: (token) => `{"csrf":"${token}"}` },
          { answer: (token) => `{"access":"${token}","expires_in":60}` },
          { answer: (_, at, random) => `{"access":"${jwtOf(at + 30_000, random)}"}` },
          { answer: HOUR, body: (round) => `grant_type=password&username=user${round}` },
          { answer: HOUR, sends: (round) => [`authorization: Basic dXNlcj${round}`] },
          { answer: HOUR, loads: true },
          { answer: HOUR, gap: 2_500 },
        ),
        (seed, plan) => {
          const found = findingsIn(drawn({ seed, rounds: 20, pause: 800, ...plan }).talks);
          assert.not.ok(found.some(({ kind }) => kind === "repeated-prerequisite"));
        },
      ),
      { numRuns: rounds(60) },
    );
  });

  test("given a credential that ends, it is fetched again as often as that", () => {
    const { talks } = drawn({
      seed: 3,
      rounds: 60,
      pause: 10_000,
      answer: (token) => `{"access":"${token}","expires_in":180}`,
    });
    const finding = findingsIn(talks).find(({ kind }) => kind === "repeated-prerequisite");
    assert.ok((finding?.count ?? 0) >= 40 && (finding?.count ?? 0) <= 56, String(finding?.count));
  });
});
