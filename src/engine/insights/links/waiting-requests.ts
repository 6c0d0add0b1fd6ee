/**
 * Responses after which the client is expected to send a certain request, by client and request. Each response matches
 * one request; the earliest response matches first.
 */
export class WaitingRequests<Cause extends { readonly until: number }> {
  readonly #waiting = new Map<string, Cause[]>();

  add(client: number, what: string, cause: Cause): void {
    const key = `${client} ${what}`;
    const causes = this.#waiting.get(key);
    if (causes === undefined) this.#waiting.set(key, [cause]);
    else causes.push(cause);
  }

  /**
   * Removes and returns the earliest response for which `accepts` is true; `null` if there is none. Drops responses
   * that expired before `now`.
   */
  match(client: number, what: string, now: number, accepts: (cause: Cause) => boolean): Cause | null {
    if (this.#waiting.size === 0) return null;
    const key = `${client} ${what}`;
    const causes = this.#waiting.get(key)?.filter(({ until }) => until >= now);
    if (causes === undefined) return null;
    const at = causes.findIndex(accepts);
    const [taken = null] = at < 0 ? [] : causes.splice(at, 1);
    if (causes.length === 0) this.#waiting.delete(key);
    else this.#waiting.set(key, causes);
    return taken;
  }
}
