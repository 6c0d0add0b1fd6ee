import fc from "fast-check";
import * as assert from "uvu/assert";
import { readSource } from "../scripts/page-text.ts";
import { type PAGES, typedPage } from "../scripts/template-types.ts";
import { buildTypes, templateProblems } from "../scripts/templates.ts";
import { describe } from "./support/describe.ts";

/** Kinds of attributes, each with the attributes that count as this kind. */
const KINDS = {
  "x-data": /^x-data=/,
  "x-for": /^x-for=/,
  "x-if": /^x-if=/,
  "x-text": /^x-text=/,
  "x-show": /^x-show=/,
  "x-model": /^x-model=/,
  "x-effect": /^x-effect=/,
  "x-cells and x-rows": /^x-(?:cells|rows)=/,
  "a bound attribute": /^:/,
  "an event": /^@/,
  "data-text and its like": /^data-(?:text|title|class|background)=/,
  "data-attributes": /^data-attributes=/,
};

interface Written {
  readonly file: string;
  readonly line: number;
  readonly attribute: string;
}

// A fresh clone has no types yet.
buildTypes();

describe("the check of templates", (test) => {
  test("given the present templates, finds no fault", () => assert.equal(templateProblems(), []));

  for (const [kind, pattern] of Object.entries(KINDS))
    test(`given a misspelt name in ${kind}, names the file and the line`, () => {
      const all = attributes().filter(({ attribute }) => pattern.test(attribute));
      const [found = { file: "", line: 0, attribute: "" }] = fc.sample(fc.constantFrom(...all), 1);
      const wrong = misspelt(found.attribute);
      const problems = templateProblems((file) => {
        const lines = readSource(file).split("\n");
        if (file !== found.file) return lines.join("\n");
        return lines
          .map((line, at) => (at + 1 === found.line ? line.replace(found.attribute, () => wrong) : line))
          .join("\n");
      });
      const named = problems.filter((problem) =>
        problem.startsWith(`src/ui/${found.file}:${found.line}: ${wrong.slice(0, wrong.indexOf("="))}=`),
      );
      assert.ok(named.length > 0, `${found.file}:${found.line}: ${wrong} gave ${problems.join("\n")}`);
    });
});

/** All attributes that the check reads. */
function attributes(): Written[] {
  return (["index", "hub"] satisfies (keyof typeof PAGES)[]).flatMap((page) =>
    typedPage(page, readSource).places.flatMap((place) => (place === null ? [] : [place])),
  );
}

/** The attribute, with one more letter in the last name that is not in quotes. */
function misspelt(attribute: string): string {
  const names = Array.from(attribute.matchAll(/'[^']*'|\$?[A-Za-z_]\w*(?=[^\w:]|$)/g)).filter(
    ({ 0: name, index }) =>
      index > attribute.indexOf("=") && /^[a-z]/i.test(name) && !/^(?:true|false|null|in)$/.test(name),
  );
  const last = names.at(-1);
  if (last === undefined) throw new Error(`${attribute} has no name`);
  const end = last.index + last[0].length;
  return `${attribute.slice(0, end)}q${attribute.slice(end)}`;
}
