/*
 * Alpine's CSP build refuses expressions that reach a global. To know all of those, it reads every name of the window while it
 * is loaded: more than a thousand interfaces that a browser makes only when they are asked for, 30 ms of a page's start. Here
 * the reading is put off. Must be evaluated before Alpine is.
 */

type Visit = Parameters<string[]["forEach"]>[0];

const { getOwnPropertyNames } = Object;
const putOff: Visit[] = [];

/** Names that are visited later. */
class LaterNames extends Array<string> {
  override forEach(visit: Visit): void {
    putOff.push(visit);
  }
}

Object.getOwnPropertyNames = (of: unknown): string[] =>
  of === globalThis ? new LaterNames() : getOwnPropertyNames(of);

/** To be called once Alpine is loaded: the function is the browser's own again. */
export function giveBack(): void {
  Object.getOwnPropertyNames = getOwnPropertyNames;
}

/** Names read in one go, some 2 ms. Our choice. */
const AT_ONCE = 64;

/** Makes up for what was put off, a part at a time: until it is done, an expression that reaches a global is not refused. */
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
