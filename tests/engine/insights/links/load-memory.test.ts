import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { LinkableExchange } from "../../../../src/engine/insights/links/linkable-exchange.ts";
import { LoadMemory } from "../../../../src/engine/insights/links/load-memory.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";

interface Given {
  readonly url: string;
  readonly start: number;
  readonly names?: readonly string[];
  readonly files?: readonly string[];
}

function linkable({ url, start, names = [], files = [] }: Given): LinkableExchange {
  const named = names.map((one) => ({ url: one, by: "part" as const }));
  const values = { used: new Map(), given: [], named, files, ownScripts: "none" as const, initiators: [] };
  return { url, start, values, load: { scope: -1, client: 0, isRead: true } } as unknown as LinkableExchange;
}

const at = (time: number) => time as Instant;

describe("URLs named during a page load", (test) => {
  test("given responses that name one URL, gives the latest one; given its Referer among them, that one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(7), (count, chosen) => {
        const memory = new LoadMemory();
        const url = "https://a.test/img/logo.svg";
        for (let index = 0; index < count; index += 1)
          memory.name(linkable({ url: `https://a.test/${index}`, start: index, names: [url] }), at(index));
        const asked = linkable({ url, start: 100 });
        assert.is(memory.causeOf(asked, null)?.linkable.url, `https://a.test/${count - 1}`);
        const referer = `https://a.test/${chosen % count}`;
        assert.is(memory.causeOf(asked, referer)?.linkable.url, referer);
      }),
    );
  });

  test("given a URL of another origin, a path or a file that it names, says which", () => {
    const memory = new LoadMemory();
    memory.name(linkable({ url: "https://a.test/app.js", start: 0, names: ["https://a.test/v1/items"] }), at(10));
    memory.name(linkable({ url: "https://a.test/list", start: 0, files: ["offer-2207.jpg"] }), at(20));
    const sourceOf = (url: string) => memory.causeOf(linkable({ url, start: 100 }), null)?.source ?? null;
    assert.is(sourceOf("https://a.test/v1/items"), "url");
    assert.is(sourceOf("https://data.test/v1/items"), "path");
    assert.is(sourceOf("https://cdn.test/wide/offer-2207.jpg"), "file");
    assert.is(sourceOf("https://cdn.test/wide/other.jpg"), null);
  });

  test("given a URL that was requested, needs a response that named it since", () => {
    const memory = new LoadMemory();
    const url = "https://a.test/img/logo.svg";
    memory.name(linkable({ url: "https://a.test/", start: 0, names: [url] }), at(10));
    memory.requested(linkable({ url, start: 20 }));
    assert.is(memory.causeOf(linkable({ url, start: 30 }), null), null);
    memory.name(linkable({ url: "https://a.test/sw.js", start: 22, names: [url] }), at(25));
    assert.is(memory.causeOf(linkable({ url, start: 30 }), null)?.linkable.url, "https://a.test/sw.js");
  });

  test("given modules that import others, a request of the first waited for the one that ended last before it", () => {
    const drawn = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 99 }), (ends, start) => {
        const memory = new LoadMemory();
        const urls = ends.map((_, index) => `https://a.test/${index}.js`);
        // Each module imports the next one.
        const modules = ends.map((end, index) => {
          const made = linkable({ url: urls[index] ?? "", start: 0, names: urls.slice(index + 1, index + 2) });
          const named = made.values.named.map(({ url }) => ({ url, by: "import" as const }));
          return { ...made, end: at(end), values: { ...made.values, named } };
        });
        for (const module of modules) memory.imports(module);
        const [first] = modules;
        if (first === undefined) return;
        const last = Math.max(0, ...ends.slice(1).filter((end) => end > (ends[0] ?? 0) && end <= start));
        const found = memory.lastImportOf(first, linkable({ url: "https://a.test/data", start }));
        assert.is(found?.end ?? 0, last);
        for (const url of urls.slice(1)) assert.is(memory.lastImportOf(first, linkable({ url, start })), null);
      }),
    );
  });

  test("given twice as many names, remembers at most 20,000", () => {
    const memory = new LoadMemory();
    const names = Array.from({ length: 15_000 }, (_, index) => `https://a.test/img/${index}.jpg`);
    memory.name(linkable({ url: "https://a.test/", start: 0, names }), at(10));
    assert.is(memory.causeOf(linkable({ url: names[0] ?? "", start: 30 }), null), null);
    assert.is(memory.causeOf(linkable({ url: names.at(-1) ?? "", start: 30 }), null)?.source, "url");
  });
});
