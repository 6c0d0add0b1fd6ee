import * as assert from "uvu/assert";
import { serverMetricsOf } from "../../../../src/ui/views/inspector/server-timing.ts";
import { describe } from "../../../support/describe.ts";

describe("Server-Timing in the inspector", (test) => {
  test("given metrics, reads those with a duration and ignores text in quotes", () => {
    assert.equal(serverMetricsOf('cache;desc="hit, warm; dur=9", db;dur=53.2;desc="rows", total;DUR="7"'), [
      { name: "db", length: 53.2 },
      { name: "total", length: 7 },
    ]);
    assert.equal(serverMetricsOf(null), []);
  });
});
