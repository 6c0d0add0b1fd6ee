import type { RowGroup } from "../../messages/difference-messages.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { isLeftOut } from "../findings/slow-when/header-names.ts";

/** What is compared of an exchange by its text. `name`: without the group. */
export interface Attribute {
  readonly group: RowGroup;
  readonly name: string;
  /** The value; several of one name are joined by commas. `null`: the exchange does not have it. */
  readonly textIn: (facts: ExchangeFacts) => string | null;
  /** Whether it differs with almost every request. */
  readonly isMinor: boolean;
}

/** Headers whose values say when or which, and so differ with almost every request. */
const MINOR: ReadonlySet<string> = new Set([
  "content-length",
  "content-md5",
  "date",
  "digest",
  "etag",
  "expires",
  "last-modified",
  "nel",
  "ratelimit-remaining",
  "ratelimit-reset",
  "report-to",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
]);

/** The attributes of which at least one of the exchanges has a value. */
export function attributesOf(sides: readonly ExchangeFacts[]): readonly Attribute[] {
  const names = (pairsOf: (facts: ExchangeFacts) => readonly (readonly [name: string, value: string])[]) => [
    ...new Set(sides.flatMap((facts) => pairsOf(facts).map(([name]) => name))),
  ];
  const fields = (pairsOf: (facts: ExchangeFacts) => readonly (readonly [name: string, value: string])[]) =>
    names(pairsOf).map((name) => ({ name, textIn: (facts: ExchangeFacts) => joined(pairsOf(facts), name) }));
  const plain = (group: RowGroup, name: string, textIn: Attribute["textIn"]): Attribute => ({
    group,
    name,
    textIn,
    isMinor: false,
  });
  return [
    plain("outcome", "status", outcomeOf),
    ...fields(({ query }) => query).map(({ name, textIn }) => plain("query", name, textIn)),
    ...fields(({ requestFields }) => headersOf(requestFields)).map(({ name, textIn }) => ({
      ...plain("request", name, textIn),
      isMinor: isLeftOut(name, MINOR),
    })),
    ...fields(({ responseFields }) => headersOf(responseFields)).map(({ name, textIn }) => ({
      ...plain("response", name, textIn),
      isMinor: isLeftOut(name, MINOR),
    })),
    plain("connection", "connection", ({ exchange: { reused } }) => REUSE.get(reused) ?? null),
    plain("connection", "server-address", ({ serverAddress }) => serverAddress),
    plain("connection", "protocol", ({ exchange }) => exchange.protocol),
    plain("connection", "client", ({ exchange }) => exchange.client),
  ];
}

const REUSE: ReadonlyMap<boolean | null, string> = new Map([
  [true, "reused"],
  [false, "new"],
]);

/** The status, or the type of the failure; `null` in flight. */
export function outcomeOf({ exchange: { outcome } }: Pick<ExchangeFacts, "exchange">): string | null {
  if (outcome === null) return null;
  return outcome.kind === "responded" ? String(outcome.status) : outcome.errorType;
}

function headersOf(fields: ExchangeFacts["requestFields"]): readonly (readonly [name: string, value: string])[] {
  return fields.map(({ name, value }) => [name, value]);
}

function joined(pairs: readonly (readonly [name: string, value: string])[], name: string): string | null {
  let text: string | null = null;
  for (const [other, value] of pairs) if (other === name) text = text === null ? value : `${text}, ${value}`;
  return text;
}
