import * as assert from "uvu/assert";
import { isUpperBound } from "../../../../../src/engine/model/finding.ts";
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

  const CHROME =
    "10.0.0.1 Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
  const clients: readonly (readonly [string, "certain" | "likely"])[] = [
    [CHROME, "certain"],
    ["10.0.0.1 Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "certain"],
    ["127.0.0.1 curl/8.5.0", "likely"],
    ["127.0.0.1 node", "likely"],
    ["127.0.0.1 python-requests/2.32.4", "likely"],
    ["127.0.0.1", "likely"],
    ["unknown", "likely"],
  ];
  for (const [client, confidence] of clients)
    test(`given the client "${client}", it is ${confidence}, and says that a cache is needed if the client may have none`, () => {
      const finding = fetched(() => ({ client })).only();
      assert.is(finding.confidence, confidence);
      assert.is(/may keep no responses/.test(finding.summary), confidence === "likely");
      assert.is(/if the client kept responses/.test(finding.basis), confidence === "likely");
      assert.ok(isUpperBound(finding));
    });

  test("given a browser and another client at one endpoint, it is not certain", () => {
    assert.is(fetched((index) => ({ client: index % 2 === 0 ? CHROME : "10.0.0.2 app" })).only().confidence, "likely");
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
