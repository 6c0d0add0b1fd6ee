import type { Command } from "../../../engine/messages/messages.ts";
import type { SessionRecord } from "../../../engine/messages/session-messages.ts";
import { nameOf } from "../../format/session-name.ts";
import { COMPARE } from "../../state/selection.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { PANEL_HEIGHT } from "../panel-height.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { deletionStep } from "../session-undo.ts";
import { view } from "../view.ts";
import { compareTable, type Pair, type Side } from "./compare.ts";
import { importDialog } from "./import.ts";
import { markedChanges } from "./marked-changes.ts";
import { type SessionRow, sessionRowOf, sessionsText } from "./session-rows.ts";
import { type TrashRow, trashRowOf, trashText } from "./trash.ts";

/** Milliseconds between updates of the current session's age. */
const TICK_MS = 1_000;

/** The view Sessions: stored sessions with their figures, to open, name, compare, delete and import. */
export function sessionsView(deps: ViewDependencies) {
  let sessions: ValueSubscription<"sessions">;
  let shown: ValueSubscription<"shown">;
  let ticking: ReturnType<typeof setInterval> | undefined;
  let compared: Pair | null = null;
  /** The compared sessions, written as at `COMPARE`; "" without a comparison. */
  let comparing = "";
  let unwatch = (): void => {};

  const records = (): readonly SessionRecord[] => sessions.value?.sessions ?? [];
  const run = async (command: Command, done: string): Promise<boolean> => {
    const reply = await deps.commands.send(command);
    deps.announce(reply.ok ? done : reply.problem);
    return reply.ok;
  };
  /** The id `null` means the current session. */
  const sideOf = (record: SessionRecord): Side => ({
    id: record.state === "current" ? null : record.id,
    name: nameOf(record),
  });
  /** The earlier session is at the left. `null` if there are fewer than two. */
  const pairOf = (text: string): Pair | null => {
    const ids = text.slice(COMPARE.length + 1).split(",");
    const byStart = records().toSorted((one, other) => one.startedAt - other.startedAt);
    const [left, right] = text === COMPARE ? byStart.slice(-2) : byStart.filter(({ id }) => ids.includes(id));
    if (left === undefined || right === undefined) return null;
    return Object.freeze({ left: sideOf(left), right: sideOf(right) });
  };

  /** The pair with the names that its sessions have now. After Clear, there is no current one until a request comes. */
  const pairNow = ({ left, right }: Pair): Pair => {
    const named = (side: Side): Side => {
      const record = records().find(({ id, state }) => (side.id === null ? state === "current" : id === side.id));
      const known = side.id === null ? "Current session" : side.name;
      return Object.freeze({ id: side.id, name: record === undefined ? known : nameOf(record) });
    };
    return Object.freeze({ left: named(left), right: named(right) });
  };

  return view({
    ...PANEL_HEIGHT,
    rows: Object.freeze([]) as readonly SessionRow[],
    known: false,
    /** Why the sessions are unknown; "" if they are known or awaited. */
    problem: "",
    summary: "",
    /** Id and row of the session whose panel is open; "" and `null` if none is. */
    selected: "",
    subject: null as SessionRow | null,
    /**
     * The contents of the session's fields. They are not read from the row, because it is rebuilt every second, and
     * typed text would be lost.
     */
    givenName: "",
    notes: "",
    trash: Object.freeze([]) as readonly TrashRow[],
    trashText: "",
    /** What the user is asked to confirm: the id of a session in the trash, or "all"; "" if nothing. */
    sure: "",
    /** Ids ticked for a comparison, at most two, the last ticked at the end. */
    ticked: Object.freeze([]) as readonly string[],
    pair: null as Pair | null,
    importing: false,

    init(): void {
      const root = this.$root;
      const showPair = (): void => {
        compared = pairOf(comparing);
        if (compared === null) {
          deps.announce("There are no two sessions to compare yet. New session begins another one.");
          deps.selection.set({ opened: null });
          return;
        }
        this.pair = compared;
        // The button that was pressed is removed, so the focus moves. Within $nextTick another one would come too early.
        requestAnimationFrame(() => root.querySelector<HTMLElement>(".sessions-back")?.focus());
      };
      const follow = (opened: string): void => {
        comparing = opened.startsWith(COMPARE) ? opened : "";
        this.selected = comparing === "" ? opened : "";
        compared = null;
        this.pair = null;
      };
      const draw = (): void => {
        const { value, problem } = sessions;
        this.problem = problem ?? "";
        if (value === undefined) return;
        const now = deps.now();
        this.known = true;
        this.rows = Object.freeze(value.sessions.map((record) => sessionRowOf(record, shown.value ?? null, now)));
        this.summary = sessionsText(value);
        this.trash = Object.freeze(value.trash.map(trashRowOf));
        this.trashText = trashText(value.trash);
        if (comparing !== "" && compared === null) showPair();
        else if (compared !== null) this.pair = reuseIfEqual(this.pair, pairNow(compared));
        this.subject = this.rows.find(({ id }) => id === this.selected) ?? null;
        if (this.subject === null && this.selected !== "") deps.selection.set({ opened: null });
        this.givenName = this.subject?.givenName ?? "";
        this.notes = this.subject?.notes ?? "";
      };
      follow(deps.selection.now.opened ?? "");
      sessions = deps.windows.value({ view: "sessions" }, draw);
      shown = deps.windows.value({ view: "shown" }, draw);
      unwatch = deps.selection.watch(({ opened }) => {
        if ((opened ?? "") === (comparing || this.selected)) return;
        follow(opened ?? "");
        // The table of another pair is built anew.
        this.$nextTick(draw);
      });
      ticking = setInterval(draw, TICK_MS);
    },

    destroy(): void {
      clearInterval(ticking);
      unwatch();
      sessions.close();
      shown.close();
    },

    select(row: SessionRow): void {
      deps.selection.set({ opened: this.selected === row.id ? null : row.id });
    },

    close(): void {
      this.$root.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
      deps.selection.set({ opened: null });
    },

    tick({ id }: SessionRow): void {
      const others = this.ticked.filter((each) => each !== id);
      this.ticked = Object.freeze(others.length < this.ticked.length ? others : [...others.slice(-1), id]);
    },

    /** Compares the ticked sessions, or without any the latest two. */
    compare(): void {
      deps.selection.set({ opened: this.ticked.length === 0 ? COMPARE : `${COMPARE}:${this.ticked.join(",")}` });
    },

    endComparison(): void {
      const root = this.$root;
      deps.selection.set({ opened: null });
      this.$nextTick(() => root.querySelector<HTMLElement>(".sessions-compare")?.focus());
    },

    async open({ id, name }: SessionRow): Promise<void> {
      if (await run({ type: "open-session", session: id }, `Opening ${name}.`)) {
        // The user may have gone to another view while the session was read.
        const view = deps.selection.now.view === "sessions" ? "traffic" : deps.selection.now.view;
        deps.selection.set({ view, filter: "", exchange: null });
      }
    },

    async showCurrent(): Promise<void> {
      await run({ type: "show-current" }, "Back to the recording.");
    },

    async rename(name: string): Promise<void> {
      await run({ type: "describe-session", session: this.selected, words: { name } }, "Saved.");
    },

    async note(notes: string): Promise<void> {
      await run({ type: "describe-session", session: this.selected, words: { notes } }, "Saved.");
    },

    async setBaseline(on: boolean): Promise<void> {
      const said = on ? "Trends may compare with this session." : "Trends leave this session out.";
      await run({ type: "set-baseline", session: this.selected, on }, said);
    },

    /** Puts the selected session into the trash. */
    async remove(): Promise<void> {
      const session = this.selected;
      const name = this.subject?.name ?? "";
      this.ticked = Object.freeze(this.ticked.filter((each) => each !== session));
      const sent = deps.commands.send({ type: "delete-session", session });
      const reply = await deps.undo.pushReplied(sent, () => deletionStep(deps.commands, session, name));
      deps.announce(reply.ok ? "Session deleted." : reply.problem);
      if (!reply.ok) return;
      // The row is removed as well, so the focus moves to the list.
      const list = this.$refs["list"];
      this.close();
      list?.focus();
    },

    async restore({ id, name }: TrashRow): Promise<void> {
      if (await run({ type: "restore-session", session: id }, `${name} restored.`)) this.$refs["list"]?.focus();
    },

    /** Asks whether to delete a session in the trash, or all of them ("all"), for good. */
    ask(what: string): void {
      this.sure = what;
      this.$nextTick(() => this.$root.querySelector<HTMLElement>(".session-sure button")?.focus());
    },

    keep(): void {
      this.sure = "";
      this.$refs["list"]?.focus();
    },

    async deleteForGood(): Promise<void> {
      const what = this.sure;
      this.keep();
      if (what === "all") await run({ type: "empty-trash" }, "Trash emptied.");
      else await run({ type: "delete-for-good", session: what }, "Session deleted for good.");
    },

    openImport(): void {
      this.importing = true;
      const { importing: dialog } = this.$refs;
      if (dialog instanceof HTMLDialogElement) dialog.showModal();
    },

    compareTable: () => compareTable(deps, compared ?? NO_PAIR),
    markedChanges: () => markedChanges(deps),
    importDialog: () => importDialog(deps),
  });
}

const NO_PAIR: Pair = Object.freeze({ left: { id: null, name: "" }, right: { id: null, name: "" } });
