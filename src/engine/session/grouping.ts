import { groupedEndpoint, groupingOfferOf } from "../insights/path-template.ts";
import type { Grouping } from "../messages/insight-messages.ts";
import type { Endpoint } from "../model/endpoint.ts";
import { pathOf } from "../model/endpoint.ts";
import type { Session } from "./session.ts";

/** insight-messages.ts, Grouping. */
const MOST_TEMPLATES = 100;
const MOST_EXAMPLES = 3;

interface Template {
  readonly template: Endpoint;
  requests: number;
  readonly paths: Set<string>;
}

/** What grouping similar paths would fold, or has folded. */
export function groupingOf(session: Session): Grouping {
  const { grouped, tallies, forgotten } = session;
  const templates = (grouped ? foldedOf(session) : foldableOf(session)).filter(({ paths }) => paths.size > 1);
  templates.sort((left, right) => right.paths.size - left.paths.size);
  const collecting = grouped ? [] : tallies.filter(({ requests, hasRow }) => requests > 0 && !hasRow);
  return Object.freeze({
    on: grouped,
    offer: groupingOfferOf(collecting.map(({ endpoint }) => endpoint)),
    templates: templates.slice(0, MOST_TEMPLATES).map(({ template, requests, paths }) => ({
      template,
      paths: paths.size,
      requests,
      examples: [...paths].slice(0, MOST_EXAMPLES),
    })),
    templateCount: templates.length,
    forgotten,
  });
}

function foldableOf({ tallies }: Session): Template[] {
  const templates = new Map<Endpoint, Template>();
  for (const { endpoint, requests } of tallies) {
    const template = groupedEndpoint(endpoint);
    if (template !== endpoint) add(templates, template, endpoint.slice(endpoint.indexOf(" ") + 1), requests);
  }
  return [...templates.values()];
}

function foldedOf({ table }: Session): Template[] {
  const templates = new Map<Endpoint, Template>();
  for (let row = table.firstRow; row < table.nextRow; row += 1) {
    const target = table.ownTargetAt(row);
    const template = table.endpointAt(row);
    if (target === null || !template.includes("/{id}")) continue;
    const origin = table.texts.textAt(table.origin.at(row)) ?? "";
    add(templates, template, origin + pathOf(target), table.countsAt(row) ? 1 : 0);
  }
  return [...templates.values()];
}

function add(templates: Map<Endpoint, Template>, template: Endpoint, path: string, requests: number): void {
  const known = templates.get(template) ?? { template, requests: 0, paths: new Set() };
  templates.set(template, known);
  known.requests += requests;
  known.paths.add(path);
}
