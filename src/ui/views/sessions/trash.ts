import type { TrashedSession } from "../../../engine/messages/session-messages.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { minuteText } from "../../format/clock.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { nameOf } from "../../format/session-name.ts";

export type TrashRow = ReturnType<typeof trashRowOf>;

export function trashRowOf(session: TrashedSession) {
  return Object.freeze({
    id: session.id,
    name: nameOf({ ...session, state: "completed" }),
    trashed: minuteText(session.trashedAt),
    exchanges: countText(session.exchanges),
    size: bytesPhrase(session.size),
  });
}

/** "2 sessions, 1.4 MB. Deleted after 7 days, the oldest sooner if the trash exceeds 1 GB." */
export function trashText(trash: readonly TrashedSession[]): string {
  const size = trash.reduce((sum, one) => sum + one.size, 0);
  const count = countPhrase(trash.length, "session", "sessions");
  return `${count}, ${bytesPhrase(size)}. Deleted after 7 days, the oldest sooner if the trash exceeds 1 GB.`;
}
