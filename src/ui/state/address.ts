import { LONGEST_FILTER } from "../../engine/messages/list-messages.ts";
import type { TimeRange } from "../../engine/messages/timeline-messages.ts";
import type { Endpoint } from "../../engine/model/endpoint.ts";
import type { ExchangeId, Instant } from "../../engine/model/units.ts";
import { INSPECTOR_TABS, PERFORMANCE_TABS, type Selected, VIEW_NAMES, type ViewName } from "./selection.ts";

/**
 * What an address says of the window, as the fragment `#/performance/latency?f=host:shop&sort=-p95`. A field that the
 * view does not have is left out, and then stays as it is.
 */
export interface ViewLocation
  extends Partial<Pick<Selected, "performanceTab" | "endpoint" | "between" | "trafficSort" | "tableSort">>,
    Pick<Selected, "filter" | "exchange" | "opened"> {
  readonly view: ViewName;
  /** Id of a session; `null`: the session that is being recorded. */
  readonly session: string | null;
  /** Only of an open exchange. */
  readonly inspectorTab?: Selected["inspectorTab"];
  /** The key of the finding that is open in Performance. */
  readonly finding?: string | null;
}

/** The order of Traffic (views/traffic/sort.ts) that an address leaves out. */
export const DEFAULT_SORT = "startTime";

/** Longest texts, as the engine accepts them (engine/messages/decoded.ts). */
const LONGEST = { session: 100, endpoint: 70_000, finding: 2_000, opened: 2_000 };

/** Views that can show an exchange in the inspector. */
const WITH_INSPECTOR: readonly ViewName[] = ["traffic", "performance", "timeline"];

/** Characters that a fragment may contain as they are (RFC 3986, 3.5) and that make it easier to read. */
const PLAIN = /%(?:2F|3A|2C|40|3F)/g;

export function addressOf(location: ViewLocation): string {
  const { view, performanceTab, between, exchange, inspectorTab } = location;
  const path = view === "performance" && performanceTab !== undefined ? `${view}/${performanceTab}` : view;
  const fields: Readonly<Record<string, string | null | undefined>> = {
    session: location.session,
    f: location.filter || null,
    sort: location.trafficSort ?? location.tableSort,
    endpoint: location.endpoint,
    finding: location.finding,
    at: between == null ? null : `${between.from},${between.to}`,
    open: location.opened,
    id: exchange === null ? null : String(exchange),
    panel: inspectorTab === "overview" ? null : inspectorTab,
  };
  const query = Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : `${name}=${encoded(value)}`));
  return `#/${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** Reads any text; whatever is missing or invalid is as at the start. */
export function locationAt(fragment: string): ViewLocation {
  const [path = "", ...query] = fragment.replace(/^#?\/?/, "").split("?");
  const [first, second] = path.split("/");
  const view = oneOf(VIEW_NAMES, first) ?? "traffic";
  const fields = fieldsOf(query.join("?"));
  const text = (name: string, longest: number): string | null => {
    const value = fields.get(name) ?? "";
    return value === "" || value.length > longest ? null : value;
  };
  const sort = /^-?[A-Za-z0-9]{1,40}$/.exec(fields.get("sort") ?? "")?.[0] ?? null;
  const exchange = WITH_INSPECTOR.includes(view) ? exchangeIn(fields.get("id")) : null;
  const tab = oneOf(PERFORMANCE_TABS, second) ?? "findings";
  return {
    view,
    session: text("session", LONGEST.session),
    filter: text("f", LONGEST_FILTER) ?? "",
    opened: text("open", LONGEST.opened),
    exchange,
    ...(exchange === null ? {} : { inspectorTab: oneOf(INSPECTOR_TABS, fields.get("panel")) ?? "overview" }),
    ...(view === "traffic" ? { trafficSort: sort } : {}),
    ...(view === "timeline" ? { between: rangeIn(fields.get("at")) } : {}),
    ...(view === "performance"
      ? {
          performanceTab: tab,
          tableSort: sort,
          endpoint: endpointIn(text("endpoint", LONGEST.endpoint)),
          ...(tab === "findings" ? { finding: text("finding", LONGEST.finding) } : {}),
        }
      : {}),
  };
}

/** The location that the window shows. `session`: the id of the session that is shown, if it is not being recorded. */
export function locationOf(selected: Selected, session: string | null): ViewLocation {
  const { view, performanceTab, filter, exchange, inspectorTab, opened } = selected;
  const location: ViewLocation = {
    view,
    session,
    filter,
    opened,
    exchange,
    ...(exchange === null ? {} : { inspectorTab }),
    ...(view === "traffic" ? { trafficSort: selected.trafficSort === DEFAULT_SORT ? null : selected.trafficSort } : {}),
    ...(view === "timeline" ? { between: selected.between } : {}),
    ...(view === "performance" ? { performanceTab, tableSort: selected.tableSort, endpoint: selected.endpoint } : {}),
    ...(view === "performance" && performanceTab === "findings" ? { finding: selected.finding?.key ?? null } : {}),
  };
  // These mean nothing in another session, so the address names theirs.
  const isBound = exchange !== null || (location.finding ?? null) !== null || (location.between ?? null) !== null;
  return isBound ? { ...location, session: session ?? selected.session } : location;
}

function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(PLAIN, decodeURIComponent);
}

/** The text without halves of surrogate pairs, which no URL can contain. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

function fieldsOf(query: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const part of query.split("&")) {
    const at = part.indexOf("=");
    const value = at < 0 ? null : decoded(part.slice(at + 1));
    if (value !== null) fields.set(part.slice(0, at), value);
  }
  return fields;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function oneOf<Name extends string>(names: readonly Name[], text: string | undefined): Name | null {
  return names.find((name) => name === text) ?? null;
}

function exchangeIn(text: string | undefined): ExchangeId | null {
  return /^\d{1,15}$/.test(text ?? "") ? (Number(text) as ExchangeId) : null;
}

function endpointIn(text: string | null): Endpoint | null {
  return text !== null && /^[^ ]+ [a-z]+:\/\/[^/]/.test(text) ? (text as Endpoint) : null;
}

function rangeIn(text: string | undefined): TimeRange | null {
  const [from, to] = (text ?? "").split(",").map((part) => (/^\d+(?:\.\d+)?$/.test(part) ? Number(part) : Number.NaN));
  if (from === undefined || to === undefined || !(from < to) || !Number.isFinite(to)) return null;
  return Object.freeze({ from: from as Instant, to: to as Instant });
}
