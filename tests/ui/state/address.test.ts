import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { addressOf, locationAt, locationOf, type ViewLocation } from "../../../src/ui/state/address.ts";
import { INSPECTOR_TABS, PERFORMANCE_TABS, Selection, VIEW_NAMES } from "../../../src/ui/state/selection.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

/** Text as users and servers write it: any characters, but no halves of surrogate pairs. */
const text = (maxLength: number) => fc.string({ unit: anyCharacter, minLength: 1, maxLength });
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const sort = orNull(fc.stringMatching(/^-?[A-Za-z0-9]{1,20}$/));
const exchange = fc.nat({ max: 10 ** 9 }).map((id) => id as ExchangeId);
const endpoint = fc
  .tuple(fc.constantFrom("GET", "POST", "X"), text(40))
  .map(([method, path]) => `${method} https://shop.test/${path}` as Endpoint);
const between = fc
  .tuple(fc.double({ min: 1, max: 2e12, noNaN: true }), fc.double({ min: 0.001, max: 1e9, noNaN: true }))
  .map(([from, length]) => Object.freeze({ from: from as Instant, to: (from + length) as Instant }));

const inspected = fc.oneof(
  fc.constant({ exchange: null }),
  fc.record({ exchange, inspectorTab: fc.constantFrom(...INSPECTOR_TABS) }),
);
const common = fc.record({
  session: orNull(text(50)),
  filter: fc.string({ unit: anyCharacter, maxLength: 200 }),
  opened: orNull(text(60)),
});
const performance = fc
  .record({
    performanceTab: fc.constantFrom(...PERFORMANCE_TABS),
    tableSort: sort,
    endpoint: orNull(endpoint),
    finding: orNull(text(60)),
  })
  .map(({ finding, ...location }) => (location.performanceTab === "findings" ? { ...location, finding } : location));
const ofView = fc.oneof(
  fc.tuple(fc.constant({ view: "traffic" }), inspected, fc.record({ trafficSort: sort })),
  fc.tuple(fc.constant({ view: "timeline" }), inspected, fc.record({ between: orNull(between) })),
  fc.tuple(fc.constant({ view: "performance" }), inspected, performance),
  fc.tuple(fc.constantFrom({ view: "sessions" }, { view: "settings" }), fc.constant({ exchange: null })),
);
/** Every place that a window can show. */
const locations = fc
  .tuple(common, ofView)
  .map(([one, parts]) => Object.assign({}, one, ...parts) as ViewLocation)
  .filter(({ between: range }) => range == null || range.from < range.to);

describe("address of a place in the window", (test) => {
  test("given any place, gives it back", () => {
    fc.assert(fc.property(locations, (location) => assert.equal(locationAt(addressOf(location)), location)));
  });

  test("given any place, has only characters that a fragment may have", () => {
    fc.assert(fc.property(locations, (location) => assert.match(addressOf(location), /^#[\w\-./?:@!$&'()*+,;=~%]*$/)));
  });

  test("given any text, is read as a place that the window can show", () => {
    const words = fc.constantFrom(
      ..."/ # ? & = % %zz %00 id= id=-1 id=1e9 at=1,0 at=NaN, f= panel=x open= endpoint=x sort=-- sort=".split(" "),
      ...VIEW_NAMES,
      ...PERFORMANCE_TABS,
      "__proto__=1",
      "f=\ud800",
    );
    const garbage = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(garbage, (fragment) => {
        const location = locationAt(fragment);
        assert.ok(VIEW_NAMES.includes(location.view));
        assert.ok(location.exchange === null || Number.isSafeInteger(location.exchange));
        assert.ok(location.between == null || location.between.from < location.between.to);
        // The address of what was read is read as the same.
        const again = addressOf(location);
        assert.is(addressOf(locationAt(again)), again);
      }),
    );
  });

  test("given half of a surrogate pair, which no URL can hold, has a replacement for it", () => {
    const location = { ...locationAt("#/traffic"), filter: "a\ud83d" };
    assert.is(locationAt(addressOf(location)).filter, "a\ufffd");
  });

  test("given texts that are too long for the engine, leaves them out", () => {
    const long = "x".repeat(80_000);
    const location = locationAt(`#/performance/findings?session=${long}&f=${long}&finding=${long}&open=${long}`);
    assert.equal([location.session, location.filter, location.finding, location.opened], [null, "", null, null]);
  });

  test("given an exchange, names its session, since another session's exchanges have the same numbers", () => {
    const selection = new Selection();
    selection.set({ session: "s1", filter: "host:a" });
    assert.is(addressOf(locationOf(selection.now, null)), "#/traffic?f=host:a");
    selection.set({ exchange: 7 as ExchangeId, inspectorTab: "timing" });
    assert.is(addressOf(locationOf(selection.now, null)), "#/traffic?session=s1&f=host:a&id=7&panel=timing");
    selection.set({ exchange: null });
    assert.is(addressOf(locationOf(selection.now, "old")), "#/traffic?session=old&f=host:a");
  });
});
