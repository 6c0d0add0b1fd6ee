import type { ExchangeFacts } from "./exchange-facts.ts";
import { valuesIn } from "./facts/field-values.ts";

/** An origin that offers HTTP/3, and the HTTP version that Weir used with it last. */
export interface Http3Origin {
  readonly origin: string;
  readonly used: "HTTP/1.1" | "HTTP/2";
}

/** Whether this value of Alt-Svc offers HTTP/3 (RFC 7838, 3; RFC 9114, 3.1.1). */
export function offersHttp3(altSvc: string): boolean {
  return /(?:^|,)[ \t]{0,8}h3(?:-\d{1,3})?[ \t]{0,8}=/i.test(altSvc.replace(/"[^"]*"/g, ""));
}

/** What a user is told of such a server. `used`: the version that Weir spoke with it, since a proxy excludes HTTP/3. */
export function http3Sentence(used: string): string {
  return `browsers use HTTP/3 with this server; through Weir ${used}`;
}

/** The origins whose servers offered HTTP/3 to Weir. Imported exchanges may have used it. `facts`: by start. */
export function http3OriginsOf(facts: readonly ExchangeFacts[]): readonly Http3Origin[] {
  const origins = new Map<string, Http3Origin>();
  for (const { exchange, responseFields } of facts) {
    const { origin, stream, outcome, tags } = exchange;
    if (outcome?.kind !== "responded" || tags.includes("imported")) continue;
    if (!valuesIn(responseFields, "alt-svc").some(offersHttp3)) continue;
    origins.set(origin, Object.freeze({ origin, used: stream === null ? "HTTP/1.1" : "HTTP/2" }));
  }
  return Object.freeze([...origins.values()]);
}
