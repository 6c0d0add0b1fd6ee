import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  isIdSegment,
  isTemplate,
  MOST_SEGMENTS,
  segmentsOf,
  templateOf,
} from "../../../src/engine/insights/path-template.ts";
import { describe } from "../../support/describe.ts";

const IDS = [
  ...["42", "42.json", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "deadbeef1"],
  ...["507f1f77bcf86cd799439011", "cus_9s6XKzkNRiz8i3", "V1StGXR8_Z5jdHi6B-myT", "2026-03-04"],
  ...["P10037", "sku-4411", "item_001"],
  ...["anna@example.test", "anna%40example.test"],
];

const NAMES = [
  ...["users", "v1", "user_settings", "how-to-write-a-letter", "getHTTPResponse", "deadbeef", "summer-sale"],
  ...["index.html", "", "main.js", "en-US", "2nd-edition", "search", "favicon.ico", "v10", "mp3", "win-32"],
];

describe("path templates", (test) => {
  for (const segment of IDS) {
    test(`given "${segment}", sees an id`, () => {
      assert.ok(isIdSegment(segment));
      assert.is(templateOf(`/users/${segment}/x`), "/users/{id}/x");
    });
  }

  for (const segment of NAMES) {
    test(`given "${segment}", sees a name`, () => {
      assert.not.ok(isIdSegment(segment));
      assert.is(templateOf(`/users/${segment}/x`), `/users/${segment}/x`);
    });
  }

  test("given any path, splits it into at most 64 segments and a rest that together are the path", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z\d]{0,3}$/), { minLength: 1, maxLength: 200 }), (parts) => {
        const segments = segmentsOf(parts.join("/"));
        assert.is(segments.join("/"), parts.join("/"));
        assert.equal(segments.slice(0, MOST_SEGMENTS), parts.slice(0, MOST_SEGMENTS));
        assert.is(segments.length, Math.min(parts.length, MOST_SEGMENTS + 1));
      }),
    );
  });

  test("given a path with a placeholder, is a template", () => {
    assert.equal([isTemplate("/users/{id}"), isTemplate("/users/7"), isTemplate("/{id}x")], [true, false, true]);
  });
});
