import type { Grouping } from "../../../engine/messages/grouping-messages.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { isSafeMethod } from "../../format/method.ts";

/** A template and what it would fold. */
export interface TemplateRow {
  readonly key: string;
  readonly method: string;
  /** It may change something on the server. */
  readonly changes: boolean;
  readonly template: string;
  readonly paths: string;
  /** "for example /products/17, /products/18". */
  readonly examples: string;
}

/** The preview of "Group similar paths", in words. */
export interface GroupingTexts {
  readonly on: boolean;
  readonly rows: readonly TemplateRow[];
  /** What it does, or that there is nothing to do. */
  readonly lead: string;
  /** What is not listed or not folded; "" = nothing. */
  readonly note: string;
}

export function groupingTextsOf(grouping: Grouping): GroupingTexts {
  const { on, templates, templateCount, forgotten } = grouping;
  const notes = [];
  const unlisted = templateCount - templates.length;
  if (unlisted > 0) notes.push(`${countPhrase(unlisted, "more template", "more templates")}, with fewer paths each.`);
  if (forgotten > 0) {
    const rows = countPhrase(forgotten, "row", "rows");
    notes.push(`${rows} left the list to make room: statistics made anew cannot count them.`);
  }
  return Object.freeze({
    on,
    rows: Object.freeze(templates.map(templateRowOf)),
    lead: leadOf(grouping),
    note: notes.join(" "),
  });
}

/** "312 paths look like 9 templates."; "" where there is nothing to offer. */
export function offerText({ offer }: Grouping): string {
  if (offer === null) return "";
  const paths = countPhrase(offer.paths, "path looks", "paths look");
  return `${paths} like ${countPhrase(offer.templates, "template", "templates")}`;
}

function leadOf({ on, templateCount }: Grouping): string {
  if (templateCount === 0) {
    return "No two paths of this session differ only in a number, a UUID, a ULID or a long hex text, so there is nothing to group.";
  }
  const folded = countPhrase(templateCount, "template", "templates");
  return on
    ? `Numbers, UUIDs, ULIDs and long hex texts in paths are folded into {id}: ${folded}. Ungroup to see each path by itself.`
    : `Numbers, UUIDs, ULIDs and long hex texts in paths become {id}, and paths that are then the same count as one endpoint: ${folded}. Statistics follow at once, and it can be undone.`;
}

function templateRowOf({ template, paths, examples }: Grouping["templates"][number]): TemplateRow {
  const space = template.indexOf(" ");
  const method = template.slice(0, space);
  return Object.freeze({
    key: template,
    method,
    changes: !isSafeMethod(method),
    template: template.slice(space + 1),
    paths: `${countText(paths)} paths`,
    examples: examples.length === 0 ? "" : `for example ${examples.map(pathIn).join(", ")}`,
  });
}

/** The path of "GET https://api.shop.test/v1/products/17": the template beside it tells the rest. */
function pathIn(endpoint: string): string {
  return endpoint.replace(/^(?:\S+ )?[a-z]+:\/\/[^/]*/i, "");
}
