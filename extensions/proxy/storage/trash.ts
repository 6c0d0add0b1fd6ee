import type { Bytes, Instant, Milliseconds } from "../../../src/engine/model/units.ts";

/** docs/specification.md, Trash: how long a session stays, and the most bytes. */
export const TRASH_TIME: Milliseconds = 7 * 24 * 60 * 60 * 1_000;
export const TRASH_BYTES: Bytes = 1024 ** 3;
/** The most sessions, so that their list stays short. */
export const TRASH_SESSIONS = 100;

interface Trashed {
  readonly id: string;
  readonly trashedAt: Instant;
  readonly size: Bytes;
}

/**
 * Ids of the sessions that must leave the trash. `trash`: the latest first. The latest stays even if it alone is larger
 * than the trash, so that Clear can be undone.
 */
export function surplusOf(trash: readonly Trashed[], now: Instant): readonly string[] {
  let [count, bytes] = [0, 0];
  return trash.flatMap(({ id, trashedAt, size }) => {
    count += 1;
    bytes += size;
    const fits = count === 1 || (count <= TRASH_SESSIONS && bytes <= TRASH_BYTES);
    return fits && now - trashedAt < TRASH_TIME ? [] : [id];
  });
}
