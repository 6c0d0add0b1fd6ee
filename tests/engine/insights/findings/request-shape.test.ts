import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { candidatesIn } from "../../../../src/engine/insights/findings/request-shape.ts";
import { type Request, trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { describe } from "../../../support/describe.ts";
import { Scene } from "../../../support/scene.ts";

function requestsTo(paths: readonly string[]): readonly Request[] {
  const scene = new Scene();
  for (const [index, target] of paths.entries()) scene.ask({ at: index * 50, target });
  return trafficOf(scene.facts, []).requests;
}

const pathsIn = (requests: readonly Request[]) =>
  candidatesIn(requests).map(({ path, members }) => `${path} ${members.length}`);

/** How many characters of paths are read to find the shapes of six requests whose paths have `depth` segments. */
function charactersRead(depth: number): number {
  let read = 0;
  const counting = (request: Request): Request =>
    Object.defineProperty({ ...request }, "path", {
      get: () => {
        read += request.path.length;
        return request.path;
      },
    });
  const paths = Array.from({ length: 6 }, (_, index) => `/i${index}${"/a".repeat(depth)}`);
  candidatesIn(requestsTo(paths).map(counting));
  return read;
}

describe("request shapes", (test) => {
  test("given paths that differ in one segment, finds the shape wherever the segment is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 5, max: 12 }), (index, count) => {
        const segments = ["", ..."abcdefgh"];
        const paths = Array.from({ length: count }, (_, item) => segments.with(index, `n${item}`).join("/"));
        assert.equal(pathsIn(requestsTo(paths)), [`${segments.with(index, "{id}").join("/")} ${count}`]);
      }),
    );
  });

  test("given paths that differ in two segments, finds no shape of fewer than five", () => {
    const paths = Array.from({ length: 8 }, (_, item) => `/shops/${item}/items/${item}`);
    assert.equal(pathsIn(requestsTo(paths)), []);
  });

  test("given paths of twice as many segments, reads at most twice as many characters", () => {
    for (const depth of [10, 100, 1_000, 15_000])
      assert.ok(charactersRead(2 * depth) <= 2.1 * charactersRead(depth), `${depth} segments`);
  });
});
