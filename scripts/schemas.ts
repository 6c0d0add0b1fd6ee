import { ACCEPTED } from "./schemas/accepted.ts";
import { BUDGET } from "./schemas/budget.ts";
import { CHECK } from "./schemas/check.ts";
import { COMPARE } from "./schemas/compare.ts";
import { EXCHANGE } from "./schemas/exchanges.ts";
import { HAR } from "./schemas/har.ts";
import { REPORT } from "./schemas/report.ts";
import { SETTINGS, settingsPage } from "./schemas/settings.ts";
import { listOf, objectOf, type Schema, text } from "./schemas/shapes.ts";
import { TABLE_ROWS } from "./schemas/tables.ts";

/** The rows of one source; for several files, a list of the files' names and rows. */
function rowsOf(row: Schema): Schema {
  return { anyOf: [listOf(row), listOf(objectOf({ source: text("The file."), rows: listOf(row) }))] };
}

function titled(title: string, description: string, schema: Schema): Schema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title, description, ...schema };
}

/** The published schemas, by file name. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  "weir.exchanges.schema.json": titled("Weir exchanges", "weir export --format json", rowsOf(EXCHANGE)),
  ...Object.fromEntries(
    Object.entries(TABLE_ROWS).map(([name, row]) => [
      `weir.${name}.schema.json`,
      titled(`Weir ${name}`, `weir export --table ${name} --format json`, rowsOf(row)),
    ]),
  ),
  "weir.report.schema.json": titled("Weir report", "weir report --format json; of several files a list.", {
    anyOf: [REPORT, listOf(REPORT)],
  }),
  "weir.accepted.schema.json": titled("Weir accepted findings", "Findings that weir check accepts.", ACCEPTED),
  "weir.budget.schema.json": titled(
    "Weir budget",
    "Limits that weir check holds against a recording or HAR files.",
    BUDGET,
  ),
  "weir.check.schema.json": titled("Weir verdicts", "weir check --format json", CHECK),
  "weir.compare.schema.json": titled("Weir comparison", "weir compare --format json", COMPARE),
  "weir.har.schema.json": titled(
    "Weir's own fields in a HAR file",
    "weir export --format har: the fields beyond HAR 1.2, which begin with an underscore.",
    HAR,
  ),
  "weir.settings.schema.json": titled("Weir settings", "settings.json in the data folder", SETTINGS),
};

/** The files in docs/ that are generated from the sources, by path. */
export function documentTexts(): ReadonlyMap<string, string> {
  const schemas = Object.entries(SCHEMAS).map(
    ([name, schema]) => [`schema/${name}`, `${JSON.stringify(schema, null, 2)}\n`] as const,
  );
  return new Map([...schemas, ["settings.md", settingsPage()]]);
}
