import { clientNameOf, UNKNOWN_CLIENT } from "../../model/client-name.ts";
import type { OperationEndpoint } from "../../model/finding.ts";
import type { Bytes, Milliseconds } from "../../model/units.ts";

/** The most characters of captured text in a sentence. */
const LONGEST_QUOTE = 80;

/** Formats a time: "1,240 ms", "4.2 ms". */
export function inMs(length: Milliseconds): string {
  return `${grouped(length)} ms`;
}

/** Formats a sum of times in the largest fitting unit: "840 ms", "41.2 s", "5 min 58 s". */
export function inTime(length: Milliseconds): string {
  if (length < 999.5) return inMs(length);
  if (length < 59_950) return `${(length / 1_000).toFixed(1)} s`;
  const seconds = Math.round(length / 1_000);
  return `${grouped(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

/** Formats a size: "812 bytes", "34 KB", "1.2 MB". 1 KB is 1024 bytes. */
export function inBytes(size: Bytes): string {
  if (size < 1024) return `${Math.round(size)} bytes`;
  if (size < 1024 * 1024) return `${grouped(size / 1024)} KB`;
  return `${grouped(size / 1024 / 1024)} MB`;
}

/** Formats a share of 1: "34 %". */
export function inPercent(share: number): string {
  return `${grouped(share * 100)} %`;
}

/** Formats a count with its noun: "1 request", "1,200 requests". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** "9 left out: their times are uncertain"; "" if none is. */
export function leftOutText(count: number): string {
  return count === 0 ? "" : `${counted(count, "left out: its times are", "left out: their times are")} uncertain`;
}

/** Formats a number: one decimal for a fraction below 10, else no decimals; commas between groups of three digits. */
function grouped(value: number): string {
  const digits = Math.abs(value) < 10 && !Number.isInteger(value) ? value.toFixed(1) : String(Math.round(value));
  return digits.replace(/\B(?=(?:\d{3}){1,7}$)/g, ",");
}

/** Joins names: "A, then B, then 3 more". */
export function inTurn(names: readonly string[], most = 4): string {
  const more = names.length - most;
  const shown = more > 1 ? [...names.slice(0, most), `${more} more`] : names;
  return shown.join(", then ");
}

/**
 * Names an endpoint: "GET /users/{id}", "POST /graphql · GetUser". The result is captured text on one line, shortened.
 */
export function nameOf({ method, path, operation }: OperationEndpoint): string {
  return quoted(`${method} ${path}${operation === null ? "" : ` · ${operation}`}`);
}

/** As `nameOf`: "GET /users/{id} and 2 other endpoints". */
export function nameWithOthers(endpoint: OperationEndpoint, others: number, noun = "other endpoint"): string {
  return others === 0 ? nameOf(endpoint) : `${nameOf(endpoint)} and ${counted(others, noun)}`;
}

/** `<METHOD> <origin><path>`, and the operation if there is one. The result is captured text. */
export function templateOf({ method, origin, path, operation }: OperationEndpoint): string {
  return `${method} ${origin}${path}${operation === null ? "" : ` · ${operation}`}`;
}

/** Returns captured text on one line, shortened. */
export function quoted(text: string): string {
  const line = text.replace(/\p{Cc}{1,64}/gu, " ");
  return line.length <= LONGEST_QUOTE ? line : `${line.slice(0, LONGEST_QUOTE - 1)}…`;
}

/** A client's name as the window shows it; "The client" if the name is unknown. The result is captured text. */
export function clientOf(client: string): string {
  const name = quoted(clientNameOf(client));
  return name === UNKNOWN_CLIENT ? "The client" : name;
}
