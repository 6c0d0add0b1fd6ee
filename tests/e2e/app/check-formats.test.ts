import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Judged, Verdict } from "../../../src/engine/budget/verdict.ts";
import { verdictText } from "../../../src/engine/budget/verdict-texts.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { TOOLS_FOLDER } from "../../support/tool.ts";

const SCHEMA = join(TOOLS_FOLDER, "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const isThere = existsSync(SCHEMA) && existsSync(join(TOOLS_FOLDER, "marked"));
const skip = isThere ? null : "marked, ajv and the SARIF schema are not installed in tests/e2e/tools";
const load = createRequire(join(TOOLS_FOLDER, "any.js"));

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    "<script>x</script>",
    "a | b",
    "`c`",
    "[d](https://e.test)",
    "![f](g)",
    "# h",
    "*i*",
    "~~j~~",
    "<!-- k",
  ),
);

const verdict: fc.Arbitrary<Verdict> = fc.record({
  outcome: fc.constantFrom("kept", "broken", "too-few", "accepted", "known"),
  subject: fc.constantFrom("n-plus-one", "errors"),
  what: fc.constant("finding"),
  place: fc.constantFrom(null, ["findings", "no"]),
  limit: fc.constant(null),
  measured: fc.constant(null),
  time: fc.option(fc.nat(9_999)),
  n: fc.nat(9),
  detail: hostile,
  evidence: fc.array(fc.record({ name: hostile, value: hostile }), { maxLength: 2 }),
  fingerprint: fc.option(fc.constant("0123456789abcdef")),
  change: fc.constantFrom(null, "new", "worse", "known"),
  acceptance: fc.option(
    fc.record({
      reason: hostile,
      until: fc.option(fc.constant("2026-12-31")),
      expired: fc.boolean(),
      grew: fc.option(fc.constant({ from: "1 ms in 9 requests", to: "2 ms in 9 requests" })),
    }),
  ),
});

const judged: fc.Arbitrary<Judged> = fc.record({
  source: hostile,
  verdicts: fc.array(verdict, { maxLength: 5 }),
  unjudged: fc.constant(0),
  gone: fc.array(fc.record({ kind: fc.constant("errors"), summary: hostile, fingerprint: fc.constant("f") }), {
    maxLength: 2,
  }),
  changed: fc.array(fc.record({ endpoint: hostile, verdict: fc.constantFrom("slower", "faster"), detail: hostile }), {
    maxLength: 2,
  }),
});

const CONTEXT = {
  version: "1.2.3",
  baseline: "main.har",
  notes: [],
  budget: { file: "weir.budget.json", text: '{ "findings": { "no": ["errors"] } }' },
  accepted: null,
};

describe("weir check formats, read by their own tools", (test) => {
  test(
    "given any verdicts, the SARIF is valid by the schema of SARIF 2.1.0",
    () => {
      const { default: Ajv } = load("ajv");
      const { default: addFormats } = load("ajv-formats");
      // The schema is of draft 04, whose keywords in it mean the same in draft 07, but for the name of its id.
      const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(SCHEMA, "utf8"));
      const ajv = new Ajv({ strict: false, validateSchema: false, unicodeRegExp: false });
      addFormats(ajv);
      const isValid = ajv.compile(schema);
      fc.assert(
        fc.property(fc.array(judged, { maxLength: 2 }), (all) => {
          const log = JSON.parse(verdictText(all, "sarif", CONTEXT));
          assert.ok(isValid(log), JSON.stringify(isValid.errors));
        }),
      );
      assert.not(isValid({ version: "2.1.0" }), "the schema is applied");
    },
    { skip },
  );

  test(
    "given hostile text, the Markdown renders as headings, one table and lists, without markup of the text's own",
    () => {
      const { marked } = load("marked");
      fc.assert(
        fc.property(judged, (one) => {
          const html: string = marked.parse(verdictText([one], "md", CONTEXT), { gfm: true });
          const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, tag]) => tag));
          const allowed = ["h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "strong", "a"];
          assert.equal(
            [...tags].filter((tag) => !allowed.includes(String(tag))),
            [],
            html,
          );
          const rows = one.verdicts.filter(({ outcome }) => outcome !== "kept").length + one.gone.length;
          assert.is(html.match(/<tr>/g)?.length ?? 0, rows === 0 ? 0 : rows + 1);
          assert.is(html.match(/<td>/g)?.length ?? 0, 2 * rows);
        }),
      );
    },
    { skip },
  );
});
