import type { Problem } from "./message.ts";

/** The last event of a reader, which then parses nothing more. */
export interface Refusal {
  readonly kind: "refused";
  readonly problem: Problem;
}

export function refusal(status: Problem["status"], reason: string): Refusal {
  return { kind: "refused", problem: { status, reason } };
}
