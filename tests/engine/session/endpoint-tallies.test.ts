import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { Recorder } from "../../../src/engine/capture/recorder.ts";
import { groupedEndpoint } from "../../../src/engine/insights/path-template.ts";
import { timedLatencyOf } from "../../../src/engine/model/duration.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { type Exchange, UNCOUNTED_TAGS } from "../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { standingOf } from "../../../src/engine/session/standing.ts";
import { EndpointTally, MINIMUM_REQUESTS } from "../../../src/engine/stats/endpoint-tally.ts";
import { anyExchanges, eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange, withTarget } from "../../support/exchange.ts";
import { interleaved } from "../../support/interleaved.ts";

/** Endpoints of which an exchange is in the list. */
function listedOf({ table }: Session): ReadonlySet<Endpoint> {
  const listed = new Set<Endpoint>();
  for (let row = table.firstRow; row < table.nextRow; row += 1) listed.add(table.endpointAt(row));
  return listed;
}

describe("tallies of endpoints", (test) => {
  test("count all since the endpoint became known, and few are known of which nothing is in the list", () => {
    const draws = fc.array(fc.tuple(fc.nat(), fc.constant(false)), { minLength: 20, maxLength: 60 });
    const targets = fc.array(fc.nat(9), { minLength: 90, maxLength: 90 });
    const caps = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(4), fc.boolean());
    let forgotten = 0;
    let renumbered = 0;
    fc.assert(
      fc.property(anyExchanges(90), targets, draws, caps, (made, drawn, order, [cap, most, grouped]) => {
        const exchanges = made.map((one, index) =>
          withTarget(one, `/${"abc"[index % 3]}/${drawn[index]}${index % 2 === 0 ? "" : "/x"}`),
        );
        const byId = new Map(exchanges.map((one) => [one.id, one]));
        const session = new Session(cap, grouped, most);
        const keyOf = (one: Exchange | undefined): Endpoint => {
          const { endpoint } = one ?? exchange();
          return grouped ? groupedEndpoint(endpoint) : endpoint;
        };
        const requests = new Map<Endpoint, number>();
        const standing = new Set<number>();
        const { endpoints } = session.table;
        let regrouping: ReturnType<Session["regrouping"]> | null = null;
        for (const event of interleaved(exchanges.map(eventsOf), order)) {
          session.apply([event]);
          if (session.isSparse) regrouping ??= session.regrouping(grouped, 3);
          if (regrouping?.next().done === true) regrouping = null;
          const told = "id" in event ? byId.get(event.id as Exchange["id"]) : undefined;
          if (told !== undefined) {
            const { id, tags } = told;
            const endpoint = keyOf(told);
            const isCounted = !tags.some((tag) => UNCOUNTED_TAGS.includes(tag));
            const stands = event.type === "response-started" && standingOf(told, event) !== null;
            const counts = isCounted && (stands || (event.type === "exchange-ended" && !standing.delete(id)));
            if (stands && isCounted) standing.add(id);
            requests.set(endpoint, (requests.get(endpoint) ?? 0) + Number(counts));
          }
          assert.is(session.tally("" as Endpoint), null);
          const listed = listedOf(session);
          let unlisted = 0;
          for (const [endpoint, count] of requests) {
            const tally = session.tally(endpoint);
            if (tally === null) {
              assert.not(listed.has(endpoint), `${endpoint} is in the list, and not known`);
              assert.ok(count < MINIMUM_REQUESTS, `${endpoint} had a row`);
              requests.set(endpoint, 0);
              forgotten += 1;
            } else assert.is(tally.requests, count, endpoint);
            const isHeld =
              listed.has(endpoint) || [...standing].some((id) => keyOf(byId.get(id as Exchange["id"])) === endpoint);
            if (tally !== null && !tally.hasRow && !isHeld) unlisted += 1;
          }
          // What is forgotten meanwhile is so afterwards.
          if (regrouping === null) assert.ok(unlisted <= most, `${unlisted} of ${most}`);
        }
        if (session.table.endpoints !== endpoints) renumbered += 1;
      }),
      { numRuns: 300 },
    );
    assert.ok(forgotten > 0 && renumbered > 0, "some were forgotten, and numbers given back");
  });

  test("say what was told of each request, though one alone is told from its row", () => {
    const draws = fc.array(fc.tuple(fc.nat(), fc.constant(false)), { minLength: 20, maxLength: 60 });
    const drawn = fc.array(fc.record({ target: fc.nat(12), decoded: fc.option(fc.nat(100_000)) }), {
      minLength: 60,
      maxLength: 60,
    });
    const caps = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.nat(4));
    const alone = { told: 0, changed: 0, left: 0 };
    fc.assert(
      fc.property(anyExchanges(60), drawn, draws, caps, (made, drawn, order, [cap, most]) => {
        const stories = made.map((one, index) => {
          const { target, decoded } = drawn[index] ?? {};
          const events = eventsOf(withTarget({ ...one, contentEncoding: "gzip" }, `/${target}`));
          return decoded === null || decoded === undefined ? events : [...events, sizeOf(one.id, decoded)];
        });
        const session = new Session(cap, false, most);
        const recorder = new Recorder();
        const expected = new Map<Endpoint, EndpointTally>();
        const ended = new Map<ExchangeId, Exchange>();
        const standing = new Set<ExchangeId>();
        let regrouping: ReturnType<Session["regrouping"]> | null = null;
        const tallyOf = ({ endpoint }: Exchange): EndpointTally => {
          const tally = expected.get(endpoint) ?? new EndpointTally(endpoint);
          expected.set(endpoint, tally);
          return tally;
        };
        for (const event of interleaved(stories, order)) {
          const wasAlone = [...expected.keys()].filter((endpoint) => isToldAnew(session, endpoint));
          const isNews = event.type === "body-decoded" && session.exchange(event.id)?.decodedBodySize === null;
          session.apply([event]);
          if (session.isSparse) regrouping ??= session.regrouping(false, 3);
          if (regrouping?.next().done === true) regrouping = null;
          const one = recorder.fold(event);
          if (one !== null && !one.tags.some((tag) => UNCOUNTED_TAGS.includes(tag))) {
            if (event.type === "response-started" && standingOf(one, event) !== null) {
              tallyOf(one).begin(one.protocol);
              standing.add(one.id);
            } else if (event.type === "exchange-ended") {
              if (standing.delete(one.id)) tallyOf(one).end(one);
              else tallyOf(one).record(one);
              ended.set(one.id, one);
            }
          }
          const decoded = event.type === "body-decoded" ? ended.get(event.id) : undefined;
          if (isNews && decoded !== undefined) tallyOf(decoded).recordDecoded(decoded, event.size ?? 0);
          for (const [id, one] of ended) {
            if (session.exchange(id) !== null) continue;
            tallyOf(one).forget(id, timedLatencyOf(one));
            ended.delete(id);
            alone.left += Number(wasAlone.includes(one.endpoint));
          }
          for (const [endpoint, wanted] of expected) {
            const tally = session.tally(endpoint);
            if (tally === null) expected.delete(endpoint);
            else assert.equal(saidBy(tally), saidBy(wanted));
            const number = session.table.endpoints.find(endpoint);
            assert.is(session.tallies.requestsAt(number), tally === null ? 0 : wanted.requests);
            assert.is(session.tallies.atWithRow(number).requests, wanted.hasRow ? wanted.requests : 0);
            const isAlone = isToldAnew(session, endpoint);
            alone.told += Number(isAlone);
            alone.changed += Number(!isAlone && wasAlone.includes(endpoint));
          }
        }
      }),
      { numRuns: 200 },
    );
    assert.ok(Math.min(...Object.values(alone)) > 100, `${JSON.stringify(alone)}`);
  });

  test("of endpoints that were told anew while rows left the list say what they say in a session that began so", () => {
    const draws = fc.array(fc.tuple(fc.nat(), fc.constant(false)), { minLength: 20, maxLength: 60 });
    const targets = fc.constantFrom("/items/7", "/items/8?page=1", "/items/9", "/users", "/users/9/x", "/{id}", "*");
    const drawn = fc.array(fc.record({ target: targets, decoded: fc.option(fc.nat(100_000)) }), {
      minLength: 60,
      maxLength: 60,
    });
    const sizes = fc.record({
      cap: fc.integer({ min: 1, max: 20 }),
      cut: fc.nat(30),
      most: fc.integer({ min: 1, max: 3 }),
    });
    const seen = { leftMeanwhile: 0, alone: 0, standing: 0 };
    fc.assert(
      fc.property(
        anyExchanges(60),
        drawn,
        draws,
        sizes,
        fc.boolean(),
        (made, chosen, order, { cap, cut, most }, grouped) => {
          const stories = made.map((one, index) => {
            const { target = "", decoded = null } = chosen[index] ?? {};
            const events = eventsOf(withTarget(one, target));
            return decoded === null || one.endTime === null ? events : [...events, sizeOf(one.id, decoded)];
          });
          const expected = new Session(cap, grouped);
          const turned = new Session(cap, !grouped);
          let regrouping: ReturnType<Session["regrouping"]> | null = null;
          for (const [index, event] of interleaved(stories, order).entries()) {
            // None has left when it begins, so that all are counted anew.
            if (index === cut || turned.table.nextRow === cap) regrouping ??= turned.regrouping(grouped, most);
            if (regrouping?.next().done === false) seen.leftMeanwhile += Number(turned.table.nextRow > cap);
            for (const session of [expected, turned]) session.apply([event]);
            if (turned.grouped === grouped) seen.standing += Number(event.type === "response-started");
          }
          for (const _ of regrouping ?? turned.regrouping(grouped));
          for (let number = 1; number <= expected.tallies.last; number += 1) {
            const endpoint = expected.table.endpoints.textAt(number) as Endpoint;
            assert.equal(saidBy(turned.tally(endpoint)), saidBy(expected.tally(endpoint)));
            assert.is(isToldAnew(turned, endpoint), isToldAnew(expected, endpoint), endpoint);
            seen.alone += Number(isToldAnew(turned, endpoint));
          }
          assert.is(turned.tallies.last, expected.tallies.last);
        },
      ),
      { numRuns: 300 },
    );
    assert.ok(Math.min(...Object.values(seen)) > 100, JSON.stringify(seen));
  });
});

/** Nothing is kept of it but its row. */
function isToldAnew(session: Session, endpoint: Endpoint): boolean {
  const [once, again] = [session.tally(endpoint), session.tally(endpoint)];
  return once !== again;
}

function sizeOf(id: ExchangeId, size: number): CaptureEvent {
  return { type: "body-decoded", id, size };
}

function saidBy(tally: EndpointTally | null): unknown {
  if (tally === null) return null;
  const { payload } = tally;
  const above: number[] = [];
  tally.forEachAbove(50, (latency, id) => above.push(latency, id));
  return {
    ...{ endpoint: tally.endpoint, requests: tally.requests, errors: tally.errors, left: tally.left },
    ...{ connections: tally.connections, encoding: tally.contentEncoding, greatest: tally.greatest },
    ...{ figures: tally.figures(), medians: tally.medians(), means: tally.means(), above: above.sort() },
    listedAbove: tally.countListedAbove(50),
    payload: [
      ...[payload.responses, payload.responseBytes, payload.largest, payload.meanRequest, payload.meanResponse],
      ...[payload.meanDecoded, payload.compressionRatio],
    ],
  };
}
