import type { SessionRecord } from "../../engine/messages/session-messages.ts";
import { secondText } from "./clock.ts";

/** Its display name: the given name, or its start. */
export function nameOf({ name, state, startedAt }: Pick<SessionRecord, "name" | "state" | "startedAt">): string {
  if (name !== "") return name;
  return state === "current" ? "Current session" : `Session of ${secondText(startedAt)}`;
}
