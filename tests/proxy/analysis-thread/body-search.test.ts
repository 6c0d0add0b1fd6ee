import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { BodyMatches } from "../../../extensions/proxy/analysis-thread/analysis-messages.ts";
import { BodySearches, bodiesFor } from "../../../extensions/proxy/analysis-thread/body-search.ts";
import type { SearchSource } from "../../../extensions/proxy/analysis-thread/search.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { type Said, withStored } from "../../support/stored.ts";

const CONVERSATION: readonly Said[] = [
  { sketch: { id: 1, target: "/needle" }, requestHeaders: ["X-Id: needle"] },
  { sketch: { id: 2, method: "POST" }, requestBody: "a Needle in it" },
  {
    sketch: { id: 3, contentEncoding: "gzip" },
    responseHeaders: ["Content-Encoding: gzip"],
    responseBody: gzipSync("needles"),
  },
  { sketch: { id: 4 }, responseHeaders: ["Content-Type: image/png"], responseBody: "needle" },
];

function matchesOf(searches: BodySearches, source: SearchSource, known: number): Promise<BodyMatches> {
  return new Promise((resolve) => {
    void searches.start(-1, source, "needle", known, (message) => {
      if (message.done) resolve(message);
    });
  });
}

describe("body search for a filter", (test) => {
  test("given decoded bodies, finds the text in them alone, the newest first, and tells later matches by themselves", () =>
    withStored(CONVERSATION, async (stored) => {
      const searches = new BodySearches();
      const { ids, count, progress } = await matchesOf(searches, stored, 0);
      assert.equal([ids, count, progress], [[3, 2], 2, 1]);
      assert.equal((await matchesOf(searches, stored, count)).ids, []);
      stored.capture(eventsOf(exchange({ id: 5 })));
      assert.equal((await matchesOf(searches, stored, count)).progress, 1);
      // Another thread knows nothing of the earlier matches.
      assert.equal((await matchesOf(new BodySearches(), stored, count)).ids, [3, 2]);
    }));

  test("given a cancelled search, goes on where it ended", () =>
    withStored(CONVERSATION, async (stored) => {
      const searches = new BodySearches();
      const first = matchesOf(searches, stored, 0);
      searches.cancel(-1);
      await first;
      assert.equal((await matchesOf(searches, stored, 0)).count, 2);
    }));

  test("given the filter of an export, finds the exchanges for each of its texts", () =>
    withStored(CONVERSATION, async (stored) => {
      const bodies = await bodiesFor(stored, "body:needles OR -body:in");
      const idsOf = (text: string) => [1, 2, 3, 4].filter((id) => bodies(text).has(id as ExchangeId));
      assert.equal([idsOf("needles"), idsOf("in"), idsOf("none")], [[3], [2], []]);
    }));
});
