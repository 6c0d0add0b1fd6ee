import type { SlowGroupRecord } from "../../../../engine/messages/latency-messages.ts";
import type { ExchangeId } from "../../../../engine/model/units.ts";
import { moveAmong } from "../../../parts/menu-keys.ts";
import type { ListSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { view } from "../../mounted.ts";
import { reuseRows } from "../../reuse-rows.ts";
import {
  comparisonText,
  moreText,
  type SlowGroupRow,
  type SlowMemberRow,
  slowGroupRowOf,
  slowMemberRowOf,
} from "./slow-group-rows.ts";
import type { SlowScope } from "./slow-scope.ts";

/** The most groups listed, and the most requests listed in an opened group. Default; not from a specification. */
const MOST_GROUPS = 100;
const MOST_MEMBERS = 50;

/**
 * Slow requests by endpoint and cause, the largest loss first. `showEvery`: shows a group in the list of single
 * requests.
 */
export function slowGroups(
  { windows, selection }: ViewDependencies,
  scope: SlowScope,
  showEvery: (row: SlowGroupRow) => void,
) {
  let groups: ListSubscription<"slow-groups">;
  let members: ListSubscription<"slow"> | null = null;
  let unwatch = (): void => {};

  const groupQuery = () => {
    const { filter, cause, endpoint } = scope.now;
    return { view: "slow-groups", filter, cause, endpoint, range: { from: 0, count: MOST_GROUPS } } as const;
  };
  const memberQuery = ({ endpoint, group }: SlowGroupRow) => {
    const { filter, cause } = scope.now;
    return { view: "slow", filter, cause, endpoint, group, range: { from: 0, count: MOST_MEMBERS } } as const;
  };

  return view({
    groups: Object.freeze([]) as readonly SlowGroupRow[],
    moreGroups: "",
    progress: "",
    /** Key of the opened group; "" if none is. */
    opened: "",
    members: Object.freeze([]) as readonly SlowMemberRow[],
    moreMembers: "",

    init(): void {
      groups = windows.list<"slow-groups">(groupQuery(), () => {
        const records: readonly SlowGroupRecord[] = groups.rows();
        this.groups = reuseRows(this.groups, records.map(slowGroupRowOf));
        this.moreGroups = moreText(groups.state);
        this.progress = comparisonText(records);
      });
      unwatch = scope.watch(() => {
        close();
        groups.update(groupQuery());
      });
      const close = (): void => {
        this.opened = "";
        this.members = Object.freeze([]);
        members?.close();
        members = null;
      };
    },

    destroy(): void {
      unwatch();
      groups.close();
      members?.close();
      members = null;
    },

    open(row: SlowGroupRow): void {
      members?.close();
      members = null;
      this.members = Object.freeze([]);
      this.moreMembers = "";
      this.opened = this.opened === row.key ? "" : row.key;
      if (this.opened === "") return;
      const opened = windows.list<"slow">(memberQuery(row), () => {
        this.members = reuseRows(this.members, opened.rows().map(slowMemberRowOf));
        this.moreMembers = moreText(opened.state);
      });
      members = opened;
    },

    /** Up and down go through the groups and the requests of the open group. */
    onListKey(event: KeyboardEvent): void {
      moveAmong(event, [...this.$root.querySelectorAll<HTMLElement>(".slow-group-row, .slow-member")]);
    },

    openMember({ key }: SlowMemberRow): void {
      selection.set({ exchange: key as ExchangeId, inspectorTab: "timing" });
    },

    showAll(row: SlowGroupRow): void {
      showEvery(row);
    },
  });
}
