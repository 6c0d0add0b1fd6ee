import type {
  SlowEndpointRecord,
  SlowGroupRecord,
  SlowOverview,
} from "../../../../engine/messages/latency-messages.ts";
import type { ExchangeId } from "../../../../engine/model/units.ts";
import { moveAmong } from "../../../parts/menu-keys.ts";
import type { ListSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { view } from "../../mounted.ts";
import { reuseRows } from "../../reuse-rows.ts";
import {
  comparisonText,
  moreText,
  namesText,
  noCauseReason,
  type SlowEndpointRow,
  type SlowMemberRow,
  type SlowOpening,
  slowEndpointRowOf,
  slowMemberRowOf,
  withoutCauseText,
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
  let hasToggled = false;

  const groupQuery = () => {
    const { filter, cause, endpoint } = scope.now;
    return { view: "slow-groups", filter, cause, endpoint, range: { from: 0, count: MOST_ROWS } } as const;
  };
  const memberQuery = ({ endpoint, group }: SlowOpening) => {
    const { filter, cause } = scope.now;
    return { view: "slow", filter, cause, endpoint, group, range: { from: 0, count: MOST_MEMBERS } } as const;
  };

  return view({
    /** The endpoints with a common cause, and those that are still compared. */
    rows: Object.freeze([]) as readonly SlowEndpointRow[],
    moreRows: "",
    /**
     * The endpoints without a common cause, listed while `isRestOpen`, which begins as true if no other endpoint is
     * listed. `restText`: all of them in one line; `restNames`: the costliest of them.
     */
    rest: Object.freeze([]) as readonly SlowEndpointRow[],
    restText: "",
    restNames: "",
    restNote: "",
    moreRest: "",
    isRestOpen: false,
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
        const endpoints = records.filter(isEndpoint);
        const without = endpoints.filter(({ isWithoutCause }) => isWithoutCause);
        const withCause = endpoints.filter(({ isWithoutCause }) => !isWithoutCause);
        const restCount = overview?.endpoints ?? 0;
        this.rows = reuseRows(this.rows, withCause.map(slowEndpointRowOf));
        this.moreRows = moreText(groups.state.matched - (overview === undefined ? 0 : 1) - restCount, withCause.length);
        this.rest = reuseRows(this.rest, without.map(slowEndpointRowOf));
        this.restNames = namesText(this.rest, restCount);
        this.restNote = noCauseReason(without);
        this.moreRest = moreText(restCount, without.length);
        this.restText = overview === undefined ? "" : withoutCauseText(overview);
        if (withCause.length === 0 && restCount > 0 && !hasToggled) this.isRestOpen = true;
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

    toggleRest(): void {
      hasToggled = true;
      if (this.rest.some((row) => this.opened === row.key)) this.close();
      this.isRestOpen = !this.isRestOpen;
    },

    /** Up and down go through everything that opens. Escape closes the opened row or line, then the folded endpoints. */
    onListKey(event: KeyboardEvent): void {
      if (event.key === "Escape") this.closeOne(event);
      else moveAmong(event, [...this.$root.querySelectorAll<HTMLElement>("button")]);
    },

    /** Closes one level, and moves the focus to the button that opened it. An open inspector closes first. */
    closeOne(event: KeyboardEvent): void {
      if (selection.now.exchange !== null || (this.opened === "" && !this.isRestOpen)) return;
      event.stopPropagation();
      const openers = this.$root.querySelectorAll<HTMLElement>('[aria-expanded="true"]');
      openers[openers.length - 1]?.focus();
      if (this.opened === "") this.toggleRest();
      else this.close();
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
