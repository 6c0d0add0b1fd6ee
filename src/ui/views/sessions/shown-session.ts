import { nameOf, shownIdOf } from "../../format/session-name.ts";
import { leaveNotice } from "../../parts/view-focus.ts";
import type { ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { recoveredText, type ShownTexts, shownTextsOf } from "./session-rows.ts";

/**
 * The line above every view that says which stored session is shown, and offers a recovered session. Exists as long as
 * the window.
 */
export function shownSession(deps: ViewDependencies) {
  let sessions: ValueSubscription<"sessions">;
  let shown: ValueSubscription<"shown">;
  /** Runs a command and announces a refusal. Leaves the notice first, because the pressed button will be removed. */
  const run = async (command: Parameters<typeof deps.commands.send>[0]): Promise<void> => {
    leaveNotice();
    const reply = await deps.commands.send(command);
    if (!reply.ok) deps.announce(reply.problem);
  };

  return view({
    texts: null as ShownTexts | null,
    recovered: "",

    init(): void {
      const draw = (): void => {
        const known = sessions.value;
        this.recovered = known === undefined ? "" : recoveredText(known);
        if (shown.value === undefined || known === undefined) return;
        const session = shownIdOf(shown.value, known);
        const record = known.sessions.find(({ id }) => id === session);
        this.texts = shownTextsOf(shown.value, record === undefined ? "a session" : nameOf(record));
        const before = deps.selection.now.session;
        if (shown.value.kind === "opening" || session === before) return;
        // Clears what is selected in the previous session, if there was one.
        const nothing =
          before === null ? {} : { exchange: null, active: null, endpoint: null, finding: null, between: null };
        deps.selection.set({ session, ...nothing });
      };
      sessions = deps.windows.value({ view: "sessions" }, draw);
      shown = deps.windows.value({ view: "shown" }, draw);
    },

    back(): Promise<void> {
      return run({ type: "show-current" });
    },

    async openRecovered(): Promise<void> {
      const session = sessions.value?.recovered ?? null;
      if (session !== null) await run({ type: "open-session", session });
    },

    dismiss(): Promise<void> {
      return run({ type: "dismiss-recovered" });
    },
  });
}
