import type { SessionRecord } from "../../engine/messages/session-messages.ts";
import { secondText } from "./clock.ts";

/** A session's display name: the name given by the user, else "Current session" or the time of its start. */
export function nameOf({ name, state, startedAt }: Pick<SessionRecord, "name" | "state" | "startedAt">): string {
  if (name !== "") return name;
  return state === "current" ? "Current session" : `Session of ${secondText(startedAt)}`;
}
