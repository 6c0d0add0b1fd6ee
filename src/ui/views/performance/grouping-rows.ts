import type { Grouping } from "../../../engine/messages/grouping-messages.ts";
import type { Summary } from "../../../engine/messages/status-messages.ts";
import { countPhrase } from "../../format/count.ts";
import { isSafeMethod } from "../../format/method.ts";

export type GroupingTexts = ReturnType<typeof groupingTextsOf>;

export function groupingTextsOf(grouping: Grouping) {
  const { on, templates, templateCount, forgotten } = grouping;
  const notes = [];
  const unlisted = templateCount - templates.length;
  if (unlisted > 0) notes.push(`${countPhrase(unlisted, "more template", "more templates")}, with fewer paths each.`);
  if (forgotten > 0) {
    const rows = countPhrase(forgotten, "row", "rows");
    notes.push(
      `${rows} left the list to make room. If you split a template, the figures of its paths leave these rows out.`,
    );
  }
  return Object.freeze({
    on,
    rows: Object.freeze(templates.map(templateRowOf)),
    /** What grouping does, or that nothing is grouped. */
    lead: leadOf(grouping),
    /** How many templates are not listed, and how many rows were evicted; "" if neither applies. */
    note: notes.join(" "),
  });
}

/** "Grouped: 40 templates". `templates`: their number; `null`: grouping is off. */
export function groupedText(templates: number | null): string {
  if (templates === null) return "Paths not grouped";
  return templates === 0 ? "No similar paths" : `Grouped: ${countPhrase(templates, "template", "templates")}`;
}

/** The label of the button beside the text of `groupedText`; "" if nothing is grouped. */
export function groupingActionOf(templates: number | null): string {
  if (templates === null) return "Group";
  return templates === 0 ? "" : "Ungroup";
}

/** Says if there are too many endpoints or operations to count all of them separately; "" if there are not. */
export function pooledTextOf({ unlisted, poolsOperations }: Pick<Summary, "unlisted" | "poolsOperations">): string {
  const endpoints = `Only 100,000 endpoints are counted separately: ${countPhrase(unlisted, "request", "requests")} to further endpoints count only in the totals.`;
  const operations = "Only 200 operations of a path are counted separately. Further ones count as (other operations).";
  return [unlisted > 0 ? endpoints : "", poolsOperations ? operations : ""].filter((text) => text !== "").join(" ");
}

function leadOf({ on, templateCount }: Grouping): string {
  if (!on) return "Every path is an endpoint of its own. Group similar paths to replace their ids with {id}.";
  if (templateCount === 0) return "No path in this session holds an id, so none are grouped.";
  return "Ids, and names with 20 or more siblings, are replaced with {id}. Split a template to list its paths separately.";
}

function templateRowOf({ template, pattern, paths, examples }: Grouping["templates"][number]) {
  const space = template.indexOf(" ");
  const method = template.slice(0, space);
  return Object.freeze({
    key: template,
    method,
    /** Whether the method may change something on the server. */
    changes: !isSafeMethod(method),
    template: template.slice(space + 1),
    paths: countPhrase(paths, "path", "paths"),
    /** "for example /products/17, /products/18". */
    examples: examples.length === 0 ? "" : `for example ${examples.join(", ")}`,
    /** The grouping rule that would list the template's paths one by one. */
    splitRule: `!${pattern}`,
  });
}
