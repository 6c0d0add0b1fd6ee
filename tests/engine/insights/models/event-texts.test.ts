import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { dataOfEvents, elementsOfJson, linesOfJson } from "../../../../src/engine/insights/models/event-texts.ts";
import { describe } from "../../../support/describe.ts";

const line = fc.stringMatching(/^[^\r\n]{0,20}$/);
const end = fc.constantFrom("\n", "\r\n", "\r");

describe("texts of events", (test) => {
  test("given events with any line ends, comments and names, gives the data of those that have some", () => {
    const event = fc.record({
      data: fc.array(line, { maxLength: 3 }),
      before: fc.constantFrom("", ": ping", "event: a", "id: 4"),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), end, (events, lineEnd) => {
        const text = events
          .map(({ data, before }) => [before, ...data.map((one) => `data: ${one}`)].filter((one) => one !== ""))
          .map((lines) => `${lines.map((one) => one + lineEnd).join("")}${lineEnd}`)
          .join("");
        const expected = events.filter(({ data }) => data.length > 0).map(({ data }) => data.join("\n"));
        assert.equal(dataOfEvents(text), expected);
      }),
    );
  });

  test("given an event that is cut off, it is none, as for the proxy", () => {
    assert.equal(dataOfEvents("\ufeffdata:a\n\ndata: b\n"), ["a"]);
    assert.equal(dataOfEvents("data\n\n"), [""]);
  });

  test("given lines of JSON, gives those that are not empty, the last one also without an end", () => {
    assert.equal(linesOfJson('{"a":1}\r\n\n{"b":2}\n{"c"'), ['{"a":1}', '{"b":2}', '{"c"']);
  });

  test("given one list, gives its objects as they are written; a last one that is cut off is none", () => {
    assert.equal(elementsOfJson('\ufeff[{"a":"]"}\n,\r\n{"b":[{}]},3,{"c"'), ['{"a":"]"}', '{"b":[{}]}']);
    assert.equal(elementsOfJson('{"a":[{}]}'), []);
  });

  test("given more events than are read, gives the first 100,000", () => {
    assert.is(dataOfEvents("data:a\n\n".repeat(100_001)).length, 100_000);
    assert.is(linesOfJson("1\n".repeat(100_001)).length, 100_000);
    assert.is(elementsOfJson(`[${"{},".repeat(100_001)}`).length, 100_000);
  });
});
