import * as assert from "uvu/assert";
import type { Endpoint } from "../../../../src/engine/model/endpoint.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { endpointSubject, valueSubject } from "../../../../src/ui/views/context-menu.ts";
import type { MenuSubject } from "../../../../src/ui/views/dependencies.ts";
import { anyTermOf, copyItemsOf, menuItemsOf, termOf } from "../../../../src/ui/views/shell/menu-items.ts";
import { describe } from "../../../support/describe.ts";

const ENDPOINT = endpointSubject("GET https://a.test:81/x" as Endpoint);
const EXCHANGE: MenuSubject = {
  ...ENDPOINT,
  exchange: 7 as ExchangeId,
  endpoint: null,
  address: "https://a.test:81/x",
  setMark: () => {},
};

function namesOf(
  subject: MenuSubject,
  view: "traffic" | "timeline" | "performance" = "traffic",
  hidden: string[] = [],
) {
  return menuItemsOf(subject, { view, hiddenHosts: hidden }).map(({ name, what }) => `${name} ${what}`.trim());
}

describe("context menu items", (test) => {
  test("given an exchange, it can be filtered by, shown, copied, sent again, and its host hidden", () => {
    assert.equal(namesOf(EXCHANGE), [
      "Filter by under:a.test:81",
      "Leave out under:a.test:81",
      "Show in Timeline",
      "Show the endpoint",
      "Comment",
      "Copy",
      "Save the response body",
      "Export…",
      "Send again",
      "Repeat…",
      "Edit and send…",
      "Compare…",
      "Delete",
      "Hide a.test:81",
      "Pass through a.test:81",
    ]);
    assert.ok(namesOf(EXCHANGE, "timeline").includes("Show in Traffic"));
    assert.ok(!namesOf(EXCHANGE, "timeline").includes("Show in Timeline"));
  });

  test("given a cell of an exchange, the filter is about its value", () => {
    const cell = { ...EXCHANGE, value: { term: "status:404", text: null, line: null } };
    assert.equal(namesOf(cell).slice(0, 2), ["Filter by status:404", "Leave out status:404"]);
  });

  test("given an endpoint, nothing is offered that needs an exchange", () => {
    assert.equal(namesOf(ENDPOINT, "performance"), [
      "Filter by this endpoint",
      "Leave out this endpoint",
      "Show in Traffic",
      "Show in Timeline",
      "Show the endpoint",
      "Copy",
      "Hide a.test:81",
      "Pass through a.test:81",
    ]);
    assert.is(termOf(ENDPOINT), 'endpoint:"GET https://a.test:81/x"');
    assert.equal(
      copyItemsOf(ENDPOINT).map(({ name }) => name),
      ["Endpoint"],
    );
  });

  test("given a header, it can be filtered by with this value or any, and copied", () => {
    const header = valueSubject({ term: "req.accept:json", text: "json", line: "Accept: json" });
    assert.equal(namesOf(header), [
      "Filter by req.accept:json",
      "Leave out req.accept:json",
      "Filter by req.accept:",
      "Copy the value",
      "Copy name and value",
    ]);
    const unsayable = valueSubject({ term: null, text: 'a"b', line: 'x: a"b' });
    assert.equal(namesOf(unsayable), ["Copy the value", "Copy name and value"]);
    assert.is(anyTermOf("req.accept:"), "");
    assert.is(anyTermOf("status:404"), "");
  });

  test("given a host on the list of hidden hosts in any letter case, it can be taken from the list", () => {
    assert.ok(namesOf(EXCHANGE, "traffic", ["A.test:81"]).includes("No longer hide a.test:81"));
    assert.ok(!namesOf(EXCHANGE, "traffic", ["A.test:81"]).includes("Hide a.test:81"));
  });
});
