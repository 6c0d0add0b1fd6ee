import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";

/** Fetched about every half minute, irregularly. */
const fetched = (asked: (index: number) => Partial<Asked>) => {
  const scene = new Scene();
  for (const index of times(12))
    scene.ask({ at: index * 25_000 + (index % 4) * 14_000, target: "/config", body: "config", ...asked(index) });
  return scene;
};

describe("unchanged-refetches", (test) => {
  const verdicts: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{}, /The response's headers did not let/],
    [{ "cache-control": "max-age=86400" }, /which was still fresh/],
    [{ etag: '"1"' }, /client sent no validator/],
    [{ "cache-control": "no-cache", "last-modified": "Wed, 25 Nov 2026 10:00:00 GMT" }, /client sent no validator/],
    [{ "cache-control": "no-store" }, /forbids caching the response/],
    [{ date: "Wed, 25 Nov 2026 10:00:00 GMT", expires: "Wed, 25 Nov 2026 12:00:00 GMT" }, /which was still fresh/],
  ];
  for (const [response, why] of verdicts)
    test(`given ${JSON.stringify(response)}, it says what a cache could have done`, () => {
      const finding = fetched(() => ({ response })).only();
      assert.is(finding.kind, "unchanged-refetches");
      assert.is(finding.count, 11);
      assert.is(finding.time, 11 * 41);
      assert.match(finding.summary, why);
    });

  test("given answers that change, validators, or an unknown body, nothing is said", () => {
    for (const asked of [
      (index: number) => ({ body: `config ${index}` }),
      (index: number) => (index === 0 ? {} : { status: 304, body: "", request: { "if-none-match": '"1"' } }),
      () => ({ body: null }),
      (index: number) => ({ client: `10.0.0.${index} app` }),
    ])
      assert.equal(fetched(asked).kinds(), []);
  });
});
