import type { ChainRecord, Chains, RepeatRecord } from "../../../../engine/messages/chain-messages.ts";
import type { ListState } from "../../../../engine/messages/list-messages.ts";
import { hostOf } from "../../../../engine/model/endpoint.ts";
import { capitalized } from "../../../../engine/model/letter-case.ts";
import type { RepeatKind } from "../../../../engine/model/repeat.ts";
import type { ExchangeId } from "../../../../engine/model/units.ts";
import { bytesPhrase } from "../../../format/bytes.ts";
import { clockText } from "../../../format/clock.ts";
import { countPhrase, countText, NO_FIGURE } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { isSafeMethod } from "../../../format/method.ts";
import { moveAmong } from "../../../parts/menu-keys.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../../state/subscription-store.ts";
import { openMenuOf, positionAt } from "../../context-menu.ts";
import type { Matches, ViewDependencies } from "../../dependencies.ts";
import { isPending } from "../../list-now.ts";
import { PANEL_HEIGHT } from "../../panel-height.ts";
import { reuseIfEqual, reuseRows } from "../../reuse-rows.ts";
import { view } from "../../view.ts";
import {
  type ChainPanelTexts,
  type ChainRow,
  chainPanelOf,
  chainRowsOf,
  emptyTitleOf,
  progressText,
  type StepRow,
} from "./chain-rows.ts";

/** The most repeats listed; a line below them counts the others. */
const MOST_REPEATS = 100;

/** The tab Chains: exchanges that waited for each other, and requests that were repeated without need. */
export function chainsTab(deps: ViewDependencies) {
  const { windows, selection, showMatches } = deps;
  let found: ValueSubscription<"chains">;
  let repeats: ListSubscription<"repeats">;
  let unwatch = (): void => {};

  return view({
    ...PANEL_HEIGHT,
    chains: Object.freeze([]) as readonly ChainRow[],
    /** Key of the chain whose panel is open; "" if none is. */
    opened: selection.now.opened ?? "",
    panel: null as ChainPanelTexts | null,
    progress: "",
    repeats: Object.freeze([]) as readonly RepeatRow[],
    moreRepeats: "",
    /** Title of the empty tab; "" if the tab has rows or the answer is awaited. */
    empty: "",
    filtered: selection.now.filter !== "",

    init(): void {
      const draw = (): void => {
        const chains: Chains | undefined = found.value;
        this.empty = emptyTitleOf(found, repeats);
        const isSearched = chains !== undefined && chains.progress > 0;
        if ((isSearched || found.problem !== null) && !isPending(repeats))
          showMatches(matchesOfChains(chains, repeats, found.problem));
        if (chains === undefined) return;
        this.chains = reuseRows(this.chains, chainRowsOf(chains));
        this.progress = progressText(chains);
        showPanel(chains);
      };
      const showPanel = ({ chains }: Chains): void => {
        const index = this.chains.findIndex(({ key }) => key === this.opened);
        const chain = chains[index];
        this.panel = chain === undefined ? null : panelOf(chain, this.panel);
      };
      found = windows.value({ view: "chains", filter: selection.now.filter }, draw);
      repeats = windows.list(repeatsQuery(selection.now.filter), () => {
        this.repeats = reuseRows(this.repeats, repeats.rows().map(repeatRowOf));
        this.moreRepeats = moreRepeatsText(repeats.state);
        draw();
      });
      unwatch = selection.watch(({ filter, opened }) => {
        this.filtered = filter !== "";
        if ((opened ?? "") !== this.opened) {
          this.opened = opened ?? "";
          if (found.value !== undefined) showPanel(found.value);
        }
        found.update({ view: "chains", filter });
        repeats.update(repeatsQuery(filter));
      });
    },

    destroy(): void {
      unwatch();
      showMatches(null);
      found.close();
      repeats.close();
    },

    open(row: ChainRow): void {
      selection.set({ exchange: null, opened: this.opened === row.key ? null : row.key });
    },

    close(): void {
      this.$root.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
      selection.set({ opened: null });
    },

    onListKey(event: KeyboardEvent): void {
      moveAmong(event, [...this.$root.querySelectorAll<HTMLElement>(".chain-row")]);
    },

    showInTimeline({ between }: ChainRow): void {
      // Clears the filter, because it could hide exchanges of the chain in the timeline.
      selection.set({ view: "timeline", between, filter: "", exchange: null });
    },

    openStep({ key }: StepRow): void {
      selection.set({ exchange: key, inspectorTab: "timing" });
    },

    /** Opens the menu of a step's exchange, or of the first exchange of a repeat. */
    onMenu(event: MouseEvent, exchange: ExchangeId | null): void {
      event.preventDefault();
      if (exchange !== null) void openMenuOf(deps, exchange, positionAt(event));
    },

    openRepeat({ first }: RepeatRow): void {
      if (first !== null) selection.set({ exchange: first, inspectorTab: "overview" });
    },
  });
}

function repeatsQuery(filter: string): QueryOf<"repeats"> & { readonly view: "repeats" } {
  return { view: "repeats", filter, range: { from: 0, count: MOST_REPEATS } };
}

/** Counts chains and repeats together: those that match the filter, and all. */
function matchesOfChains(
  found: Chains | undefined,
  { state }: ListSubscription<"repeats">,
  problem: string | null,
): Matches {
  const matched = (found?.chains.length ?? 0) + state.matched;
  return { matched, total: (found?.total ?? 0) + state.total, problem };
}

/** Reuses the unchanged steps of a growing chain, so that only changed steps are redrawn. */
function panelOf(chain: ChainRecord, before: ChainPanelTexts | null): ChainPanelTexts {
  const now = chainPanelOf(chain);
  if (before === null) return now;
  return Object.freeze({
    ...now,
    steps: reuseRows(before.steps, now.steps),
    axis: reuseIfEqual(before.axis, now.axis),
  });
}

/** Requests to one endpoint, repeated for one reason. */
type RepeatRow = ReturnType<typeof repeatRowOf>;

const KINDS: Readonly<Record<RepeatKind, string>> = {
  "n-plus-one": "One request per item",
  "duplicate-requests": "Duplicates",
  "unchanged-refetches": "Fetched again unchanged",
  polling: "Polling",
  retries: "Retries",
  "cors-preflights": "Preflights",
  ranges: "Fetched in parts",
};

export function repeatRowOf(record: RepeatRecord) {
  const { kind, template, summary, exchanges, start, bytes } = record;
  const [, method = "", origin = "", path = ""] = /^(\S+) ([a-z]+:\/\/[^/]*)(.*)$/is.exec(template) ?? [];
  return Object.freeze({
    key: record.key,
    kind: KINDS[kind],
    method,
    /** Whether the method may change something on the server. */
    changes: !isSafeMethod(method),
    path: path === "" ? template : path,
    host: hostOf(origin),
    sentence: capitalized(summary),
    count: countText(exchanges),
    /** The time lost: "up to 320 ms". */
    time: timeText(record),
    bytes: bytesPhrase(bytes),
    /** The endpoint's template, and the start of the first request. */
    title: `${template}\nfirst at ${clockText(start)}`,
    /** The first exchange, which a click opens. */
    first: record.ids[0] ?? null,
  });
}

function timeText({ time, isUpTo }: RepeatRecord): string {
  if (time === null) return NO_FIGURE;
  return `${isUpTo ? "up to " : ""}${durationText(time)} ms`;
}

/** "and 40 more repeats"; "" if all repeats are listed. */
export function moreRepeatsText({ matched, keys }: ListState): string {
  const left = matched - keys.length;
  return left > 0 ? `and ${countPhrase(left, "more repeat", "more repeats")}` : "";
}
