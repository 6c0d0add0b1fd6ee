/**
 * The address of the client in a run of an imported file, such as "run-2"; "run-2-cached" for a run with the cache of
 * the one before.
 */
export function runNameOf(run: number, isCached: boolean): string {
  return `run-${run}${isCached ? "-cached" : ""}`;
}

/** The run of a client, which begins with its address; `null` if the client belongs to none. */
export function runIn(client: string): string | null {
  return /^run-\d+(?:-cached)?(?= |$)/.exec(client)?.[0] ?? null;
}
