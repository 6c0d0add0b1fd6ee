import type { Milliseconds } from "../../../model/units.ts";
import { medianOf } from "../../../stats/percentile.ts";
import { fieldIn } from "../../facts/field-values.ts";
import { serverTimingOf } from "../server-timing.ts";
import type { Request } from "../traffic.ts";
import { type CategoryColumn, column, type NumberColumn, TIERS, type Tier } from "./column.ts";
import { CONSEQUENCES, isLeftOut, REQUEST_LEFT_OUT, RESPONSE_LEFT_OUT } from "./header-names.ts";
import type { Load } from "./load.ts";
import { ABSENT, bodyColumns, cookieColumns, PRESENT, pathColumns, queryColumns } from "./request-columns.ts";

/** At least this many requests, or all, are searched for the names of parameters and headers. */
const LOOKED_AT = 500;

export function categoryColumns(requests: readonly Request[], names: AttributeNames): readonly CategoryColumn[] {
  // Equal requests share one list of fields (`FieldPool`): then no field tells them apart.
  const hasOneList = requests.every(({ facts }) => facts.requestFields === requests[0]?.facts.requestFields);
  const sent = hasOneList ? new Set<string>() : names.request;
  const requestColumns = [...sent]
    .filter((name) => !isLeftOut(name, REQUEST_LEFT_OUT))
    .map((name) =>
      column(`request-header:${name}`, TIERS.header, ({ facts }) => valuesOf(facts.requestFields, name), true),
    );
  const told = [...names.response]
    .filter((name) => !isLeftOut(name, RESPONSE_LEFT_OUT) && !isInAll(requests, name))
    .map((name) => {
      const tier = CONSEQUENCES.has(name) ? TIERS.consequence : TIERS.told;
      const asSent = ({ facts }: Request) => valuesOf(facts.responseFields, name);
      const compared = name === "age" ? (request: Request) => asSent(request).map(ageOf) : asSent;
      return column(`response-header:${name}`, tier, compared, true);
    });
  const secrets = SECRETS.filter((name) => sent.has(name)).map((name) =>
    column(
      `request-header:${name}`,
      TIERS.header,
      ({ facts }) => presenceOf(valuesOf(facts.requestFields, name)),
      false,
    ),
  );
  const timing = names.response.has("server-timing")
    ? [column("response-header:server-timing", TIERS.told, timingTokens, false)]
    : [];
  return [
    ...queryColumns(names.query),
    ...bodyColumns(requests, names.body),
    ...pathColumns(requests),
    ...requestColumns,
    ...told,
    ...timing,
    ...(hasOneList ? [] : cookieColumns(requests)),
    ...secrets,
    column("server-address", TIERS.told, ({ facts }) => listOf(facts.serverAddress), false),
    column("connection", TIERS.circumstance, ({ facts }) => listOf(connectionOf(facts)), false),
    column("client", TIERS.circumstance, ({ client }) => [client], false),
    column("protocol", TIERS.circumstance, ({ facts }) => [facts.exchange.protocol], false),
    // `client` includes the User-Agent and comes first, so the User-Agent is named only if it explains more.
    column(
      "request-header:user-agent",
      TIERS.circumstance,
      ({ facts }) => valuesOf(facts.requestFields, "user-agent"),
      false,
    ),
  ];
}

/** Whether all responses have the same field of this name, once: most equal fields are one object. */
function isInAll(requests: readonly Request[], name: string): boolean {
  const fieldOf = ({ facts }: Request) => {
    const field = facts.responseFields.find((one) => one.name === name);
    return field === facts.responseFields.findLast((one) => one.name === name) ? field : undefined;
  };
  const field = requests[0] && fieldOf(requests[0]);
  return field !== undefined && requests.every((request) => fieldOf(request) === field);
}

export const operationColumn: CategoryColumn = column(
  "operation",
  TIERS.request,
  ({ facts }) => listOf(facts.endpoint.operation),
  false,
);

export const statusColumn: CategoryColumn = column("status", TIERS.consequence, ({ status }) => listOf(status), false);

export function numberColumns(
  requests: readonly Request[],
  names: AttributeNames,
  load: Load,
): readonly NumberColumn[] {
  const inRequest = [...queryColumns(names.query), ...bodyColumns(requests, names.body)];
  const longPause = longPauseOf(requests, load);
  return [
    ...inRequest.map(
      ({ name, tier, valuesOf }): NumberColumn => ({
        name,
        tier,
        textOf: String,
        hasWindow: false,
        isUpwards: false,
        valueOf: (request) => numberIn(valuesOf(request)[0]),
      }),
    ),
    number("request-size", ({ facts }) => facts.exchange.requestBodySize, TIERS.circumstance, "bytes"),
    number("in-flight", (request) => load.inFlight(request), TIERS.circumstance, "requests"),
    number("after-idle", (request) => idleFrom(longPause, load.idle(request)), TIERS.circumstance, "ms idle"),
    number("time-in-session", (request) => load.sinceBegin(request), TIERS.circumstance, "ms"),
    number("response-size", ({ facts }) => facts.exchange.encodedBodySize, TIERS.consequence, "bytes"),
  ];
}

/**
 * A server may fall asleep in a pause of `SLEEPS_FROM`, or in one of `TIMES_USUAL` times the endpoint's usual pause.
 */
const SLEEPS_FROM: Milliseconds = 1_000;
const TIMES_USUAL = 5;

function longPauseOf(requests: readonly Request[], load: Load): Milliseconds {
  const pauses = requests.map((request) => load.idle(request) ?? 0).filter((pause) => pause > 0);
  return pauses.length === 0 ? SLEEPS_FROM : Math.min(SLEEPS_FROM, TIMES_USUAL * medianOf(pauses));
}

/** 0 for a shorter pause than `least`, in which no server falls asleep. */
function idleFrom(least: Milliseconds, pause: Milliseconds | null): Milliseconds | null {
  return pause !== null && pause < least ? 0 : pause;
}

function number(name: string, read: NumberColumn["valueOf"], tier: Tier, unit: string): NumberColumn {
  return {
    name,
    tier,
    valueOf: read,
    hasWindow: name === "time-in-session",
    isUpwards: name === "after-idle",
    textOf: (value) => `${Math.round(value)} ${unit}`,
  };
}

/** The names of parameters, body fields and headers that requests have. */
export type AttributeNames = Readonly<Record<"query" | "body" | "request" | "response", ReadonlySet<string>>>;

export function namesIn(requests: readonly Request[]): AttributeNames {
  const names = {
    query: new Set<string>(),
    body: new Set<string>(),
    request: new Set<string>(),
    response: new Set<string>(),
  };
  const step = Math.max(1, Math.floor(requests.length / LOOKED_AT));
  for (let index = 0; index < requests.length; index += step) {
    const facts = requests[index]?.facts;
    for (const [name] of facts?.query ?? []) names.query.add(name);
    for (const [name] of facts?.bodyFields ?? []) names.body.add(name);
    for (const { name } of facts?.requestFields ?? []) names.request.add(name);
    for (const { name } of facts?.responseFields ?? []) names.response.add(name);
  }
  return names;
}

function valuesOf(fields: Request["facts"]["requestFields"], name: string): readonly string[] {
  return listOf(fieldIn(fields, name));
}

const NONE: readonly string[] = Object.freeze([]);

function listOf(value: string | number | null): readonly string[] {
  return value === null ? NONE : [String(value)];
}

/** Headers whose values are secret: only their presence is compared. */
const SECRETS: readonly string[] = ["authorization", "cookie"];

function presenceOf(values: readonly string[]): readonly string[] {
  return values.length > 0 ? PRESENT : ABSENT;
}

/** Whether the server's connection was new; `null` if not known. */
export function connectionOf({ exchange: { reused } }: Request["facts"]): "reused" | "new" | null {
  if (reused === null) return null;
  return reused ? "reused" : "new";
}

/**
 * The names of the Server-Timing entries, alone and with their descriptions. Durations are left out, since they are
 * what must be explained.
 */
function timingTokens(request: Request): readonly string[] {
  return serverTimingOf(request).flatMap(({ name, description }) =>
    description === null ? [name] : [name, `${name};desc=${description}`],
  );
}

/** The Age as a category: 0 means that the origin responded, a larger value that a cache did (RFC 9111, 5.1). */
function ageOf(value: string): string {
  return Number(value) > 0 ? "from a cache" : "0";
}

function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : null;
}
