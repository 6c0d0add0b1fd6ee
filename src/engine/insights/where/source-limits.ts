import { hasOneOf, type Tag, UNKNOWN_METHOD, UNKNOWN_PROTOCOL } from "../../model/exchange.ts";
import { runIn } from "../../model/session-name.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { counted } from "../findings/text.ts";
import { groupedBy } from "../grouped.ts";

const IMPORTED: readonly Tag[] = ["imported"];
const MOCKED: readonly Tag[] = ["mocked"];

/** A page with fewer requests usually has no cookies. */
const LEAST_HEADS = 20;

/** Fewer whole lengths are whole by chance. */
const LEAST_LENGTHS = 5;

/** Lengths in ms that differ by less than this are equal, since instants are sums of floating-point numbers. */
const ROUNDING = 1e-3;

/** What an imported file cannot tell, in sentences; empty for what Weir captured itself. */
export function sourceLimitsOf(facts: readonly ExchangeFacts[]): readonly string[] {
  const imported = facts.filter(({ exchange }) => hasOneOf(exchange.tags, IMPORTED));
  if (imported.length === 0) return [];
  const limits: string[] = [];
  const inRuns = groupedBy(imported, ({ exchange }) => runIn(exchange.client));
  if (inRuns.size > 1) limits.push(`The file holds ${inRuns.size} runs, each with a client of its own.`);
  const mocked = imported.filter(({ exchange }) => hasOneOf(exchange.tags, MOCKED));
  if (mocked.length > 0)
    limits.push(
      `${mocked.length} of ${counted(imported.length, "answer")} ${mocked.length === 1 ? "was" : "were"} mocked.`,
    );
  const withBody = imported.filter(({ exchange }) => exchange.encodedBodySize > 0);
  const isKept = withBody.filter(({ responseBody }) => responseBody.hash !== null);
  if (withBody.length > 0 && isKept.length === 0)
    limits.push("The file has no bodies, so links by value cannot be found.");
  const withHead = imported.filter((one) => one.requestFields.length + one.responseFields.length > 0);
  if (withHead.length === 0) limits.push("The file has no headers.");
  if (withHead.length >= LEAST_HEADS && withHead.filter(hasCredentials).length === 0)
    limits.push("It has no cookies and no credentials; they may have been removed.");
  const unnamed = imported.filter(({ exchange }) => exchange.protocol === UNKNOWN_PROTOCOL);
  if (unnamed.length > 0) limits.push(`${partOf(unnamed, imported)} without a protocol.`);
  const unsaid = imported.filter(({ exchange }) => exchange.method === UNKNOWN_METHOD);
  if (unsaid.length > 0) limits.push(`${partOf(unsaid, imported)} without a method.`);
  const lengths = imported.filter((one) => lengthOf(one) !== null);
  const whole = lengths.filter((one) => isWhole(lengthOf(one) ?? 0));
  if (lengths.length >= LEAST_LENGTHS && whole.length === lengths.length)
    limits.push("Its times are whole milliseconds.");
  return limits;
}

function partOf(some: readonly ExchangeFacts[], all: readonly ExchangeFacts[]): string {
  return `${some.length} of ${counted(all.length, "request")} ${some.length === 1 ? "is" : "are"}`;
}

function hasCredentials({ requestFields, responseFields }: ExchangeFacts): boolean {
  return [...requestFields, ...responseFields].some(({ name }) => CREDENTIALS.has(name));
}

const CREDENTIALS: ReadonlySet<string> = new Set(["cookie", "set-cookie", "authorization"]);

function lengthOf({ exchange: { instants } }: ExchangeFacts): number | null {
  return instants.responseEnd === null ? null : instants.responseEnd - instants.startTime;
}

function isWhole(length: number): boolean {
  return Math.abs(length - Math.round(length)) < ROUNDING;
}
