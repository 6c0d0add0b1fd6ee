import * as assert from "uvu/assert";
import type { Grouping } from "../../../../src/engine/messages/grouping-messages.ts";
import {
  groupedText,
  groupingActionOf,
  groupingTextsOf,
  pooledTextOf,
} from "../../../../src/ui/views/performance/grouping-rows.ts";
import { describe } from "../../../support/describe.ts";

const grouping: Grouping = {
  on: true,
  templates: [
    {
      template: "GET https://api.shop.test/products/{id}",
      pattern: "api.shop.test/products/*",
      paths: 40,
      requests: 90,
      examples: ["/products/17", "/products/18"],
    },
  ],
  templateCount: 9,
  forgotten: 0,
};

describe("grouping rows of similar paths", (test) => {
  test("given templates, says how many there are, or that paths are shown apart", () => {
    assert.equal(
      [groupedText(40), groupedText(1), groupedText(0), groupedText(null)],
      ["Grouped: 40 templates", "Grouped: 1 template", "No similar paths", "Paths not grouped"],
    );
    assert.equal([40, 1, 0, null].map(groupingActionOf), ["Ungroup", "Ungroup", "", "Group"]);
  });

  test("given a template, shows what it folds and the rule that splits it", () => {
    const { rows, note } = groupingTextsOf(grouping);
    assert.equal(
      rows.map(({ method, changes, template, paths, examples, splitRule }) => [
        method,
        changes,
        template,
        paths,
        examples,
        splitRule,
      ]),
      [
        [
          ...[
            "GET",
            false,
            "https://api.shop.test/products/{id}",
            "40 paths",
            "for example /products/17, /products/18",
          ],
          "!api.shop.test/products/*",
        ],
      ],
    );
    assert.is(note, "8 more templates, with fewer paths each.");
  });

  test("given too many endpoints or operations, says what is not told apart", () => {
    assert.is(pooledTextOf({ unlisted: 0, poolsOperations: false }), "");
    assert.match(
      pooledTextOf({ unlisted: 3, poolsOperations: true }),
      /100,000 endpoints.* 3 requests.*200 operations/,
    );
  });
});
