import { medianOf } from "../../../stats/percentile.ts";
import { atEndpoint, atOrigin, draftOf, figures } from "../draft.ts";
import type { Draft } from "../finding-report.ts";
import { leftOutClause } from "../request.ts";
import { savedWaiting, shortened } from "../saved-waiting.ts";
import { counted, inMs, nameOf, quoted } from "../text.ts";
import type { Request, Traffic } from "../traffic.ts";
import { attributeText } from "./attribute-text.ts";
import type { Cause } from "./cause.ts";
import { TIERS } from "./column.ts";
import { leftOutOfDurations } from "./durations.ts";
import type { Explanation } from "./explanation.ts";

/** The most endpoints that the evidence names. */
const MOST_ENDPOINTS = 10;

/** The finding about one cause. `alike`: the same cause at one or more endpoints. */
export function draftOfCause(alike: readonly Cause[], traffic: Pick<Traffic, "byClient" | "links">): Draft {
  const savings = new Map(alike.flatMap((cause) => [...cause.savings]));
  const explanations = alike
    .map(({ explanation }) => explanation)
    .toSorted((left, right) => right.inside.length - left.inside.length);
  const [largest] = explanations;
  const first = largest?.inside[0];
  if (largest === undefined || first === undefined) throw new Error("a cause without requests");
  const { split } = largest;
  const inside = explanations.flatMap((explanation) => explanation.inside);
  const sum = (countOf: (explanation: Explanation) => number) =>
    explanations.reduce((total, explanation) => total + countOf(explanation), 0);
  const slowWith = sum(({ slow }) => slow.with);
  const slow = slowWith + sum(({ slow: { without } }) => without);
  const all = inside.length + sum(({ outside }) => outside.length);
  const isOne = explanations.length === 1;
  const leftOut = leftOutClause(explanations.flatMap((explanation) => explanation.leftOut));
  const { predicate, again: verb } = attributeText(split.attribute);
  const said = split.tier === TIERS.consequence ? predicate.replace(/^have /, "go with ") : predicate;
  const alsoInside = inside.length - slowWith;
  const again =
    alsoInside === 0
      ? `none of ${counted(all - slow, "other")} ${verb}`
      : `so ${verb} ${alsoInside} of ${all - slow} others`;
  const others = `${said}${alikeClause(explanations)}; ${again}${leftOut}.`;
  return draftOf({
    kind: "slow-when",
    scope: isOne ? atEndpoint(first) : atOrigin(first.origin, null),
    attribute: split.attribute,
    count: inside.length,
    time: savedWaiting(traffic, shortened(savings)),
    confidence: "likely",
    telling: [...savings.keys()].sort((left, right) => (savings.get(right) ?? 0) - (savings.get(left) ?? 0)),
    covers: inside,
    summary: isOne
      ? `${slowWith} of ${slow} requests to ${comparedName(largest)} over ${inMs(largest.cut)} ${others}`
      : `${slowWith} of ${slow} slow requests to ${counted(explanations.length, "endpoint")} of ${quoted(first.origin)} ${others}`,
    advice: adviceFor(split.attribute.name),
    evidence: [
      ...(isOne ? figuresOf(largest) : endpointFigures(explanations)),
      ...figures({ "requests with this value": `${inside.length} of ${all}` }),
      ...(split.attribute.name === "time-in-session" ? boundsOf(inside) : []),
    ],
    basis: basisOf(explanations),
  });
}

/** The most attributes that the sentence adds to the named one. */
const MOST_ALIKE = 2;

function alikeClause([first, ...rest]: readonly Explanation[]): string {
  const isShared = ({ name, value }: Explanation["alike"][number]) =>
    rest.every(({ alike }) => alike.some((other) => other.name === name && other.value === value));
  const shared = (first?.alike ?? []).filter(isShared).slice(0, MOST_ALIKE);
  if (shared.length === 0) return "";
  const names = shared.map((attribute) => ` and ${attributeText(attribute).predicate.replace(/^have /, "")}`).join("");
  return `${names}, ${shared.length === 1 ? "either" : "any"} of which may be the cause`;
}

/** An operation was compared with all operations of its URL, so the compared endpoint has none. */
function comparedName({ split, inside }: Explanation): string {
  const endpoint = inside[0]?.facts.endpoint;
  if (endpoint === undefined) return "";
  return nameOf(split.attribute.name === "operation" ? { ...endpoint, operation: null } : endpoint);
}

/** When the first and the last of the requests began, as ISO 8601. */
function boundsOf(requests: readonly Request[]): Draft["evidence"] {
  const starts = requests.map(({ start }) => start).sort((one, other) => one - other);
  const iso = (at: number | undefined) => new Date(at ?? 0).toISOString();
  return figures({
    "first request with this value": iso(starts[0]),
    "last request with this value": iso(starts.at(-1)),
  });
}

function figuresOf({ median, usual, cut, split }: Explanation): Draft["evidence"] {
  return figures({
    "median time with this value": inMs(median),
    "median time without this value": inMs(usual),
    "slow from": inMs(cut),
    "times as slow": split.effect.toFixed(1),
  });
}

/** A line for each endpoint, those with the most requests first. */
function endpointFigures(explanations: readonly Explanation[]): Draft["evidence"] {
  const lines = explanations.slice(0, MOST_ENDPOINTS).map((explanation) => ({
    name: comparedName(explanation),
    value: `median ${inMs(explanation.median)} with this value, ${inMs(explanation.usual)} without`,
  }));
  const effect = medianOf(explanations.map(({ split }) => split.effect));
  return [
    { name: "endpoints", value: String(explanations.length) },
    ...lines,
    { name: "times as slow, median", value: effect.toFixed(1) },
  ];
}

function basisOf(explanations: readonly Explanation[]): string {
  const tried = Math.max(...explanations.map((explanation) => explanation.tried));
  const isOutcome = explanations.some(({ split }) => split.tier === TIERS.consequence);
  const compared = explanations.flatMap(({ inside, outside }) => [...inside, ...outside]);
  const outcome = isOutcome ? " The value is known only after the response, so it may follow from the delay." : "";
  return `A rank test, significant after correction for ${tried} comparisons. The time is what clients would not have waited if these requests took what others of the endpoint took, rank by rank. ${leftOutOfDurations(compared)}${outcome}`;
}

function adviceFor(name: string): string {
  const [sort = ""] = name.split(":", 1);
  return ADVICE[sort] ?? "Compare a slow request with a quick one. They differ in the value named above.";
}

const ADVICE: Readonly<Record<string, string>> = {
  query: "Look at what the server does for this parameter. An index, a limit or a cache may be missing.",
  body: "Look at what the server does for this field of the body. An index, a limit or a cache may be missing.",
  path: "Look at what the server does for this part of the path. It may have far more data than its siblings.",
  cookie: "Look at what the server does for this cookie. The server may run other code, or skip its cache.",
  "request-header":
    "Look at what the server does for this header. The server may run other code, or vary its cache by this header.",
  "response-header":
    "The server itself reports the difference: follow this header to the cache, machine or step behind it.",
  operation: "Look at what the server does for this operation. Other operations of the same URL are quick.",
  status: "Find out what makes the server slow before it gives this status, such as a time-out or heavy work.",
  "server-address": "Compare this machine with the others: its load, its version, and the path to it.",
  connection:
    "The server works longer on new connections. Keep connections open, and look at what the server does for a connection's first request.",
  "after-idle": "The server has to wake up. Keep the server warm, or raise its minimum number of instances.",
  while:
    "The other endpoint may hold a lock, or take what both need. Make it shorter, or run it in parts or elsewhere.",
  "first-use": "The server loads what it uses at its first use. Load or compute it in advance, or keep it for longer.",
  client: "Compare this client with the others: its network, its permissions, and the data that it asks for.",
  protocol: "Compare how the server handles the two protocols.",
  "request-size": "The time grows with what is sent. Send less, or in parts.",
  "response-size": "The time grows with what is sent back. Ask for less: pages, or chosen fields.",
  "in-flight": "The server slows down under load. Send fewer requests in parallel, or give the server more capacity.",
  "time-in-session":
    "The server's speed changed during the session: warm-up, a leak, a release or load from elsewhere.",
};
