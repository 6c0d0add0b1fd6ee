import { type Profiler, Session } from "node:inspector";
import { setFlagsFromString } from "node:v8";

/**
 * The work of `task`, as a number that neither the clock nor the computer changes: how often each block of our sources
 * in `room` ran (V8's precise coverage), and how many bytes and characters built-in functions were given.
 */
export function workOf(task: () => void, room = "/extensions/proxy/"): number {
  const counter = countBuiltIns();
  try {
    blocksIn(SESSION, room);
    counter.count = 0;
    task();
    const { count } = counter;
    return count + blocksIn(SESSION, room);
  } finally {
    counter.stop();
  }
}

/** Started once, because functions count their blocks only if they were compiled while the coverage was on. */
const SESSION = startedSession();

function startedSession(): Session {
  // Optimized code counts other blocks than the same code before.
  for (const flag of ["--no-opt", "--no-maglev", "--no-sparkplug"]) setFlagsFromString(flag);
  const started = new Session();
  started.connect();
  started.post("Profiler.enable");
  started.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return started;
}

/** How often blocks ran since the last call. */
function blocksIn(started: Session, room: string): number {
  let scripts: Profiler.ScriptCoverage[] = [];
  // In the same process the callback runs before `post` returns.
  started.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error !== null) throw error;
    scripts = result;
  });
  return scripts
    .filter(({ url }) => url.includes(room))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}

/** Built-in functions whose work grows with what they are called on. */
const READERS: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  [Buffer.prototype, ["copy", "toString", "indexOf", "lastIndexOf"]],
  [String.prototype, ["endsWith", "includes", "indexOf", "replace", "split", "slice", "toLowerCase"]],
];

/** Counts the length of what built-in functions read, until `stop` is called. */
function countBuiltIns(): { count: number; stop(): void } {
  const restores: (() => void)[] = [];
  const counter = {
    count: 0,
    stop: () => {
      for (const restore of restores) restore();
    },
  };
  const replace = (owner: object, name: string, sizeOf: (self: unknown, args: readonly unknown[]) => number): void => {
    const original: (...args: unknown[]) => unknown = Reflect.get(owner, name);
    restores.push(() => Reflect.set(owner, name, original));
    Reflect.set(owner, name, function counted(this: unknown, ...args: unknown[]): unknown {
      counter.count += sizeOf(this, args);
      return Reflect.apply(original, this, args);
    });
  };
  for (const [prototype, names] of READERS)
    for (const name of names) replace(prototype, name, (self, args) => readBy(name, lengthOf(self), args));
  for (const name of ["test", "exec"]) replace(RegExp.prototype, name, (_self, [text]) => lengthOf(text));
  replace(Buffer, "concat", (_self, [list]) => (Array.isArray(list) ? sum(list.map(lengthOf)) : 0));
  return counter;
}

/** How much of `length` a call reads; searches are counted to the end, although they may find something before. */
function readBy(name: string, length: number, args: readonly unknown[]): number {
  if (name === "indexOf") return 1;
  const [from, to] = name === "slice" ? args : args.slice(name === "copy" ? 2 : 1);
  if (!["slice", "toString", "copy"].includes(name)) return length;
  return Math.max(0, Math.min(length, Number(to ?? length)) - Number(from ?? 0));
}

function lengthOf(value: unknown): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
