import type { FindingKind } from "../../model/finding.ts";
import { REPEAT_KINDS, type Repeat, type RepeatKind } from "../../model/repeat.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { Detector } from "./draft.ts";
import type { Draft } from "./finding-report.ts";
import { corsPreflights } from "./kinds/cors-preflights.ts";
import { duplicateRequests } from "./kinds/duplicate-requests.ts";
import { nPlusOne } from "./kinds/n-plus-one.ts";
import { polling } from "./kinds/polling.ts";
import { rateLimited } from "./kinds/rate-limited.ts";
import { redirects } from "./kinds/redirects.ts";
import { retries } from "./kinds/retries.ts";
import { unchangedRefetches } from "./kinds/unchanged-refetches.ts";
import { rangesOf } from "./ranges.ts";
import { nameOf, templateOf } from "./text.ts";
import type { Request, Traffic } from "./traffic.ts";

/** The rules, narrower ones first, since later rules skip some of the requests that earlier rules cover. */
const RULES: readonly Detector[] = [
  rateLimited,
  retries,
  corsPreflights,
  redirects,
  nPlusOne,
  polling,
  duplicateRequests,
  unchangedRefetches,
];

/** Kinds whose time is only an upper bound of the saving. */
const UP_TO: ReadonlySet<FindingKind> = new Set<FindingKind>(["n-plus-one", "unchanged-refetches"]);

/** Repeated requests by class, the costliest first. Includes repeats that are too small for a finding. */
export function repeatsOf(traffic: Traffic): readonly Repeat[] {
  const found: Draft[] = [];
  for (const rule of RULES) {
    found.push(...rule({ traffic, found, options: { source: "", baseline: new Map() } }));
  }
  const repeats = found.flatMap((draft) => {
    const { kind } = draft;
    return isRepeatKind(kind) ? [repeatOf(draft, kind, traffic)] : [];
  });
  return Object.freeze([...repeats, ...rangesOf(traffic)].sort(byCost));
}

function isRepeatKind(kind: FindingKind): kind is FindingKind & RepeatKind {
  return REPEAT_KINDS.some((one) => one === kind);
}

function repeatOf({ endpoint, time, bytes, summary, covers }: Draft, kind: FindingKind & RepeatKind, traffic: Traffic) {
  return Object.freeze({
    kind,
    template: endpoint === null ? "" : templateOf(endpoint),
    exchanges: byStart(covers, traffic),
    time,
    isUpTo: UP_TO.has(kind),
    bytes,
    summary: endpoint === null ? summary : summary.slice(nameOf(endpoint).length + 1),
  });
}

function byStart(ids: Iterable<ExchangeId>, { byId }: Traffic): readonly ExchangeId[] {
  const startOf = (id: ExchangeId) => (byId.get(id) as Request).start;
  return Object.freeze([...ids].sort((left, right) => startOf(left) - startOf(right) || left - right));
}

function byCost(one: Repeat, other: Repeat): number {
  return (
    (other.time ?? 0) - (one.time ?? 0) ||
    (other.bytes ?? 0) - (one.bytes ?? 0) ||
    other.exchanges.length - one.exchanges.length
  );
}
