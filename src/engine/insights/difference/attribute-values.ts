import type { RowGroup } from "../../messages/difference-messages.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { connectionOf } from "../findings/slow-when/columns.ts";
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
  const plain = (group: RowGroup, name: string, textIn: Attribute["textIn"], isMinor = false): Attribute => ({
    group,
    name,
    textIn,
    isMinor,
  });
  const named = (group: RowGroup, pairsOf: (facts: ExchangeFacts) => Pairs): readonly Attribute[] => {
    const names = new Set(sides.flatMap((facts) => pairsOf(facts).map(([name]) => name)));
    return Array.from(names, (name) =>
      plain(group, name, (facts) => joined(pairsOf(facts), name), group !== "query" && isLeftOut(name, MINOR)),
    );
  };
  return [
    plain("outcome", "status", outcomeOf),
    ...named("query", ({ query }) => query),
    ...named("request", ({ requestFields }) => headersOf(requestFields)),
    ...named("response", ({ responseFields }) => headersOf(responseFields)),
    plain("connection", "connection", connectionOf),
    plain("connection", "server-address", ({ serverAddress }) => serverAddress),
    plain("connection", "protocol", ({ exchange }) => exchange.protocol),
    plain("connection", "client", ({ exchange }) => exchange.client),
  ];
}

/** The status, or the type of the failure; `null` in flight. */
export function outcomeOf({ exchange: { outcome } }: Pick<ExchangeFacts, "exchange">): string | null {
  if (outcome === null) return null;
  return outcome.kind === "responded" ? String(outcome.status) : outcome.errorType;
}

type Pairs = ExchangeFacts["query"];

function headersOf(fields: ExchangeFacts["requestFields"]): Pairs {
  return fields.map(({ name, value }) => [name, value]);
}

function joined(pairs: Pairs, name: string): string | null {
  let text: string | null = null;
  for (const [other, value] of pairs) if (other === name) text = text === null ? value : `${text}, ${value}`;
  return text;
}
