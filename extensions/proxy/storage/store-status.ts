/** What was given up since the session began, because the disk could not be written for too long. */
export interface Lost {
  readonly exchanges: number;
  /** Of other exchanges: whole, or what they said. */
  readonly messages: number;
  /** Whole, or a part of them. */
  readonly bodies: number;
}

export const NOTHING_LOST: Lost = Object.freeze({ exchanges: 0, messages: 0, bodies: 0 });

/** How the last flush went. */
export interface StoreStatus {
  /** Why nothing is being written just now, in words; `null` while all is well. The next flush tries again. */
  readonly problem: string | null;
  readonly lost: Lost;
}

/** What the user is told of it; `null`: nothing. */
export function storageNotice({ problem, lost }: StoreStatus): string | null {
  const sentences = [problem, missingText(lost)].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(" ");
}

function missingText({ exchanges, messages, bodies }: Lost): string | null {
  const counts = [
    countText(exchanges, "exchange"),
    countText(messages, "message"),
    countText(bodies, "body", "bodies"),
  ];
  const missing = counts.filter((count) => count !== null);
  if (missing.length === 0) return null;
  const [last, ...others] = missing.reverse();
  const listed = others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
  return `${listed} could not be kept.`;
}

function countText(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
