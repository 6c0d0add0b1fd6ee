import * as assert from "uvu/assert";
import { categoryColumns, namesIn } from "../../../../../src/engine/insights/findings/slow-when/columns.ts";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";

describe("compared attributes", (test) => {
  test("given requests, names each part of them once, identifiers and secrets left out", () => {
    const scene = new Scene();
    for (const index of times(20))
      scene.ask({
        at: index * 100,
        method: "POST",
        target: `/t/${index}/a?sort=up`,
        path: "/t/{id}/a",
        sent: JSON.stringify({ filter: { status: "open" } }),
        request: { cookie: "sid=1; theme=dark", "accept-language": "de", "x-request-id": `${index}`, date: "now" },
        response: { "x-cache": "HIT", etag: `${index}` },
      });
    const { requests } = scene.traffic();
    assert.equal(
      categoryColumns(requests, namesIn(requests)).map(({ name }) => name),
      [
        ...["query:sort", "body:filter.status", "path:2", "request-header:accept-language", "response-header:x-cache"],
        ...["cookie:sid", "cookie:theme", "request-header:cookie"],
        ...["server-address", "connection", "client", "protocol", "request-header:user-agent"],
      ],
    );
  });

  test("given a field that all responses share, leaves it out, unless some have another one of its name", () => {
    const scene = new Scene();
    for (const index of times(20)) scene.ask({ at: index * 100 });
    const shared = { name: "x-cache", value: "HIT" };
    const namesWith = (others: (index: number) => readonly { readonly name: string; readonly value: string }[]) => {
      const requests = scene.traffic().requests.map((request, index) => ({
        ...request,
        facts: { ...request.facts, responseFields: [shared, ...others(index)] },
      }));
      return categoryColumns(requests, namesIn(requests)).map(({ name }) => name);
    };
    assert.not.ok(namesWith(() => []).includes("response-header:x-cache"));
    assert.ok(
      namesWith((index) => (index < 5 ? [{ name: "x-cache", value: "MISS" }] : [])).includes("response-header:x-cache"),
    );
  });
});
