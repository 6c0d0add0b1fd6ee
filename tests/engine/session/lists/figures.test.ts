import * as assert from "uvu/assert";
import { hostAliasesOf, NO_ALIASES } from "../../../../src/engine/model/host-alias.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { figuresNamedAs, figuresOf } from "../../../../src/engine/session/lists/figures.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { recorded } from "../../../support/recorded.ts";
import { times } from "../../../support/scene.ts";

/** Figures with a number of requests to each origin. */
const figures = (origins: Readonly<Record<string, number>>) =>
  figuresOf(
    recorded(
      Object.entries(origins).flatMap(([origin, count], position) =>
        times(count).map((index) => exchange({ id: position * 100 + index + 1, origin, target: "/a", end: 10 })),
      ),
    ),
  );

const named = (endpoints: ReturnType<typeof figures>["endpoints"]) =>
  endpoints.map(({ endpoint, requests }) => `${endpoint} ${requests}`).toSorted();

describe("endpoint figures by host alias", (test) => {
  test("given a host's other name or scheme, takes the name of the other side; else keeps its own", () => {
    const now = figures({ "http://127.0.0.1:4000": 5 });
    const before = figures({ "https://api.test": 9, "https://cdn.test": 8 });
    const aliases = unwrap(hostAliasesOf(["127.0.0.1=api.test"]));
    const renamed = figuresNamedAs(now, before, aliases);
    assert.equal(named(renamed.endpoints), ["GET http://127.0.0.1:4000/a 9", "GET https://cdn.test/a 8"]);
    assert.equal(figuresNamedAs(now, before, NO_ALIASES).endpoints, before.endpoints);
  });

  test("given several endpoints for one name, the one with the name keeps it, else the busiest gets it", () => {
    const aliases = unwrap(hostAliasesOf(["a.test=c.test", "b.test=c.test"]));
    const now = figures({ "https://a.test": 5 });
    assert.equal(
      named(figuresNamedAs(now, figures({ "https://b.test": 9, "https://c.test": 12 }), aliases).endpoints),
      ["GET https://a.test/a 12", "GET https://b.test/a 9"],
    );
    assert.equal(named(figuresNamedAs(now, figures({ "https://b.test": 9, "https://a.test": 6 }), aliases).endpoints), [
      "GET https://a.test/a 6",
      "GET https://b.test/a 9",
    ]);
  });
});
