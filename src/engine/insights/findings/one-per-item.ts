import { isCursor } from "./cursor.ts";
import { pairsIn } from "./numbers.ts";
import { LEAST_REQUESTS, type Shape } from "./request-shape.ts";
import type { Request, Traffic } from "./traffic.ts";

/**
 * Whether the requests of a burst fetch different items. `false` if they fetch one page after another, or if one search
 * is sent again with each letter typed.
 */
export function isOnePerItem(burst: readonly Request[], { literalOf }: Shape, traffic: Traffic): boolean {
  const literals = burst.map(literalOf);
  if (new Set(literals).size < LEAST_REQUESTS) return false;
  return !isPaging(burst, traffic) && !isCounting(burst) && !isTyping(literals);
}

/** Whether about half of the requests or more need a value from an earlier response of the burst. */
function isPaging(burst: readonly Request[], { links }: Traffic): boolean {
  const ids = new Set(burst.map(({ id }) => id));
  const dependent = burst.filter(({ id }) => links.provenInto(id).some(({ from }) => ids.has(from)));
  return dependent.length >= (burst.length - 1) / 2;
}

/**
 * Whether the requests ask for one page after another, by a number that grows in equal steps, or by a cursor in
 * requests that are sent in turn.
 */
function isCounting(burst: readonly Request[]): boolean {
  const names = burst[0]?.facts.query.map(([name]) => name) ?? [];
  const isInTurn = pairsIn(burst).every(([before, next]) => next.start >= before.end - 1);
  return names.some((name) => {
    if (isInTurn && isCursor(name)) return true;
    if (!COUNTER.test(name)) return false;
    const values = burst.map(({ facts }) => Number(facts.query.find(([other]) => other === name)?.[1]));
    const step = (values[1] ?? 0) - (values[0] ?? 0);
    const isSteady = pairsIn(values).every(([before, value]) => value - before === step);
    return step > 0 && isSteady;
  });
}

/** Conventional names of page-number parameters. */
const COUNTER =
  /^(?:page|p|pg|offset|skip|start|from|first|index|begin|page_?(?:no|num|number|index)|start_?(?:at|index))$/i;

/** Whether a person typed the values letter by letter: about half or more extend or shorten the previous value. */
function isTyping(literals: readonly string[]): boolean {
  const longer = pairsIn(literals).filter(
    ([before, literal]) => literal !== before && (literal.startsWith(before) || before.startsWith(literal)),
  );
  return longer.length >= (literals.length - 1) / 2;
}

/**
 * Whether words or bodies that differ between the requests identify items. They do if earlier responses gave at least
 * half of them. Words also do if they differ between the bursts. Words that recur in every burst are a page's
 * endpoints.
 */
export function areItems(
  { literalOf, isByBody }: Shape,
  bursts: readonly (readonly Request[])[],
  { links }: Traffic,
): boolean {
  const all = bursts.flat();
  const given = all.filter(({ id }) =>
    links.provenInto(id).some(({ basis }) => basis === "value" || basis === "initiator"),
  );
  if (given.length >= all.length / 2) return true;
  if (isByBody) return false;
  const distinct = new Set(all.map(literalOf)).size;
  return bursts.length >= 2 && distinct >= 1.5 * (all.length / bursts.length);
}
