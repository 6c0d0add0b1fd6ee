import fc from "fast-check";
import * as assert from "uvu/assert";
import { readSource } from "../scripts/page-text.ts";
import { type PAGES, typedPage } from "../scripts/template-types.ts";
import { buildTypes, templateProblems } from "../scripts/templates.ts";
import { describe } from "./support/describe.ts";

/** Kinds of attributes that name what other attributes use: the compiler finds no further fault in what follows. */
const NAMING = {
  "x-data": /^x-data=/,
  "x-for": /^x-for=/,
  "x-cells and x-rows": /^x-(?:cells|rows)=/,
};

/** All other kinds. Their faults are found together, since the compiler takes seconds. */
const USING = {
  "x-if": /^x-if=/,
  "x-text": /^x-text=/,
  "x-show": /^x-show=/,
  "x-model": /^x-model=/,
  "x-effect": /^x-effect=/,
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

describe("template check", (test) => {
  test("given the present templates, finds no fault", () => assert.equal(templateProblems(), []));

  for (const kinds of [...Object.entries(NAMING).map((one) => [one]), Object.entries(USING)])
    test(`given a misspelt name in ${kinds.map(([kind]) => kind).join(", ")}, names the file and the line`, () => {
      const chosen: Written[] = [];
      for (const [, pattern] of kinds) {
        const all = attributes().filter(
          ({ file, line, attribute }) =>
            pattern.test(attribute) && !chosen.some((one) => one.file === file && one.line === line),
        );
        chosen.push(...fc.sample(fc.constantFrom(...all), 1));
      }
      const problems = templateProblems((file) => {
        const lines = readSource(file).split("\n");
        for (const { line, attribute } of chosen.filter((one) => one.file === file))
          lines[line - 1] = lines[line - 1]?.replace(attribute, () => misspelt(attribute)) ?? "";
        return lines.join("\n");
      });
      for (const { file, line, attribute } of chosen) {
        const place = `src/ui/${file}:${line}: ${attribute.slice(0, attribute.indexOf("="))}=`;
        assert.ok(
          problems.some((problem) => problem.startsWith(place)),
          `${place} is not among ${problems.join("\n")}`,
        );
      }
    });
});

/** All attributes that the check reads, without those in which a page puts a value (scripts/page-text.ts). */
function attributes(): Written[] {
  const all = (["index", "hub"] satisfies (keyof typeof PAGES)[]).flatMap((page) =>
    typedPage(page, readSource).places.flatMap((place) => (place === null ? [] : [place])),
  );
  return all.filter(({ file, line, attribute }) => readSource(file).split("\n")[line - 1]?.includes(attribute));
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
