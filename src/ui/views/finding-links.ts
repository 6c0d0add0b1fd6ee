import type { FindingName } from "../../engine/messages/finding-messages.ts";
import { FINDING_NAMES } from "../../engine/model/finding.ts";
import { bytesPhrase } from "../format/bytes.ts";
import { lostTimePhrase } from "../format/lost-time.ts";
import type { Selection } from "../state/selection.ts";

/** A finding that includes an exchange or an endpoint; a click opens the finding. */
export interface FindingLink {
  readonly key: string;
  /** The name of the finding's kind: "N+1 requests". */
  readonly name: string;
  readonly summary: string;
  /** The lost time and bytes: "up to 6.3 s lost", "up to 203 KB avoidable"; "" if neither is known. */
  readonly cost: string;
}

export function findingLinksOf(names: readonly FindingName[]): readonly FindingLink[] {
  return Object.freeze(names.map(linkOf));
}

function linkOf({ key, kind, summary, time, bytes, isUpTo }: FindingName): FindingLink {
  return Object.freeze({ key, name: FINDING_NAMES[kind], summary, cost: costPhrase({ time, bytes, isUpTo }) });
}

/** The cost of a finding: time and bytes, as far as known. */
export function costPhrase({ time, bytes, isUpTo }: Pick<FindingName, "time" | "bytes" | "isUpTo">): string {
  return [
    ...(time === null ? [] : [`${isUpTo ? "up to " : ""}${lostTimePhrase(time)} lost`]),
    ...(bytes === null ? [] : [`up to ${bytesPhrase(bytes)} avoidable`]),
  ].join(", ");
}

export function openFinding(selection: Selection, { key, name }: Pick<FindingLink, "key" | "name">): void {
  const finding = { key, title: name, exchanges: new Set<never>() };
  selection.set({ view: "performance", performanceTab: "findings", finding, exchange: null, endpoint: null });
}
