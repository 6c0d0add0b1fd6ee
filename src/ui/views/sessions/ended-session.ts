import { countPhrase } from "../../format/count.ts";
import { nameOf } from "../../format/session-name.ts";
import { leaveNotice } from "../../parts/view-focus.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";

/** Milliseconds for which the notice is shown. */
const SHOWN_MS = 60_000;

/**
 * Says which session the command “New session” has ended, and offers to label it, for a minute and in the same view. A
 * label that is being typed keeps it.
 */
export function endedSession(
  { windows, commands, announce, selection }: Pick<ViewDependencies, "windows" | "commands" | "announce" | "selection">,
  onEnded: (listener: (session: string) => void) => void,
) {
  let sessions: ValueSubscription<"sessions">;
  let shown: ValueSubscription<"shown">;
  let session: string | null = null;
  /** The session to which the text in `label` belongs; `null` if there is none. */
  let labelled: string | null = null;
  let shownIn = selection.now.view;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const ended = () => sessions.value?.sessions.find(({ id, state }) => id === session && state !== "current");

  return view({
    /** "Session of 14:02:11 is kept with 12 exchanges."; "" if there is no session to label. */
    text: "",
    label: "",

    init(): void {
      const draw = (): void => {
        const record = ended();
        const isElsewhere = shown.value !== undefined && shown.value.kind !== "current";
        if (record === undefined || isElsewhere) {
          // The session was deleted, the engine has not reported its end yet, or another session is shown.
          this.text = "";
          return;
        }
        if (labelled !== session) this.label = record.name;
        labelled = session;
        this.text = `${nameOf(record)} is kept with ${countPhrase(record.exchanges, "exchange", "exchanges")}.`;
      };
      sessions = windows.value({ view: "sessions" }, draw);
      shown = windows.value({ view: "shown" }, draw);
      onEnded((id) => {
        session = id;
        labelled = null;
        shownIn = selection.now.view;
        clearTimeout(waiting);
        waiting = setTimeout(() => this.expire(), SHOWN_MS);
        draw();
      });
      selection.watch(({ view: now }) => {
        if (session !== null && now !== shownIn) this.expire();
      });
    },

    async save(): Promise<void> {
      const record = ended();
      const name = this.label.trim();
      if (record === undefined) return;
      const { id } = record;
      const reply = await commands.send({ type: "describe-session", session: id, words: { name } });
      announce(reply.ok ? "Saved." : reply.problem);
      // Typed text stays until it is saved.
      if (reply.ok && session === id) this.close();
    },

    /** Closes the notice unless the user types a label. */
    expire(): void {
      const record = ended();
      const isTyped = record !== undefined && this.label !== record.name;
      if (!isTyped && document.activeElement?.id !== "ended-label") this.close();
    },

    close(): void {
      leaveNotice();
      clearTimeout(waiting);
      session = null;
      labelled = null;
      this.text = "";
      this.label = "";
    },
  });
}
