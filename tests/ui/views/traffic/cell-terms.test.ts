import * as assert from "uvu/assert";
import type { TrafficRecord } from "../../../../src/engine/messages/traffic-messages.ts";
import { filterOf } from "../../../../src/engine/session/filter/filter.ts";
import { cellTermOf } from "../../../../src/ui/views/traffic/cell-terms.ts";
import { choicesOf } from "../../../../src/ui/views/traffic/columns.ts";
import { describe } from "../../../support/describe.ts";

const RECORD = {
  method: "GET",
  origin: "https://a.test:81",
  target: "/x/1?page=2",
  status: 404,
  errorType: null,
  contentType: "application/json; charset=utf-8",
  encodedBodySize: 1_204,
  latency: 371.6,
  inFlight: false,
  protocol: "h2",
  client: "127.0.0.1 curl/8",
  program: "curl",
  comment: "",
  tags: [],
} as unknown as TrafficRecord;

describe("filter terms of Traffic cells", (test) => {
  test("given a cell, its term is about what the cell shows", () => {
    const columns = ["method", "status", "path", "type", "protocol", "client", "size", "latency"] as const;
    const terms = columns.map((column) => cellTermOf(column, RECORD));
    assert.equal(terms, [
      "method:GET",
      "status:404",
      "path:/x/1",
      "type:application/json",
      "protocol:h2",
      "client:curl",
      "size>=1204",
      "latency>=371",
    ]);
  });

  test("given any column, its term is of the filter language, or there is none", () => {
    for (const name of choicesOf(null).keys()) {
      const term = cellTermOf(name, RECORD);
      if (term !== null) assert.ok(filterOf(term).ok, term);
    }
  });

  test("given a failure, a tunnel or a stream, no term claims a value that is absent", () => {
    assert.is(
      cellTermOf("status", { ...RECORD, status: null, errorType: "reset" } as unknown as TrafficRecord),
      "error:",
    );
    assert.is(cellTermOf("path", { ...RECORD, target: "a.test:443" }), null);
    assert.is(cellTermOf("latency", { ...RECORD, latency: null }), null);
    assert.is(cellTermOf("comment", RECORD), null);
  });
});
