import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HarEntries } from "../../../src/engine/interchange/har-entries.ts";
import { HarRuns } from "../../../src/engine/interchange/har-pages.ts";
import { anyUrl } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { workOf } from "../../support/work-done.ts";

/** The run of an entry of a page with this title or these fields. */
function runOfPage(page: object): string | null {
  const runs = new HarRuns();
  runs.addPage({ id: "page_1", ...page });
  runs.addPage({ id: "page_2", _run: 1_000_000 });
  return runs.runOf({ pageref: "page_1" });
}

describe("runs of a HAR file", (test) => {
  test("given titles of WebPageTest, Browsertime and sitespeed.io, names the run", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), anyUrl, (run, url) => {
        for (const title of [`Run ${run}`, `Run ${run}, First View for ${url}`, `${url} run ${run}`])
          assert.is(runOfPage({ title }), `run-${run}`, title);
        assert.is(runOfPage({ title: `Run ${run}, Repeat View for ${url}` }), `run-${run}-cached`);
      }),
    );
  });

  test("given other titles and values, names no run", () => {
    const titles = ["", "Run 5 km a day", "Runs", "Overrun 2", "Rerun 3", "The run 2 of 3", "https://a.example/?run=2"];
    for (const title of [...titles, 1, null, undefined]) assert.is(runOfPage({ title }), null, String(title));
    for (const _run of [-1, 1.5, "a", null, {}]) assert.is(runOfPage({ _run }), null, String(_run));
  });

  test("given _run and _cached of an entry or its page, names the run before any title", () => {
    assert.is(runOfPage({ _run: 2, _cached: 1, title: "Run 7" }), "run-2-cached");
    assert.is(runOfPage({ _run: "3", _cached: 0 }), "run-3");
    assert.is(new HarRuns().runOf({ _run: 4, _cached: 1 }), "run-4-cached");
    assert.is(new HarRuns().runOf({ pageref: "page_1" }), null);
  });

  test("given more characters before its pages than are held, reads the file without further runs", () => {
    const entry = (pageref: string) => ({
      startedDateTime: "2026-03-03T00:00:00Z",
      request: { method: "GET", url: "https://a.test/", headers: [] },
      response: { status: 200, headers: [], content: {} },
      timings: { connect: 5, send: 0, wait: 1, receive: 1 },
      pageref,
    });
    const spaces = " ".repeat(1024);
    const file = new HarEntries(() => null, 64 * spaces.length);
    const ids: number[] = [];
    const read = (found: Iterable<{ readonly id: number } | null>) => {
      for (const one of found) if (one !== null) ids.push(one.id);
    };
    read(file.push(`{"log":{"entries":[${JSON.stringify(entry("p"))}`));
    for (let pieces = 0; pieces < 64; pieces += 1) read(file.push(spaces));
    assert.equal(ids, [1]);
    read([...file.push("]}}"), ...file.rest()]);
    assert.equal([ids, file.finish()], [[1], null]);
  });

  test("given twice as many loads of one page, one after another, does at most 2.2 times the work", () => {
    const loads = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        pageref: `page_${index}`,
        startedDateTime: new Date(1_700_000_000_000 + 1_000 * index).toISOString(),
        request: { method: "GET", url: "https://a.test/" },
        timings: { connect: 5 },
      }));
    const workFor = (count: number) => {
      const entries = loads(count);
      const runs = new HarRuns();
      const work = workOf(() => void [...runs.decide(entries)], "/engine/interchange/");
      assert.is(runs.runOf(entries.at(-1)), `run-${count}`);
      return work;
    };
    workFor(10);
    const [less, more] = [workFor(500), workFor(1_000)];
    assert.ok(more <= 2.2 * less, `${less}, then ${more}`);
  });
});
