/** What was dropped since the session began, because the disk could not be written. */
export interface Lost {
  readonly exchanges: number;
  /** Dropped messages of kept exchanges, including those of which only the payload was dropped. */
  readonly messages: number;
  /** Bodies dropped wholly or in part. */
  readonly bodies: number;
}

export const NOTHING_LOST: Lost = Object.freeze({ exchanges: 0, messages: 0, bodies: 0 });

export interface StoreStatus {
  /** Why nothing can be written, in words; `null` if writing works. The next flush retries. */
  readonly problem: string | null;
  readonly lost: Lost;
}

/** The sentences for the user; `null` if there is nothing to report. */
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
  return missing.length === 0 ? null : `${new Intl.ListFormat("en-GB").format(missing)} could not be kept.`;
}

function countText(count: number, one: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
