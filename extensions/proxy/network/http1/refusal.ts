import type { Problem } from "./message.ts";

/** The event that ends a reader: nothing comes after it. */
export interface Refusal {
  readonly kind: "refused";
  readonly problem: Problem;
}

export function refusal(status: Problem["status"], reason: string): Refusal {
  return { kind: "refused", problem: { status, reason } };
}
