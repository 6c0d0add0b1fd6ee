import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { groupedEndpoint } from "../../../src/engine/insights/path-template.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { type Exchange, UNCOUNTED_TAGS } from "../../../src/engine/model/exchange.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { standingOf } from "../../../src/engine/session/standing.ts";
import { MINIMUM_REQUESTS } from "../../../src/engine/stats/endpoint-tally.ts";
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
});
