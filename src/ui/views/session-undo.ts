import type { ClearUndone } from "../../engine/messages/session-messages.ts";
import type { Commands } from "../state/commands.ts";
import type { UndoStep } from "../state/undo.ts";

/** `isShown`: whether the view shows the cleared session, and not an earlier one. */
export function clearStep(commands: Commands, session: string, isShown: boolean): UndoStep {
  return {
    offer: isShown
      ? "The session is in the trash."
      : "The current recording is in the trash, not the session that is shown here.",
    clears: true,
    undo: async () => {
      const reply = await commands.send({ type: "undo-clear", session });
      if (!reply.ok) return reply.problem;
      if ((reply.value as ClearUndone).goesOn) return "Session restored. It is recorded further.";
      if (!isShown) return "Session restored. It is in Sessions, because another one is recorded now.";
      await commands.send({ type: "open-session", session });
      return "Session restored, read-only: another one had begun, or the undo came more than a minute after Clear.";
    },
  };
}

export function deletionStep(commands: Commands, session: string, name: string): UndoStep {
  return {
    offer: `${name} is in the trash.`,
    undo: async () => {
      const reply = await commands.send({ type: "restore-session", session });
      return reply.ok ? `${name} restored.` : reply.problem;
    },
  };
}
