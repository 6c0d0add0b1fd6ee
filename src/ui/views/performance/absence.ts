/** What stands in the place of an endpoint's figures: why they are not there; "" = they are, or are on their way. */
export function absenceOf(value: object | null | undefined, problem: string | null = null): string {
  if (problem !== null) return problem;
  return value === null ? "This endpoint has no row any more: the session has fewer than 5 requests to it." : "";
}
