import type { ListState } from "../../engine/messages/list-messages.ts";
import {
  type FromEngine,
  keyOf,
  type ListRecord,
  type Query,
  type ValueOf,
  type ValueQuery,
} from "../../engine/messages/messages.ts";

/** What the engine says to one subscription. */
export type Answer = Extract<FromEngine, { subscription: number }>;

const NOTHING: ListState = Object.freeze({ total: 0, matched: 0, from: 0, keys: Object.freeze([]) });

/** What both kinds of subscription have: the query, the number it runs under and how far it got. */
export abstract class Held {
  query: Query;
  number = 0;
  revision = 0;
  answered = false;
  /** Why the latest query is not answered, in words; `null`: it is, or will be. */
  problem: string | null = null;
  /** Nobody is there to answer it. */
  left = false;
  /** What is held answers this query; `null`: nothing is held. */
  answers: Query | null = null;
  /** What was asked last, and which query the engine refuses; `null`: none. */
  asked: Query | null = null;
  refused: Query | null = null;
  /** Told of each change. */
  readonly listeners: Set<() => void>;

  constructor(query: Query, ...listeners: (() => void)[]) {
    this.query = query;
    this.listeners = new Set(listeners);
  }

  changed(): void {
    for (const listener of [...this.listeners]) if (this.listeners.has(listener)) listener();
  }

  /** False: it does not follow from what is held, ask anew. */
  apply(answer: Answer): boolean {
    if (answer.type === "refused") {
      this.problem = answer.problem;
      this.refused = this.query;
      return true;
    }
    if (!this.take(answer)) return false;
    this.answers = this.asked;
    if (!this.isOfQuery) return true;
    this.problem = null;
    this.refused = null;
    return true;
  }

  /** Nobody is there to ask. What is held stays true for the query that it answers, and for no other. */
  leave(problem: string): void {
    const before = this.problem;
    this.answered = this.isOfQuery;
    this.left = !this.answered;
    this.problem = this.left ? problem : null;
    if (this.problem !== before) this.changed();
  }

  /** What to ask now. */
  asking(): Query {
    return this.query;
  }

  /** Whether what is held answers the latest question, if maybe by another part of its answer. */
  protected get isOfQuery(): boolean {
    const { answers, query } = this;
    return answers === query || (answers !== null && isSameQuestion(answers, query));
  }

  protected abstract take(answer: Answer): boolean;
}

/** A held part of a list. */
export class HeldList extends Held {
  list = NOTHING;
  records: readonly ListRecord[] = Object.freeze([]);

  /** A list whose question is refused stays as it was, and can be scrolled: other rows of it are those of the question before. */
  override asking(): Query {
    const { query, refused, answers } = this;
    if (refused === null || answers === null || !isSameQuestion(refused, query)) return query;
    return "range" in query && "range" in answers ? { ...answers, range: query.range } : query;
  }

  protected take(answer: Answer): boolean {
    if (answer.type !== "window" && answer.type !== "delta") return false;
    if (answer.type === "delta" && answer.from !== this.revision) return false;
    const records = merged(answer.list, answer.records, this.records);
    if (records === null) return false;
    this.records = records;
    this.list = Object.freeze(answer.list);
    return true;
  }
}

/** A held value. */
export class HeldValue extends Held {
  value: ValueOf[ValueQuery["view"]] | undefined = undefined;

  protected take(answer: Answer): boolean {
    if (answer.type !== "value") return false;
    this.value = typeof answer.value === "object" ? Object.freeze(answer.value) : answer.value;
    return true;
  }
}

/** Other rows of the same list, or another stretch of time, are no other question. */
function isSameQuestion(one: Query, other: Query): boolean {
  const textOf = (query: Query): string => JSON.stringify({ ...query, range: null, between: null });
  return textOf(one) === textOf(other);
}

/** The records of `list` in its order, new ones first choice, held ones else; `null` if one is missing. */
function merged(
  list: ListState,
  fresh: readonly ListRecord[],
  held: readonly ListRecord[],
): readonly ListRecord[] | null {
  const known = new Map<string | number, ListRecord>();
  for (const record of held) known.set(keyOf(record), record);
  for (const record of fresh) known.set(keyOf(record), Object.freeze(record));
  const records: ListRecord[] = [];
  for (const key of list.keys) {
    const record = known.get(key);
    if (record === undefined) return null;
    records.push(record);
  }
  return Object.freeze(records);
}
