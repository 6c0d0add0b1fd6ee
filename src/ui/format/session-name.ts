import type { SessionRecord, Sessions, Shown } from "../../engine/messages/session-messages.ts";
import { sessionLabelOf } from "../../engine/model/session-name.ts";
import { minuteText, secondText } from "./clock.ts";

type Named = Pick<SessionRecord, "name" | "title" | "state" | "startedAt">;

/**
 * A session's display name: the name given by the user, else "Current session", else its title and the time of its
 * start ("shop.example.com, Chrome, 14:02"), else that time alone.
 */
export function nameOf({ name, title, state, startedAt }: Named): string {
  if (name !== "") return name;
  if (state === "current") return "Current session";
  const label = sessionLabelOf({ name, title });
  return label === "" ? `Session of ${secondText(startedAt)}` : `${label}, ${minuteText(startedAt).slice(11)}`;
}

/** Id of the session that the page shows or is loading; `null` before the first recording. */
export function shownIdOf(shown: Shown, { sessions }: Sessions): string | null {
  if (shown.kind !== "current") return shown.session;
  return sessions.find(({ state }) => state === "current")?.id ?? null;
}
