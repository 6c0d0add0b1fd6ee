import * as assert from "uvu/assert";
import type { Grouping } from "../../../../src/engine/messages/grouping-messages.ts";
import { groupingTextsOf, offerText } from "../../../../src/ui/views/performance/grouping-rows.ts";
import { describe } from "../../../support/describe.ts";

describe("grouping similar paths", (test) => {
  const grouping: Grouping = {
    on: false,
    offer: { paths: 312, templates: 9 },
    templates: [
      {
        template: "GET https://api.shop.test/products/{id}",
        paths: 40,
        requests: 90,
        examples: ["GET https://api.shop.test/products/17", "https://api.shop.test/products/18"],
      },
    ],
    templateCount: 9,
    forgotten: 0,
  };

  test("the offer counts paths and templates", () => {
    assert.is(offerText(grouping), "312 paths look like 9 templates");
    assert.is(offerText({ ...grouping, offer: null }), "");
  });

  test("the preview shows what each template would fold, before anything is done", () => {
    const { rows, lead, note } = groupingTextsOf(grouping);
    assert.equal(
      rows.map(({ method, changes, template, paths, examples }) => [method, changes, template, paths, examples]),
      [["GET", false, "https://api.shop.test/products/{id}", "40 paths", "for example /products/17, /products/18"]],
    );
    assert.match(lead, "become {id}");
    assert.is(note, "8 more templates, with fewer paths each.");
    assert.match(groupingTextsOf({ ...grouping, on: true }).lead, "Ungroup");
    assert.match(groupingTextsOf({ ...grouping, templates: [], templateCount: 0 }).lead, "nothing to group");
  });
});
