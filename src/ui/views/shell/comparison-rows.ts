import type {
  BodyDifference,
  ComparedExchange,
  ComparedRow,
  ExchangeComparison,
  RowGroup,
} from "../../../engine/messages/difference-messages.ts";
import { clientNameOf } from "../../../engine/model/client-name.ts";
import type { Phase } from "../../../engine/model/phases.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { clockText } from "../../format/clock.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { durationText } from "../../format/duration.ts";
import { PHASE_NAMES } from "../../format/phases.ts";

/** A row of a comparison, as text. `one`, `other`: "" if an exchange does not have it. */
export type ComparisonRow = ReturnType<typeof rowOf>;

/** A body in words, and its rows: the keys or lines that differ. */
export interface BodyTexts {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly Pick<ComparisonRow, "name" | "one" | "other">[];
}

export type ComparisonTexts = ReturnType<typeof comparisonTextsOf>;

export interface SideTexts {
  readonly name: string;
  readonly url: string;
  readonly detail: string;
}

const TELLING = "Slow requests have it more often";

const GROUPS: readonly (readonly [RowGroup, string])[] = [
  ["phase", "Time, ms"],
  ["outcome", "Outcome"],
  ["query", "Query"],
  ["request", "Request headers"],
  ["response", "Response headers"],
  ["size", "Sizes"],
  ["connection", "Connection"],
];

const NAMES: Readonly<Record<string, string>> = {
  status: "Status",
  latency: "Latency",
  "request-size": "Request body",
  "response-size": "Response body",
  connection: "Connection",
  "server-address": "Server",
  protocol: "Protocol",
  client: "Client",
  "in-flight": "In flight to this origin",
};

/** A comparison as texts. What slow requests share comes first. */
export function comparisonTextsOf(found: ExchangeComparison) {
  const { one, other, rows, more, slowFrom, requestBody, responseBody, isCut } = found;
  const shown = rows.filter(({ isMinor }) => !isMinor);
  const minor = rows.filter(({ isMinor }) => isMinor);
  const groups = [
    { name: TELLING, rows: shown.filter(({ isTelling }) => isTelling) },
    ...GROUPS.map(([group, name]) => ({
      name,
      rows: shown.filter((row) => row.group === group && !row.isTelling),
    })),
  ];
  return Object.freeze({
    one: sideOf(one),
    other: sideOf(other),
    slow:
      slowFrom === null
        ? "Fewer than 20 requests of this endpoint: none are counted."
        : `Slow: above ${durationText(slowFrom)} ms, without connection set-up.`,
    groups: groups.filter((group) => group.rows.length > 0).map(({ name, rows }) => ({ name, rows: rows.map(rowOf) })),
    minor: minor.map(rowOf),
    /** "7 headers that differ with almost every request"; "" if there are none. */
    minorText:
      minor.length === 0
        ? ""
        : `${countPhrase(minor.length, "header differs", "headers differ")} with almost every request`,
    bodies: [bodyOf("Request body", requestBody), bodyOf("Response body", responseBody)],
    notes: [
      ...(more === 0 ? [] : [`${countText(more)} more differences are not listed.`]),
      ...(isCut ? ["Of bodies above 1 MB only the beginning was compared."] : []),
    ],
  });
}

function sideOf({ method, url, start, outcome, latency }: ComparedExchange): SideTexts {
  const took = latency === null ? "" : ` · ${durationText(latency)} ms`;
  return { name: `${method} ${clockText(start)}`, url, detail: `${outcome}${took}` };
}

function rowOf(row: ComparedRow) {
  const { name, shared, limit, group, isTelling } = row;
  const side = typeof row.one === "number" && row.one > (limit ?? 0) ? "above" : "below";
  return Object.freeze({
    name: group === "phase" ? (PHASE_NAMES[name as Phase] ?? NAMES[name] ?? name) : (NAMES[name] ?? name),
    one: valueText(row, row.one),
    other: valueText(row, row.other),
    /** "34 of 36 slow, 12 of 300 others"; "" if it was not counted. */
    shared:
      shared === null
        ? ""
        : `${countText(shared.slowWith)} of ${countText(shared.slow)} slow, ${countText(shared.othersWith)} of ${countPhrase(shared.others, "other", "others")}`,
    /** What was counted, for a number; "" for other rows. */
    title: limit === null ? "" : `Counted: ${side} ${valueText(row, limit)}`,
    isTelling,
  });
}

function valueText({ unit, name }: ComparedRow, value: ComparedRow["one"]): string {
  if (value === null) return "";
  if (typeof value === "string") return name === "client" ? clientNameOf(value) : value;
  if (unit === "bytes") return bytesPhrase(value);
  return unit === "ms" ? durationText(value) : countText(Math.round(value));
}

function bodyOf(name: string, found: BodyDifference): BodyTexts {
  switch (found.kind) {
    case "same":
      return { name, text: found.size === 0 ? "None in both." : `The same, ${bytesPhrase(found.size)}.`, rows: [] };
    case "unknown":
      return { name, text: `Not compared: ${found.why}.`, rows: [] };
    case "binary":
      return {
        name,
        text: `${bytesPhrase(found.one)} and ${bytesPhrase(found.other)}; they first differ at byte ${countText(found.at)}.`,
        rows: [],
      };
    case "json":
      return {
        name,
        text:
          found.differences.length === 0
            ? "The same values, written differently."
            : `${countPhrase(found.differences.length + found.more, "value differs", "values differ")}${moreText(found.more)}.`,
        rows: found.differences.map(({ path, one, other }) => ({
          name: path === "" ? "(all)" : path,
          one: one ?? "",
          other: other ?? "",
        })),
      };
    case "text": {
      const { differences, more } = found;
      return {
        name,
        text:
          more === null
            ? "Many lines differ; the first are listed."
            : `${countPhrase(differences.length + more, "line differs", "lines differ")}${moreText(more)}.`,
        rows: differences.map(({ side, line, text }) => ({
          name: `Line ${countText(line)}`,
          one: side === "one" ? text : "",
          other: side === "other" ? text : "",
        })),
      };
    }
  }
}

function moreText(more: number): string {
  return more === 0 ? "" : `, the first ${countText(200)} are listed`;
}
