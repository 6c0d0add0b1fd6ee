/*
 * Postpones a scan made by Alpine's CSP build. To refuse expressions that reach a global, Alpine reads every property
 * of `window` while loading. The browser then creates more than a thousand interface objects, which takes 30 ms of a
 * page's start. This file must be evaluated before Alpine.
 */

type Visit = Parameters<string[]["forEach"]>[0];

const { getOwnPropertyNames } = Object;
const putOff: Visit[] = [];

/** Property names that Alpine reads later: `forEach` only stores the callback, and `readGlobals` calls it. */
class LaterNames extends Array<string> {
  override forEach(visit: Visit): void {
    putOff.push(visit);
  }
}

Object.getOwnPropertyNames = (of: unknown): string[] =>
  of === globalThis ? new LaterNames() : getOwnPropertyNames(of);

/** Restores the browser's own function. Call it once Alpine is loaded. */
export function restoreGlobals(): void {
  Object.getOwnPropertyNames = getOwnPropertyNames;
}

/** Names read in one turn; takes about 2 ms. */
const AT_ONCE = 64;

/** Reads the postponed names in parts. Until all are read, expressions that reach a global are not refused. */
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
