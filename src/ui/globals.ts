/*
 * Postpones a scan by Alpine's CSP build. To refuse expressions that reach a global, it reads every name of the window
 * while it is loaded: more than a thousand lazily created interfaces, 30 ms of a page's start. Must be evaluated before
 * Alpine.
 */

type Visit = Parameters<string[]["forEach"]>[0];

const { getOwnPropertyNames } = Object;
const putOff: Visit[] = [];

/** Names that Alpine visits later. */
class LaterNames extends Array<string> {
  override forEach(visit: Visit): void {
    putOff.push(visit);
  }
}

Object.getOwnPropertyNames = (of: unknown): string[] =>
  of === globalThis ? new LaterNames() : getOwnPropertyNames(of);

/** Restores the browser's own function; call it once Alpine is loaded. */
export function restoreGlobals(): void {
  Object.getOwnPropertyNames = getOwnPropertyNames;
}

/** Names read in one turn, about 2 ms. Default; not from a specification. */
const AT_ONCE = 64;

/** Reads the postponed names in parts. Until it has finished, expressions that reach a global are not refused. */
export async function readGlobals(): Promise<void> {
  const names = getOwnPropertyNames(globalThis);
  const visits = putOff.splice(0);
  for (let next = 0; next < names.length; next += AT_ONCE) {
    for (const visit of visits) names.slice(next, next + AT_ONCE).forEach(visit);
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
}
