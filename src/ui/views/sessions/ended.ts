import { countPhrase } from "../../format/count.ts";
import { nameOf } from "../../format/session-name.ts";
import { leaveNotice } from "../../parts/view-focus.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../mounted.ts";

/** Says which session the command “New session” has ended, and offers to label it. */
export function endedSession(
  { windows, commands, announce }: Pick<ViewDependencies, "windows" | "commands" | "announce">,
  onEnded: (listener: (session: string) => void) => void,
) {
  let sessions: ValueSubscription<"sessions">;
  let shown: ValueSubscription<"shown">;
  let session: string | null = null;
  /** The session to which the text in `label` belongs; `null` if there is none. */
  let labelled: string | null = null;
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
        draw();
      });
    },

    async save(): Promise<void> {
      const record = ended();
      const name = this.label.trim();
      if (record === undefined) return;
      const { id, notes } = record;
      const reply = await commands.send({ type: "describe-session", session: id, name, notes });
      announce(reply.ok ? "Saved." : reply.problem);
      // Typed text stays until it is saved.
      if (reply.ok && session === id) this.close();
    },

    close(): void {
      leaveNotice();
      session = null;
      labelled = null;
      this.text = "";
      this.label = "";
    },
  });
}
