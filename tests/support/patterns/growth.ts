import { ALPHABET, type Automaton } from "./automaton.ts";

/*
 * How the time of backtracking grows with the text. It grows linearly unless some repeated text can be read in two
 * ways: by two loops in turn (quadratic or worse), or by two paths through one loop (exponential). Starting the match
 * at each position counts as a loop, too.
 */

/** A text that is slow to match: `before`, then `again` many times, then a mismatch. */
export interface Dear {
  readonly before: string;
  readonly again: string;
}

/** The search stops after this many steps, and the pattern counts as slow. */
const MOST_STEPS = 2_000_000;

/** A text for which the matching time grows faster than the text; `null` if there is none. */
export function growthOf(automaton: Automaton): Dear | null {
  const machine = machineOf(automaton);
  // In a loop where a match may end, backtracking stops there, so that nothing is tried twice.
  const loops = componentsOf(machine, automaton.last);
  for (let from = 0; from < machine.size; from += 1) {
    if (loops[from] === null) continue;
    const twice = machine.isBeginning(from) ? null : twoWaysRound(machine, loops, from);
    if (twice !== null) return { before: wordTo(machine, from), again: twice };
    for (let to = 0; to < machine.size; to += 1) {
      if (to === from || loops[to] === null || machine.isBeginning(to)) continue;
      const again = wordBetween(machine, loops, from, to);
      if (again !== null) return { before: wordTo(machine, from), again };
    }
  }
  return null;
}

/** Texts that go through each loop of the pattern, as input for tests. */
export function loopsOf(automaton: Automaton): Dear[] {
  const machine = machineOf(automaton);
  const loops = componentsOf(machine, new Set());
  return Array.from({ length: machine.size }, (_, state) => state)
    .filter((state) => loops[state] !== null && !machine.isBeginning(state))
    .map((state) => ({
      before: wordTo(machine, state),
      again:
        wordAlong([state], ([at = 0]) => edges(machine, at, loops, state).map(([next, sign]) => [[next], sign]), [
          state,
        ]) ?? "",
    }));
}

interface Machine {
  readonly size: number;
  readonly start: number;
  /** The next states for a character (an index into ALPHABET), and the number of transitions to them. */
  readonly next: (state: number) => readonly (readonly [next: number, character: number, ways: number])[];
  readonly isBeginning: (state: number) => boolean;
}

/**
 * The pattern's states, and after them states for a match that has not started: anywhere, or (the last) only where a
 * match may start.
 */
function machineOf({ states, first, follow, begins }: Automaton): Machine {
  const signs = signsOf(states);
  const anywhere = states.length;
  const start = states.length + 1;
  const newline = ALPHABET.indexOf("\n");
  const entering = [...first].flatMap((state) => readBy(states, state, signs).map((sign) => [state, sign, 1] as const));
  const waiting = signs.map((sign) => [begins === "line" && sign === newline ? start : anywhere, sign, 1] as const);
  const isHere = begins === "anywhere";
  const table = [
    ...states.map((_, state) =>
      [...(follow[state] ?? [])].flatMap(([next, ways]) =>
        readBy(states, next, signs).map((sign) => [next, sign, ways] as const),
      ),
    ),
    begins === "text" ? [] : [...waiting, ...(isHere ? entering : [])],
    begins === "text" ? entering : [...waiting, ...entering],
  ];
  return {
    size: states.length + 2,
    start,
    next: (state) => table[state] ?? [],
    isBeginning: (state) => state >= anywhere,
  };
}

/** One character of each class of characters that all states treat equally. */
function signsOf(states: Automaton["states"]): number[] {
  const seen = new Map<string, number>();
  for (let sign = 0; sign < ALPHABET.length; sign += 1) {
    const isLineEnd = ALPHABET[sign] === "\n";
    const key = `${states.map((state) => (state.has(sign) ? 1 : 0)).join("")}${isLineEnd}`;
    // Prefer a visible character.
    if (!seen.has(key) || (sign > 32 && sign < 127 && (seen.get(key) ?? 0) < 33)) seen.set(key, sign);
  }
  return [...seen.values()];
}

function readBy(states: Automaton["states"], state: number, signs: readonly number[]): number[] {
  return signs.filter((sign) => states[state]?.has(sign) === true);
}

/**
 * For each state, the id of its loop without `those` (a loop: states that reach each other); `null`: the state is in no
 * loop.
 */
function componentsOf(machine: Machine, those: ReadonlySet<number>): (number | null)[] {
  const reach = Array.from({ length: machine.size }, (_, from) => {
    const seen = new Set<number>();
    const queue = those.has(from) ? [] : [from];
    for (let state = queue.pop(); state !== undefined; state = queue.pop())
      for (const [next] of machine.next(state)) {
        if (seen.has(next) || those.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    return seen;
  });
  return reach.map((seen, state) => {
    if (!seen.has(state)) return null;
    return Math.min(...[...seen].filter((other) => reach[other]?.has(state) === true));
  });
}

function edges(
  machine: Machine,
  state: number,
  loops: readonly (number | null)[],
  within: number,
): readonly (readonly [number, number, number])[] {
  return machine.next(state).filter(([next]) => loops[next] === loops[within]);
}

/** A text that leads from `from` to `from`, from `to` to `to`, and from `from` to `to`. */
function wordBetween(machine: Machine, loops: readonly (number | null)[], from: number, to: number): string | null {
  return wordAlong(
    [from, from, to],
    ([stays = 0, goes = 0, is = 0]) =>
      edges(machine, stays, loops, from).flatMap(([first, sign]) =>
        edges(machine, is, loops, to)
          .filter(([, other]) => other === sign)
          .flatMap(([third]) =>
            machine
              .next(goes)
              .filter(([, other]) => other === sign)
              .map(([second]) => [[first, second, third], sign] as const),
          ),
      ),
    [from, to, to],
  );
}

/** A text that leads from `from` to `from` on two paths. */
function twoWaysRound(machine: Machine, loops: readonly (number | null)[], from: number): string | null {
  // The third number: whether the two paths differ.
  return wordAlong(
    [from, from, 0],
    ([left = 0, right = 0, parted = 0]) =>
      edges(machine, left, loops, from).flatMap(([first, sign, ways]) =>
        edges(machine, right, loops, from)
          .filter(([, other]) => other === sign)
          .map(([second]) => [[first, second, parted === 1 || first !== second || ways > 1 ? 1 : 0], sign] as const),
      ),
    [from, from, 1],
  );
}

function wordTo(machine: Machine, state: number): string {
  if (machine.isBeginning(state)) return "";
  return (
    wordAlong([machine.start], ([at = 0]) => machine.next(at).map(([next, sign]) => [[next], sign]), [state]) ?? ""
  );
}

type Step = readonly [to: readonly number[], character: number];

/** The shortest text, not empty, that leads from one tuple of states to another. */
function wordAlong(
  from: readonly number[],
  next: (at: readonly number[]) => readonly Step[],
  to: readonly number[],
): string | null {
  const aim = to.join();
  const seen = new Map<string, readonly [before: string | null, character: string]>();
  let queue: (readonly number[])[] = [from];
  let steps = 0;
  const word = (key: string): string => {
    let text = "";
    for (let at = seen.get(key); at !== undefined; at = at[0] === null ? undefined : seen.get(at[0]))
      text = at[1] + text;
    return text;
  };
  while (queue.length > 0) {
    const following: (readonly number[])[] = [];
    for (const at of queue) {
      const before = seen.size === 0 ? null : at.join();
      for (const [state, sign] of next(at)) {
        steps += 1;
        const key = state.join();
        if (seen.has(key)) continue;
        seen.set(key, [before === from.join() && !seen.has(before) ? null : before, ALPHABET[sign] ?? ""]);
        if (key === aim) return word(key);
        following.push(state);
      }
      if (steps > MOST_STEPS) return "(too many to look at)";
    }
    queue = following;
  }
  return null;
}
