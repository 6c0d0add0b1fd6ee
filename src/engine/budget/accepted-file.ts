import * as v from "valibot";
import { visibleJson } from "../interchange/table.ts";
import { failure, type Result, success } from "../model/result.ts";
import { amount, atLeast, type Fault, faultAt, readJson } from "./json-file.ts";

const FINGERPRINT = /^[0-9a-f]{16}$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** The finding's cost in a session of so many requests, and the p50 of so many latencies of its endpoint. */
const cost = v.strictObject({
  time: v.optional(amount),
  bytes: v.optional(amount),
  count: v.optional(atLeast(1)),
  requests: v.optional(atLeast(1)),
  p50: v.optional(amount),
  latencies: v.optional(atLeast(1)),
});

const entry = v.strictObject({
  fingerprint: v.pipe(v.string("a text"), v.regex(FINGERPRINT, "a fingerprint of 16 hexadecimal digits")),
  /** The finding in words, for those who read the file. */
  finding: v.optional(v.string("a text")),
  reason: v.pipe(v.string("a text"), v.trim(), v.nonEmpty("a text that is not empty")),
  /** The last day on which the finding is accepted, by UTC; absent: any day. */
  until: v.optional(v.pipe(v.string("a text"), v.check(isDate, "a date such as 2026-12-31"))),
  /** What it cost when it was accepted; absent: not known. */
  cost: v.optional(cost),
});

const accepted = v.strictObject({
  $schema: v.optional(v.string("a text")),
  schema: v.literal(1, "1"),
  accepted: v.array(entry),
});

/** A finding that a team accepts. */
export type AcceptedEntry = Readonly<v.InferOutput<typeof entry>>;

export type AcceptedCost = NonNullable<AcceptedEntry["cost"]>;

export interface AcceptedFile {
  readonly $schema?: string | undefined;
  readonly schema: 1;
  readonly accepted: readonly AcceptedEntry[];
}

export const NOTHING_ACCEPTED: AcceptedFile = Object.freeze({ schema: 1, accepted: Object.freeze([]) });

/**
 * Parses an accepted file. The message of a failure is a sentence that names the error and, if the file is JSON, the
 * line.
 */
export function acceptedOf(merged: string): Result<AcceptedFile> {
  const text = withCommas(merged);
  const read = readJson(text, accepted, "the file", foreignIn);
  if (!read.ok) return read;
  const all = read.value.accepted.map(({ fingerprint }) => fingerprint);
  const seen = new Set<string>();
  const twice = all.findIndex((fingerprint) => seen.size === seen.add(fingerprint).size);
  if (twice < 0) return success(read.value);
  return faultAt(text, "the file", { path: ["accepted", twice, "fingerprint"], reason: `${all[twice]} occurs twice` });
}

/** A merge that keeps the lines of both sides leaves no comma between two last entries, or one after the last. */
function withCommas(text: string): string {
  return text.replaceAll(/\}(?=[ \t\r]*\n[ \t]*\{)/g, "},").replaceAll(/,(?=[ \t\r]*\n[ \t]*\])/g, "");
}

function foreignIn(json: unknown): Fault | null {
  if (typeof json !== "object" || json === null || Object.hasOwn(json, "accepted")) return null;
  return { path: [], reason: 'has no list "accepted", so it is not one that weir accept wrote' };
}

/**
 * The file's text: entries by finding, then by fingerprint, so that the same entries give the same bytes. Each is one
 * line, so that a merge never mixes two of them.
 */
export function acceptedText({ $schema, accepted: entries }: AcceptedFile): string {
  const sorted = entries.toSorted(
    (one, other) => compared(one.finding ?? "", other.finding ?? "") || compared(one.fingerprint, other.fingerprint),
  );
  const lines = sorted.map(({ fingerprint, finding, reason, until, cost: known }) => {
    const { time, bytes, count, requests, p50, latencies } = known ?? {};
    const cost = known === undefined ? undefined : { time, bytes, count, requests, p50, latencies };
    return `    ${JSON.stringify({ fingerprint, finding, reason, until, cost }, null, 1).replaceAll(/\n */g, " ")}`;
  });
  const schema = $schema === undefined ? "" : `  "$schema": ${JSON.stringify($schema)},\n`;
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  return `${visibleJson(`{\n${schema}  "schema": 1,\n  "accepted": ${list}\n}`)}\n`;
}

/** The file with `entries`, each in place of one with its fingerprint. */
export function withAccepted(file: AcceptedFile, entries: readonly AcceptedEntry[]): AcceptedFile {
  const added = new Set(entries.map(({ fingerprint }) => fingerprint));
  return { ...file, accepted: [...file.accepted.filter(({ fingerprint }) => !added.has(fingerprint)), ...entries] };
}

/** Parses the last day of an acceptance, which must not be over. `today`: as in "2026-12-31". */
export function untilOf(text: string, today: string): Result<string> {
  if (!isDate(text)) return failure(`--until takes a date such as 2026-12-31, not "${text}".`);
  return text < today ? failure(`--until ${text} is over already.`) : success(text);
}

/** Whether a text is a day of the calendar (RFC 3339, full-date). */
function isDate(text: string): boolean {
  const at = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
