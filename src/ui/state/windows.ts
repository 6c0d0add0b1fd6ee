import type { ListState } from "../../engine/messages/list-messages.ts";
import type { ListQuery, Query, RecordOf, ValueOf, ValueQuery } from "../../engine/messages/messages.ts";
import type { Channel } from "../channel/channel.ts";
import { problemOf } from "./commands.ts";
import { type Answer, type Held, HeldList, HeldValue } from "./held.ts";

export type ListView = ListQuery["view"];
export type QueryOf<View extends Query["view"]> = Extract<Query, { view: View }>;

/** A held part of a list. It stays as it was while a new query is on its way or was refused. */
export interface ListSubscription<View extends ListView> {
  /** Asks for another part, order or filter of the same list. */
  update(query: QueryOf<View>): void;
  close(): void;
  /** Records from index `state.from` on, frozen; an unchanged record is the same object. */
  rows(): readonly RecordOf[View][];
  /** What the rows are a part of; all zero until the first answer. */
  readonly state: ListState;
  /** Why the latest query is refused, or that nobody is there to answer it, in words; `null` if neither is so. */
  readonly problem: string | null;
  /** Whether an answer to the latest query has come; a refusal is one. */
  readonly answered: boolean;
  /** Whether the problem is that nobody is there to answer. */
  readonly left: boolean;
}

/** A held value. */
export interface ValueSubscription<View extends ValueQuery["view"]> {
  update(query: QueryOf<View>): void;
  close(): void;
  /** `undefined` until the first answer. */
  readonly value: ValueOf[View] | undefined;
  /** As of a list. The value is that of the query before, if there is one. */
  readonly problem: string | null;
}

/**
 * What this window holds of the engine's data. Each query runs under a number of its own, so that a late answer to the
 * query before is never taken for an answer to this one. The answer to a new question is applied and acknowledged at once,
 * what changes afterwards once per animation frame.
 */
export class Windows {
  readonly #channel: Channel;
  readonly #held = new Set<Held>();
  /** Those the engine knows of, on this connection. */
  readonly #asked = new Map<number, Held>();
  readonly #arrived: Answer[] = [];
  readonly #flushSoon: () => void;
  #next = 1;
  /** Why nobody answers, in words; `null`: somebody does, or the channel is being dialled for the first time. */
  #problem: string | null = null;
  #isOpen = false;

  /** `perFrame` folds calls into one per animation frame (state/frame.ts). */
  constructor(channel: Channel, perFrame: (run: () => void) => () => void) {
    this.#channel = channel;
    this.#flushSoon = perFrame(() => this.#flush());
    channel.onMessage((message) => {
      // What was told before a reply is known before it: after it, nothing older takes the place of what it confirms.
      if (message.type === "reply") this.#flush();
      if (!("subscription" in message)) return;
      this.#arrived.push(message);
      if (this.#asked.get(message.subscription)?.answered === false) this.#flush();
      else this.#flushSoon();
    });
    channel.onState((state) => {
      this.#isOpen = state.kind === "open";
      this.#problem = state.kind === "connecting" ? null : problemOf(state);
      this.#asked.clear();
      for (const held of [...this.#held].sort((a, b) => Number(isValue(a)) - Number(isValue(b)))) {
        // Another conversation may take it.
        held.refused = null;
        this.#ask(held);
      }
    });
  }

  list<View extends ListView>(
    query: QueryOf<View> & { readonly view: View },
    onChange: () => void,
  ): ListSubscription<View> {
    const held = this.#expected(query) ?? this.#holdList(query);
    held.listeners.add(onChange);
    if (held.answered) queueMicrotask(() => held.changed());
    return {
      update: (next) => this.#replace(held, next),
      close: () => this.#close(held),
      rows: () => held.records as readonly RecordOf[View][],
      get state() {
        return held.list;
      },
      get problem() {
        return held.problem;
      },
      get answered() {
        return held.answered;
      },
      get left() {
        return held.left;
      },
    };
  }

  /** Asks for a list that is about to be shown: the engine answers while its view is still being set up. */
  expect(query: ListQuery): void {
    this.#holdList(query);
  }

  value<View extends ValueQuery["view"]>(
    query: QueryOf<View> & { readonly view: View },
    onChange: () => void,
  ): ValueSubscription<View> {
    let held = this.#join(query, onChange);
    return {
      update: (next) => {
        held = this.#turned(held, next, onChange);
      },
      close: () => this.#leave(held, onChange),
      get value() {
        return held.value as ValueOf[View] | undefined;
      },
      get problem() {
        return held.problem;
      },
    };
  }

  #expected(query: ListQuery): HeldList | undefined {
    const text = JSON.stringify(query);
    return [...this.#held]
      .filter(isList)
      .find((held) => held.listeners.size === 0 && JSON.stringify(held.query) === text);
  }

  #holdList(query: ListQuery): HeldList {
    const held = new HeldList(query);
    this.#held.add(held);
    this.#ask(held);
    return held;
  }

  /** A value is asked for once, however many look at it: the shell, a view and the filter box show parts of the same. */
  #join(query: ValueQuery, onChange: () => void): HeldValue {
    const text = JSON.stringify(query);
    const known = [...this.#held].filter(isValue).find((held) => JSON.stringify(held.query) === text);
    if (known === undefined) return this.#holdValue(new HeldValue(query, onChange));
    known.listeners.add(onChange);
    queueMicrotask(() => {
      const isTold = known.answered || known.problem !== null;
      if (isTold && known.listeners.has(onChange)) onChange();
    });
    return known;
  }

  /** After the lists that are asked for in the same turn: those are what a person reads first. */
  #holdValue(held: HeldValue): HeldValue {
    this.#held.add(held);
    queueMicrotask(() => {
      if (this.#held.has(held) && !this.#asked.has(held.number)) this.#ask(held);
    });
    return held;
  }

  /** Who looks alone takes the value along to the new query; among others it goes there by itself. */
  #turned(held: HeldValue, query: ValueQuery, onChange: () => void): HeldValue {
    if (held.listeners.size === 1) {
      this.#replace(held, query);
      return held;
    }
    if (JSON.stringify(held.query) === JSON.stringify(query)) return held;
    this.#leave(held, onChange);
    const alone = this.#holdValue(new HeldValue(query, onChange));
    alone.value = held.value;
    return alone;
  }

  #leave(held: HeldValue, onChange: () => void): void {
    held.listeners.delete(onChange);
    if (held.listeners.size === 0) this.#close(held);
  }

  #replace(held: Held, query: Query): void {
    if (!this.#held.has(held) || JSON.stringify(held.query) === JSON.stringify(query)) return;
    held.query = query;
    this.#ask(held);
  }

  /** Takes a new number, so nothing still under way for the old one can reach `held`. */
  #ask(held: Held): void {
    this.#forget(held);
    held.answered = false;
    if (!this.#isOpen) return this.#leaveUnanswered(held);
    held.left = false;
    held.number = this.#next++;
    held.asked = held.asking();
    this.#asked.set(held.number, held);
    this.#channel.send({ type: "subscribe", subscription: held.number, query: held.asked });
  }

  /** Told in a turn of its own, as answers are. */
  #leaveUnanswered(held: Held): void {
    queueMicrotask(() => {
      if (this.#problem !== null && this.#held.has(held)) held.leave(this.#problem);
    });
  }

  #forget(held: Held): void {
    if (this.#asked.delete(held.number)) this.#channel.send({ type: "unsubscribe", subscription: held.number });
  }

  #close(held: Held): void {
    this.#held.delete(held);
    this.#forget(held);
  }

  #flush(): void {
    const changed = new Set<Held>();
    for (const answer of this.#arrived.splice(0)) {
      const held = this.#asked.get(answer.subscription);
      if (held === undefined) continue;
      if (!held.apply(answer)) {
        this.#ask(held);
        continue;
      }
      held.revision = answer.revision;
      held.answered = true;
      changed.add(held);
      this.#channel.send({ type: "ack", subscription: answer.subscription, revision: answer.revision });
    }
    for (const held of changed) if (this.#held.has(held)) held.changed();
  }
}

function isValue(held: Held): held is HeldValue {
  return held instanceof HeldValue;
}

function isList(held: Held): held is HeldList {
  return held instanceof HeldList;
}
