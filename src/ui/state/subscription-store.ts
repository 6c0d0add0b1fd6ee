import type { ListState } from "../../engine/messages/list-messages.ts";
import type { ListQuery, Query, RecordOf, ValueOf, ValueQuery } from "../../engine/messages/messages.ts";
import type { Channel } from "../channel/channel.ts";
import { type Answer, CachedList, type CachedSubscription, CachedValue } from "./cached-subscription.ts";
import { problemOf } from "./commands.ts";

export type ListView = ListQuery["view"];
export type QueryOf<View extends Query["view"]> = Extract<Query, { view: View }>;

/**
 * The subscribed part of a list. Its rows stay unchanged while a new query is pending, and after a query was refused.
 */
export interface ListSubscription<View extends ListView> {
  /** Requests another range, order or filter of the list. */
  update(query: QueryOf<View>): void;
  close(): void;
  /** Records from index `state.from` on, frozen; an unchanged record stays the same object. */
  rows(): readonly RecordOf[View][];
  /** The state of the list that the rows belong to; all zero until the first answer. */
  readonly state: ListState;
  /** Why the latest query was refused or cannot be answered, as text; `null` if neither applies. */
  readonly problem: string | null;
  /** Whether the latest query was answered or refused. */
  readonly answered: boolean;
  /** Whether the problem is a missing connection. */
  readonly isDisconnected: boolean;
}

export interface ValueSubscription<View extends ValueQuery["view"]> {
  update(query: QueryOf<View>): void;
  close(): void;
  /** `undefined` until the first answer. */
  readonly value: ValueOf[View] | undefined;
  /** As in `ListSubscription`. If there is a problem, `value` still answers the previous query, if there was one. */
  readonly problem: string | null;
}

/**
 * The engine's data in this window. Each query has its own number, so that a late answer to an older query is ignored.
 * The first answer is applied and acknowledged at once; later changes are applied once per animation frame.
 */
export class SubscriptionStore {
  readonly #channel: Channel;
  readonly #cached = new Set<CachedSubscription>();
  readonly #sent = new Map<number, CachedSubscription>();
  readonly #arrived: Answer[] = [];
  readonly #flushSoon: () => void;
  #next = 1;
  /** Why the engine does not answer, as text; `null` if it answers, or during the first attempt to connect. */
  #problem: string | null = null;
  #isOpen = false;

  /** `perFrame` joins all calls until the next animation frame into one (state/frame.ts). */
  constructor(channel: Channel, perFrame: (run: () => void) => () => void) {
    this.#channel = channel;
    this.#flushSoon = perFrame(() => this.#flush());
    channel.onMessage((message) => {
      // Data sent before a reply is applied first, so that no older data overwrites what the reply confirms.
      if (message.type === "reply") this.#flush();
      if (!("subscription" in message)) return;
      this.#arrived.push(message);
      if (this.#sent.get(message.subscription)?.answered === false) this.#flush();
      else this.#flushSoon();
    });
    channel.onState((state) => {
      this.#isOpen = state.kind === "open";
      this.#problem = state.kind === "connecting" ? null : problemOf(state);
      this.#sent.clear();
      for (const cached of [...this.#cached].sort((a, b) => Number(isValue(a)) - Number(isValue(b)))) {
        // After a new connection the engine may accept the refused query.
        cached.refused = null;
        this.#subscribe(cached);
      }
    });
  }

  list<View extends ListView>(
    query: QueryOf<View> & { readonly view: View },
    onChange: () => void,
  ): ListSubscription<View> {
    const cached = this.#expected(query) ?? this.#addList(query);
    cached.listeners.add(onChange);
    if (cached.answered) queueMicrotask(() => cached.changed());
    return {
      update: (next) => this.#replace(cached, next),
      close: () => this.#close(cached),
      rows: () => cached.records as readonly RecordOf[View][],
      get state() {
        return cached.list;
      },
      get problem() {
        return cached.problem;
      },
      get answered() {
        return cached.answered;
      },
      get isDisconnected() {
        return cached.isDisconnected;
      },
    };
  }

  /** Requests a list that is about to be shown, so that the engine answers while the view is set up. */
  prefetch(query: ListQuery): void {
    this.#addList(query);
  }

  value<View extends ValueQuery["view"]>(
    query: QueryOf<View> & { readonly view: View },
    onChange: () => void,
  ): ValueSubscription<View> {
    let cached = this.#shareValue(query, onChange);
    return {
      update: (next) => {
        cached = this.#changeQuery(cached, next, onChange);
      },
      close: () => this.#removeListener(cached, onChange),
      get value() {
        return cached.value as ValueOf[View] | undefined;
      },
      get problem() {
        return cached.problem;
      },
    };
  }

  #expected(query: ListQuery): CachedList | undefined {
    const text = JSON.stringify(query);
    return [...this.#cached]
      .filter(isList)
      .find((cached) => cached.listeners.size === 0 && JSON.stringify(cached.query) === text);
  }

  #addList(query: ListQuery): CachedList {
    const cached = new CachedList(query);
    this.#cached.add(cached);
    this.#subscribe(cached);
    return cached;
  }

  /**
   * Returns the subscription for this query, a new one if there is none. It is shared, because the shell, the views and
   * the filter box show parts of the same value.
   */
  #shareValue(query: ValueQuery, onChange: () => void): CachedValue {
    const text = JSON.stringify(query);
    const known = [...this.#cached].filter(isValue).find((cached) => JSON.stringify(cached.query) === text);
    if (known === undefined) return this.#addValue(new CachedValue(query, onChange));
    known.listeners.add(onChange);
    queueMicrotask(() => {
      const isKnown = known.answered || known.problem !== null;
      if (isKnown && known.listeners.has(onChange)) onChange();
    });
    return known;
  }

  /** Adds a subscription, and sends it after the lists requested in the same turn, because users read lists first. */
  #addValue(cached: CachedValue): CachedValue {
    this.#cached.add(cached);
    queueMicrotask(() => {
      if (this.#cached.has(cached) && !this.#sent.has(cached.number)) this.#subscribe(cached);
    });
    return cached;
  }

  /**
   * Changes the query of one subscriber. If no other subscriber shares the value, the old value stays until the new
   * query is answered. Otherwise the subscriber gets a subscription of its own.
   */
  #changeQuery(cached: CachedValue, query: ValueQuery, onChange: () => void): CachedValue {
    if (cached.listeners.size === 1) {
      this.#replace(cached, query);
      return cached;
    }
    if (JSON.stringify(cached.query) === JSON.stringify(query)) return cached;
    this.#removeListener(cached, onChange);
    const own = this.#addValue(new CachedValue(query, onChange));
    own.value = cached.value;
    return own;
  }

  #removeListener(cached: CachedValue, onChange: () => void): void {
    cached.listeners.delete(onChange);
    if (cached.listeners.size === 0) this.#close(cached);
  }

  #replace(cached: CachedSubscription, query: Query): void {
    if (!this.#cached.has(cached) || JSON.stringify(cached.query) === JSON.stringify(query)) return;
    cached.query = query;
    this.#subscribe(cached);
  }

  /** Sends the query under a new number, so that pending answers to the old number do not reach `cached`. */
  #subscribe(cached: CachedSubscription): void {
    this.#unsubscribe(cached);
    cached.answered = false;
    if (!this.#isOpen) return this.#leaveUnanswered(cached);
    cached.isDisconnected = false;
    cached.number = this.#next++;
    cached.sent = cached.queryToSend();
    this.#sent.set(cached.number, cached);
    this.#channel.send({ type: "subscribe", subscription: cached.number, query: cached.sent });
  }

  /** Marks the subscription as disconnected in a later turn, since an answer would also arrive later. */
  #leaveUnanswered(cached: CachedSubscription): void {
    queueMicrotask(() => {
      if (this.#problem !== null && this.#cached.has(cached)) cached.markDisconnected(this.#problem);
    });
  }

  #unsubscribe(cached: CachedSubscription): void {
    if (this.#sent.delete(cached.number)) this.#channel.send({ type: "unsubscribe", subscription: cached.number });
  }

  #close(cached: CachedSubscription): void {
    this.#cached.delete(cached);
    this.#unsubscribe(cached);
  }

  #flush(): void {
    const changed = new Set<CachedSubscription>();
    for (const answer of this.#arrived.splice(0)) {
      const cached = this.#sent.get(answer.subscription);
      if (cached === undefined) continue;
      if (!cached.apply(answer)) {
        this.#subscribe(cached);
        continue;
      }
      cached.revision = answer.revision;
      cached.answered = true;
      changed.add(cached);
      this.#channel.send({ type: "ack", subscription: answer.subscription, revision: answer.revision });
    }
    for (const cached of changed) if (this.#cached.has(cached)) cached.changed();
  }
}

function isValue(cached: CachedSubscription): cached is CachedValue {
  return cached instanceof CachedValue;
}

function isList(cached: CachedSubscription): cached is CachedList {
  return cached instanceof CachedList;
}
