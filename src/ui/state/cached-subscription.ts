import type { ListState } from "../../engine/messages/list-messages.ts";
import {
  type FromEngine,
  keyOf,
  type ListRecord,
  type Query,
  type ValueOf,
  type ValueQuery,
} from "../../engine/messages/messages.ts";

export type Answer = Extract<FromEngine, { subscription: number }>;

const NOTHING: ListState = Object.freeze({ total: 0, matched: 0, from: 0, keys: Object.freeze([]) });

/** The common part of both kinds of subscription: the query, the number and the revision. */
export abstract class CachedSubscription {
  query: Query;
  number = 0;
  revision = 0;
  answered = false;
  /** Why the latest query has no answer, as text; `null` if it was answered or the answer is awaited. */
  problem: string | null = null;
  /** Whether there is no connection to the engine. */
  isDisconnected = false;
  /** The query that the cached data answers; `null` if there is no data. */
  answers: Query | null = null;
  /** The query sent last, and the query that the engine refused; `null`: none. */
  sent: Query | null = null;
  refused: Query | null = null;
  /** Called after each change. */
  readonly listeners: Set<() => void>;

  constructor(query: Query, ...listeners: (() => void)[]) {
    this.query = query;
    this.listeners = new Set(listeners);
  }

  changed(): void {
    for (const listener of [...this.listeners]) if (this.listeners.has(listener)) listener();
  }

  /** Applies an answer. Returns false if the answer does not fit the cached data; the caller then subscribes anew. */
  apply(answer: Answer): boolean {
    if (answer.type === "refused") {
      this.problem = answer.problem;
      this.refused = this.query;
      return true;
    }
    if (!this.accept(answer)) return false;
    this.answers = this.sent;
    if (!this.isOfQuery) return true;
    this.problem = null;
    this.refused = null;
    return true;
  }

  /** Handles a lost connection. Cached data stays valid for the query that it answers. */
  markDisconnected(problem: string): void {
    const before = this.problem;
    this.answered = this.isOfQuery;
    this.isDisconnected = !this.answered;
    this.problem = this.isDisconnected ? problem : null;
    if (this.problem !== before) this.changed();
  }

  queryToSend(): Query {
    return this.query;
  }

  /** Whether the cached data answers the latest query, possibly for another range. */
  protected get isOfQuery(): boolean {
    const { answers, query } = this;
    return answers === query || (answers !== null && isSameQuestion(answers, query));
  }

  protected abstract accept(answer: Answer): boolean;
}

export class CachedList extends CachedSubscription {
  list = NOTHING;
  records: readonly ListRecord[] = Object.freeze([]);

  /**
   * After a refusal, returns the previous query with the new range, so that the unchanged list can still be scrolled.
   */
  override queryToSend(): Query {
    const { query, refused, answers } = this;
    if (refused === null || answers === null || !isSameQuestion(refused, query)) return query;
    return "range" in query && "range" in answers ? { ...answers, range: query.range } : query;
  }

  protected accept(answer: Answer): boolean {
    if (answer.type !== "window" && answer.type !== "delta") return false;
    if (answer.type === "delta" && answer.from !== this.revision) return false;
    const records = merged(answer.list, answer.records, this.records);
    if (records === null) return false;
    this.records = records;
    this.list = Object.freeze(answer.list);
    return true;
  }
}

export class CachedValue extends CachedSubscription {
  value: ValueOf[ValueQuery["view"]] | undefined = undefined;

  protected accept(answer: Answer): boolean {
    if (answer.type !== "value") return false;
    this.value = typeof answer.value === "object" ? Object.freeze(answer.value) : answer.value;
    return true;
  }
}

/** Whether two queries differ only in their range of rows or of time. */
function isSameQuestion(one: Query, other: Query): boolean {
  const textOf = (query: Query): string => JSON.stringify({ ...query, range: null, between: null });
  return textOf(one) === textOf(other);
}

/** The records of `list`, in the list's order. New records replace cached ones. `null` if a record is missing. */
function merged(
  list: ListState,
  fresh: readonly ListRecord[],
  cached: readonly ListRecord[],
): readonly ListRecord[] | null {
  const known = new Map<string | number, ListRecord>();
  for (const record of cached) known.set(keyOf(record), record);
  for (const record of fresh) known.set(keyOf(record), Object.freeze(record));
  const records: ListRecord[] = [];
  for (const key of list.keys) {
    const record = known.get(key);
    if (record === undefined) return null;
    records.push(record);
  }
  return Object.freeze(records);
}
