import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { http3OriginsOf, offersHttp3 } from "../../../src/engine/insights/http3-origins.ts";
import { describe } from "../../support/describe.ts";
import { Scene } from "../../support/scene.ts";

describe("origins that offer HTTP/3", (test) => {
  test("given Alt-Svc with h3 in any place and case, it offers HTTP/3; within a value in quotes, it does not", () => {
    const other = fc.constantFrom('h2=":443"', 'h2="h3=a"', 'xh3=":1"', 'quic=":443"; ma=1');
    const offer = fc.constantFrom('h3=":443"; ma=86400', 'H3-29 = "a.test:443"');
    fc.assert(
      fc.property(fc.array(other), fc.option(offer, { nil: null }), fc.array(other), (before, h3, after) => {
        assert.is(offersHttp3([...before, ...(h3 === null ? [] : [h3]), ...after].join(", ")), h3 !== null);
      }),
    );
    assert.is(offersHttp3("clear"), false);
  });

  test("given responses of several origins, tells those that offer it, with the version used last", () => {
    const scene = new Scene();
    const response = { "alt-svc": 'h3=":443"' };
    scene.ask({ at: 0, origin: "https://a.test", response });
    scene.ask({ at: 1, origin: "https://b.test" });
    scene.ask({ at: 2, origin: "https://c.test", response, tags: ["imported"] });
    scene.ask({ at: 3, origin: "https://d.test", response, protocol: "h2", stream: 5 });
    assert.equal(
      http3OriginsOf(scene.facts).map(({ origin, used }) => [origin, used]),
      [
        ["https://a.test", "HTTP/1.1"],
        ["https://d.test", "HTTP/2"],
      ],
    );
  });
});
