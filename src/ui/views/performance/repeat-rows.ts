import { PLACEHOLDER } from "../../../engine/insights/path-template.ts";
import type { RepeatRecord } from "../../../engine/messages/finding-messages.ts";
import type { ListState } from "../../../engine/messages/list-messages.ts";
import { hostOf } from "../../../engine/model/endpoint.ts";
import type { ExchangeId, Milliseconds } from "../../../engine/model/units.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { clockText } from "../../format/clock.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { axisText } from "../../format/duration.ts";
import { isSafeMethod } from "../../format/method.ts";

/** One finding, as a sentence a person can act on. */
export interface RepeatRow {
  readonly key: string;
  readonly kind: string;
  readonly method: string;
  /** It may change something on the server. */
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
  readonly sentence: string;
  readonly count: string;
  readonly started: string;
  readonly title: string;
  /** The first of them, to open. */
  readonly first: ExchangeId | null;
}

export function repeatRowOf(record: RepeatRecord): RepeatRow {
  const { kind, template, exchanges, start, end } = record;
  const [, method = "", origin = "", path = ""] = /^(\S+) ([a-z]+:\/\/[^/]*)(.*)$/is.exec(template) ?? [];
  return Object.freeze({
    key: record.key,
    kind: kind === "n+1" ? "N+1" : "Duplicate",
    method,
    changes: !isSafeMethod(method),
    path: path === "" ? template : path,
    host: hostOf(origin),
    sentence: sentenceOf(record, lengthText(end - start)),
    count: `${countText(exchanges)}x`,
    started: clockText(start),
    title: template,
    first: record.ids[0] ?? null,
  });
}

/** "and 40 more"; "" = all are listed. */
export function moreRepeatsText({ matched, keys }: ListState): string {
  const left = matched - keys.length;
  return left > 0 ? `and ${countPhrase(left, "more finding", "more findings")}` : "";
}

/** "850 ms", "24.2 s". */
function lengthText(length: Milliseconds): string {
  return axisText(length >= 1_000 ? Math.round(length / 100) * 100 : Math.max(1, Math.round(length)));
}

function sentenceOf(record: RepeatRecord, within: string): string {
  const { kind, template, exchanges, bytes } = record;
  if (kind === "n+1") {
    const parts = template.split(`/${PLACEHOLDER}`).length - 1;
    const where = parts === 1 ? "one part" : `${countText(parts)} parts`;
    return `${countText(exchanges)} requests that differ in ${where} of the path within ${within}: one request for all would do.`;
  }
  const spent = bytes > 0 ? `, ${bytesPhrase(bytes)} in all` : "";
  return `The same request ${countText(exchanges)} times within ${within}${spent}${judgementOf(record)}`;
}

/** What was asked again because it had failed, and what changes something or streams, no first answer could have served. */
function judgementOf({ template, failed, streams }: RepeatRecord): string {
  if (failed > 0) return `; ${countText(failed)} of them failed.`;
  const [method = ""] = template.split(" ", 1);
  return streams || !isSafeMethod(method) ? "." : ": the first answer could have been kept.";
}
