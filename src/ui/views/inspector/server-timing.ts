import type { Milliseconds } from "../../../engine/model/units.ts";

export interface ServerMetric {
  readonly name: string;
  readonly length: Milliseconds;
}

/**
 * The metrics of `db;dur=53.2;desc="rows", cache;dur=2` (W3C Server Timing, section 3). A metric without a duration is
 * omitted.
 */
export function serverMetricsOf(header: string | null): readonly ServerMetric[] {
  if (header === null) return Object.freeze([]);
  const metrics: ServerMetric[] = [];
  for (const metric of splitOutsideQuotes(header, ",")) {
    const [name = "", ...parameters] = splitOutsideQuotes(metric, ";").map((part) => part.trim());
    const length = durationOf(parameters);
    if (name !== "" && length !== null) metrics.push(Object.freeze({ name, length }));
  }
  return Object.freeze(metrics);
}

function durationOf(parameters: readonly string[]): Milliseconds | null {
  for (const parameter of parameters) {
    const value = /^dur\s*=\s*"?([\d.]+)"?$/i.exec(parameter)?.[1];
    if (value !== undefined && Number.isFinite(Number(value))) return Number(value);
  }
  return null;
}

function splitOutsideQuotes(text: string, separator: "," | ";"): string[] {
  const parts = [""];
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}
