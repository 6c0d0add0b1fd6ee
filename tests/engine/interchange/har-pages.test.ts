import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HarEntries } from "../../../src/engine/interchange/har-entries.ts";
import { pageDescribedIn } from "../../../src/engine/interchange/har-pages.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { matchingExchanges } from "../../../src/engine/session/lists/matching-exchanges.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";

const START = Date.UTC(2026, 2, 3);

const entry = (pageref: string) => ({
  startedDateTime: new Date(START).toISOString(),
  time: 10,
  request: { method: "GET", url: "https://a.test/", httpVersion: "HTTP/1.1", headers: [] },
  response: { status: 200, httpVersion: "HTTP/1.1", headers: [], content: { size: 2, mimeType: "text/html" } },
  timings: { send: 0, wait: 8, receive: 2 },
  pageref,
});

describe("pages of a HAR file", (test) => {
  test("given its timings and marks, keeps those that are times, by name", () => {
    const name = fc.oneof(fc.constantFrom("onLoad", "onContentLoad", "comment"), fc.stringMatching(/^_[a-z]{1,12}$/));
    const drawn = fc.dictionary(name, fc.oneof(fc.nat(), fc.constant(-1), fc.string()));
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.string(), drawn, (id, title, pageTimings) => {
        const page = { id, title, startedDateTime: new Date(START).toISOString(), pageTimings };
        const { marks, ...read } = pageDescribedIn(page) ?? { marks: new Map() };
        assert.equal(read, { type: "page-described", page: id, title, at: START });
        const times = Object.entries(pageTimings).filter(
          ([key, time]) => key !== "comment" && typeof time === "number" && time >= 0,
        );
        for (const [name, time] of times.slice(0, 30)) assert.is(marks.get(name), time, name);
        assert.not.ok([...marks.values()].includes(-1));
      }),
    );
  });

  test("given paints beside the timings, keeps them, and no other number", () => {
    const page = { id: "p", _firstPaint: 5, _LargestContentfulPaint: "7", _bytesIn: 9, pageTimings: { onLoad: 3 } };
    const marks = [...(pageDescribedIn(page)?.marks ?? [])];
    assert.equal(marks, [
      ["onLoad", 3],
      ["_firstPaint", 5],
      ["_LargestContentfulPaint", 7],
    ]);
  });

  test("given no id or nonsense, is no page", () => {
    for (const page of [null, 1, "x", [], {}, { id: "" }, { id: 7 }]) assert.is(pageDescribedIn(page), null);
    assert.equal(pageDescribedIn({ id: "p", startedDateTime: "soon" })?.at, null);
  });

  test("given its load event, tells when the page of an exchange was loaded, wherever the file lists its pages", () => {
    fc.assert(
      fc.property(fc.nat(60_000), fc.boolean(), (onLoad, isAfter) => {
        const pages = [{ id: "p", title: "Shop", startedDateTime: START, pageTimings: { onLoad, onContentLoad: -1 } }];
        const entries = [entry("p"), entry("q")];
        const file = new HarEntries();
        const session = new Session();
        const log = isAfter ? { entries, pages } : { pages, entries };
        for (const one of [...file.push(JSON.stringify({ log })), ...file.rest()]) session.apply(one?.events ?? []);
        assert.is(session.loadedAt(1 as ExchangeId), null);
        session.apply(file.pages);
        assert.is(session.loadedAt(1 as ExchangeId), START + onLoad);
        assert.is(session.loadedAt(2 as ExchangeId), null);
        const source = { session, settings: DEFAULT_SETTINGS, insights: null, headsOf: () => null };
        const idsOf = (filter: string) => [...unwrap(matchingExchanges(source, filter))].map(({ id }) => id);
        assert.equal(["page:p", "page:shop", "page:q", "page:cart"].map(idsOf), [[1], [1], [2], []]);
      }),
    );
  });

  test("given more than 10,000 pages, or 32 marks, keeps the first", () => {
    const file = new HarEntries();
    const pages = Array.from({ length: 10_005 }, (_, index) => ({ id: `p${index}`, title: "" }));
    for (const _ of file.push(JSON.stringify({ log: { pages, entries: [] } }))) assert.unreachable();
    assert.equal([file.pages.length, file.pages.at(-1)?.page], [10_000, "p9999"]);
    const pageTimings = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`_m${index}`, index]));
    assert.is(pageDescribedIn({ id: "p", pageTimings })?.marks.size, 32);
  });
});
