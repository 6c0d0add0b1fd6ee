import type {
  SlowEndpointRecord,
  SlowGroupRecord,
  SlowOverview,
} from "../../../../engine/messages/latency-messages.ts";
import type { ExchangeId } from "../../../../engine/model/units.ts";
import { moveAmong } from "../../../parts/menu-keys.ts";
import type { ListSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { reuseRows } from "../../reuse-rows.ts";
import { view } from "../../view.ts";
import {
  comparisonText,
  moreText,
  type SlowEndpointRow,
  type SlowMemberRow,
  type SlowOpening,
  slowEndpointRowOf,
  slowMemberRowOf,
} from "./slow-group-rows.ts";
import type { SlowScope } from "./slow-scope.ts";

/** The most rows of the list, one of which is the overview, and the most requests listed below an opened row. */
const MOST_ROWS = 101;
const MOST_MEMBERS = 50;

/**
 * Slow requests by endpoint, the largest loss first, with the causes of each endpoint. `showEvery`: shows the requests
 * of a row in the list of single requests.
 */
export function slowGroups(
  { windows, selection }: ViewDependencies,
  scope: SlowScope,
  showEvery: (opening: SlowOpening) => void,
) {
  let groups: ListSubscription<"slow-groups">;
  let members: ListSubscription<"slow"> | null = null;
  let unwatch = (): void => {};
  let showOpened = (): void => {};

  const groupQuery = () => {
    const { filter, cause, endpoint } = scope.now;
    return { view: "slow-groups", filter, cause, endpoint, range: { from: 0, count: MOST_ROWS } } as const;
  };
  const memberQuery = ({ endpoint, group }: SlowOpening) => {
    const { filter, cause } = scope.now;
    return { view: "slow", filter, cause, endpoint, group, range: { from: 0, count: MOST_MEMBERS } } as const;
  };

  return view({
    rows: Object.freeze([]) as readonly SlowEndpointRow[],
    moreRows: "",
    progress: "",
    /** Key of the opened row or line; "" if none is. */
    opened: "",
    members: Object.freeze([]) as readonly SlowMemberRow[],
    membersTitle: "",
    moreMembers: "",

    init(): void {
      groups = windows.list<"slow-groups">(groupQuery(), () => {
        const records: readonly SlowGroupRecord[] = groups.rows();
        const overview = records.find(isOverview);
        this.rows = reuseRows(this.rows, records.filter(isEndpoint).map(slowEndpointRowOf));
        this.moreRows = moreText(groups.state.matched, records.length);
        this.progress = overview === undefined ? "" : comparisonText(overview);
      });
      unwatch = scope.watch(() => {
        this.close();
        groups.update(groupQuery());
      });
    },

    destroy(): void {
      unwatch();
      groups.close();
      members?.close();
      members = null;
    },

    open(opening: SlowOpening): void {
      const wasOpen = this.opened === opening.key;
      this.close();
      if (wasOpen) return;
      this.opened = opening.key;
      this.membersTitle = opening.title;
      showOpened = () => showEvery(opening);
      const opened = windows.list<"slow">(memberQuery(opening), () => {
        this.members = reuseRows(this.members, opened.rows().map(slowMemberRowOf));
        this.moreMembers = moreText(opened.state.matched, opened.state.keys.length);
      });
      members = opened;
    },

    close(): void {
      this.opened = "";
      this.members = Object.freeze([]);
      this.moreMembers = "";
      members?.close();
      members = null;
    },

    /** Up and down go through everything that opens. Escape closes what is open. */
    onListKey(event: KeyboardEvent): void {
      if (event.key === "Escape") this.closeOpened(event);
      else moveAmong(event, [...this.$root.querySelectorAll<HTMLElement>("button")]);
    },

    /** Moves the focus to the button that opened the requests. An open inspector closes first. */
    closeOpened(event: KeyboardEvent): void {
      if (selection.now.exchange !== null || this.opened === "") return;
      event.stopPropagation();
      this.$root.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
      this.close();
    },

    openMember({ key }: SlowMemberRow): void {
      selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" });
    },

    showAll(): void {
      showOpened();
    },
  });
}

function isOverview(record: SlowGroupRecord): record is SlowOverview {
  return record.key === "overview";
}

function isEndpoint(record: SlowGroupRecord): record is SlowEndpointRecord {
  return !isOverview(record);
}
