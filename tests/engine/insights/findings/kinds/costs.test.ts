import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { FindingKind } from "../../../../../src/engine/model/finding.ts";
import type { ExchangeId } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";
import { IS_QUICK, rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

/**
 * A session in virtual time. All times are drawn whether they are used or not, so that a session and its pair agree.
 */
class Session {
  readonly scene = new Scene();
  readonly random: () => number;
  readonly hasCause: boolean;
  now = 0;

  constructor(seed: number, hasCause: boolean) {
    this.random = seeded(seed);
    this.hasCause = hasCause;
  }

  drawn(median: number, spread = 0.3): number {
    return lognormal(this.random, median, spread);
  }

  between(low: number, high: number): number {
    return low + this.random() * (high - low);
  }

  pause(low: number, high: number): void {
    this.now += this.between(low, high);
  }

  /** Sends a request now, or `at`, which needs the one before where `isLinked`. Returns when it ends. */
  ask(asked: Partial<Asked> & { readonly server: number; readonly isLinked?: boolean }): number {
    const { at = this.now, transfer = 1, isLinked = false } = asked;
    const id = this.scene.ask({ at, ...asked, transfer });
    if (isLinked) this.scene.prove((id - 1) as ExchangeId, id, "protocol");
    return at + asked.server + transfer;
  }
}

/** Each request of a page's parts asks for permission first. */
function preflights(session: Session): void {
  for (const visit of times(20)) {
    session.pause(2_500, 6_000);
    const ends = times(1 + Math.floor(session.between(0, 4))).map((part) => {
      const [preflight, server] = [session.drawn(60), session.drawn(90)];
      const target = `/part${part}?v=${visit}`;
      const clientConnection = part;
      let at = session.now + part;
      if (session.hasCause)
        at = session.ask({
          at,
          server: preflight,
          method: "OPTIONS",
          target: `/part${part}`,
          clientConnection,
          ...PREFLIGHT,
        });
      return session.ask({ at, server, target, clientConnection, isLinked: session.hasCause });
    });
    // A slow part of the page itself, which overlaps the others on some visits.
    const other = session.ask({
      server: session.drawn(100, 0.6),
      target: `/own?v=${visit}`,
      origin: "https://page.test",
    });
    session.now = Math.max(other, ...ends);
    session.now = session.ask({ server: session.drawn(50), target: `/after?v=${visit}` });
  }
}

const PREFLIGHT: Partial<Asked> = {
  status: 204,
  request: { origin: "https://page.test", "access-control-request-method": "GET" },
  response: { "access-control-allow-origin": "*" },
};

/** Each visit is led through one or two redirects; a beacon of the page before may still run. */
function redirectChains(session: Session): void {
  for (const visit of times(25)) {
    session.pause(2_500, 6_000);
    const beacon = session.ask({
      server: session.drawn(150, 0.8),
      method: "POST",
      target: "/beacon",
      clientConnection: 9,
    });
    for (const [from, to] of [
      ["/old", "/newer"],
      ["/newer", `/page?v=${visit}`],
    ] as const) {
      const server = session.drawn(70);
      const isLinked = from !== "/old";
      if (session.hasCause)
        session.now = session.ask({ server, target: from, status: 302, response: { location: to }, isLinked });
    }
    const target = `/page?v=${visit}`;
    session.now = session.ask({ server: session.drawn(120), target, isLinked: session.hasCause });
    session.now = Math.max(beacon, session.now);
  }
}

/** A list, then its items, one after another or six at once; without the cause one request for all items. */
function items(session: Session, parallel: number): void {
  for (const visit of times(12)) {
    session.pause(2_500, 6_000);
    session.now = session.ask({ server: session.drawn(80), target: `/list?v=${visit}` });
    const list = session.scene.facts.length as ExchangeId;
    const free = times(parallel).map(() => session.now + session.between(0, 5));
    for (const item of times(12 + Math.floor(session.between(0, 10)))) {
      const [lane] = times(parallel).toSorted((left, right) => (free[left] ?? 0) - (free[right] ?? 0));
      const server = session.drawn(40, 0.15);
      if (lane === undefined || (!session.hasCause && item > 0)) continue;
      const at = (free[lane] ?? 0) + 1;
      free[lane] = session.ask({ at, server, target: `/items/${visit}${item}`, clientConnection: lane });
      session.scene.prove(list, session.scene.facts.length as ExchangeId);
    }
    session.now = Math.max(...free);
    session.now = session.ask({ server: session.drawn(60), target: `/after?v=${visit}` });
  }
}

/** Requests at once to a service with `workers`; without the cause it has one for each. */
function queue(session: Session, workers: number): void {
  for (const burst of times(12)) {
    session.pause(2_500, 6_000);
    const free = times(session.hasCause ? workers : 100).map(() => session.now);
    const ends = times(8 + Math.floor(session.between(0, 5))).map((item) => {
      const [worker] = times(free.length).toSorted((left, right) => (free[left] ?? 0) - (free[right] ?? 0));
      const at = session.now + item / 10;
      const done = Math.max(at, free[worker ?? 0] ?? 0) + session.drawn(90, 0.03);
      free[worker ?? 0] = done;
      return session.ask({ at, server: done - at, target: `/job?n=${burst}.${item}`, clientConnection: item });
    });
    session.now = Math.max(...ends);
  }
}

const CAUSES: readonly (readonly [FindingKind, string, (session: Session) => void])[] = [
  ["cors-preflights", "preflights before the parts of a page", preflights],
  ["redirects", "redirects at the start of each visit", redirectChains],
  ["n-plus-one", "items one after another", (session) => items(session, 1)],
  ["n-plus-one", "items six at once", (session) => items(session, 6)],
  ["one-at-a-time", "a service with one worker", (session) => queue(session, 1)],
  ["one-at-a-time", "a service with three workers", (session) => queue(session, 3)],
];

/** How many of the draws are near the truth. Of three, chance may leave one. */
const LEAST = IS_QUICK ? 1 : 8;

describe("cost of planted problems", (test) => {
  for (const [kind, name, cause] of CAUSES)
    test(`given ${name}, it is within 30 % of what the session without it waits less, in 8 of 10 draws`, () => {
      const ratios = fc.sample(fc.integer({ min: 1 }), rounds(10)).map((draw) => {
        const [ill, sound] = [true, false].map((hasCause) => {
          const session = new Session(draw, hasCause);
          cause(session);
          return session.scene;
        });
        const truth = (ill?.traffic().totals.waiting ?? 0) - (sound?.traffic().totals.waiting ?? 0);
        const found = ill?.report().findings.filter((finding) => finding.kind === kind) ?? [];
        return found.reduce((sum, { time }) => sum + (time ?? 0), 0) / truth;
      });
      const says = `claimed of true: ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}`;
      assert.ok(ratios.filter((ratio) => Math.abs(ratio - 1) <= 0.3).length >= LEAST, says);
      assert.ok(Math.max(...ratios) <= 1.5, says);
    });
});
