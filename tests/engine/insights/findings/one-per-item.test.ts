import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { type Asked, Scene, times } from "../../../support/scene.ts";

/** A list, then one request per item; each needs the list. */
function items(count: number, server: number, asked: (index: number) => Partial<Asked>) {
  const scene = new Scene();
  const list = scene.ask({ at: 0, target: "/list", server: 60 });
  for (const index of times(count))
    scene.prove(
      list,
      scene.ask({
        at: 100 + index * (server + 5),
        server,
        target: `/p/${1_000 + index * 7}`,
        path: "/p/{id}",
        ...asked(index),
      }),
    );
  return scene;
}

const counts = fc.integer({ min: 10, max: 40 });
const servers = fc.integer({ min: 60, max: 200 });

describe("one request per item", (test) => {
  test("given items of data, detects them; given a crawler's pages, detects no items", () => {
    fc.assert(
      fc.property(counts, servers, (count, server) => {
        assert.ok(
          items(count, server, () => ({}))
            .kinds()
            .includes("n-plus-one"),
        );
        const pages = items(count, server, () => ({ type: "text/html", request: { accept: "text/html" } }));
        assert.not(pages.kinds().includes("n-plus-one"));
      }),
    );
  });

  test("given a cursor of what the client has read, detects no items", () => {
    fc.assert(
      fc.property(counts, fc.constantFrom("since", "after", "last_id"), (count, name) => {
        const polls = items(count, 80, (index) => ({ target: `/news?${name}=${index * index}` }));
        assert.not(polls.kinds().includes("n-plus-one"));
      }),
    );
  });
});
