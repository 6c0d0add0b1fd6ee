/** Why the figures of an endpoint are missing; "" if they are present or awaited. */
export function absenceOf(value: object | null | undefined, problem: string | null = null): string {
  if (problem !== null) return problem;
  return value === null ? "This session has fewer than 5 requests to this endpoint." : "";
}
