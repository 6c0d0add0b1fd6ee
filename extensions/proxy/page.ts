import { decodeToEngine, waitingFor } from "../../src/engine/messages/decode.ts";
import type { Command, FromEngine, Query, ToEngine } from "../../src/engine/messages/messages.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import type { Context } from "../../src/engine/session/context.ts";
import type { Question } from "../../src/engine/session/question.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { Subscription } from "../../src/engine/session/window.ts";
import type { PageSocket } from "./channel/loopback.ts";

/** Our choice: more standing questions than a window can show. */
const MOST_SUBSCRIPTIONS = 64;

const NOT_UNDERSTOOD = "Weir does not understand what its own window asked for; please report this.";

const TOO_MANY = `A window of Weir can ask for ${MOST_SUBSCRIPTIONS} things at once, and this one asked for more; please report this.`;

/** Where pages sit down. */
export interface Desk {
  seat(send: (message: FromEngine) => void): Seat;
}

/** What one page's messages are answered from. */
export interface Seat {
  context(): Context;
  /** Gives the reply's value; throws an `Error` whose message is the sentence that refuses it. */
  carryOut(command: Command): Promise<unknown>;
  /** What the engine's clock shows. */
  now(): Instant;
  /** The page is gone. */
  close(): void;
}

/** One open page: its standing questions, answered as things change, and its commands, each answered once. */
export class Page {
  readonly #socket: PageSocket;
  readonly #onHeard: () => void;
  readonly #seat: Seat;
  readonly #subscriptions = new Map<number, Subscription>();
  /** The last one of each view that was put away: a view that asks for another part or order does so under a new number. */
  readonly #resting = new Map<Query["view"], Question>();
  /** What those remember is of this session. */
  #session: Session | null = null;
  /** Those whose answers are being prepared between other work. */
  readonly #preparing = new Set<Subscription>();

  #said = 0;

  /** `onHeard`: the page said something, or what it asked for is done, so what it is to be told may have changed. */
  constructor(socket: PageSocket, desk: Desk, onHeard: () => void = () => {}) {
    this.#socket = socket;
    this.#onHeard = onHeard;
    this.#seat = desk.seat((message) => this.#send(message));
    socket.onMessage((text) => this.#receive(text));
    this.#send({ type: "welcome", now: this.#seat.now() });
  }

  /** Sends what has changed; whether there was anything. Call it at most ten times a second (messages.ts). */
  flush(): boolean {
    if (this.#subscriptions.size === 0) return false;
    const before = this.#said;
    const context = this.#seat.context();
    // A session that is no longer shown is to be let go, and with it what lists remember of its rows.
    if (context.session !== this.#session) this.#resting.clear();
    this.#session = context.session;
    for (const subscription of this.#subscriptions.values()) this.#sendNext(subscription, context);
    return this.#said > before;
  }

  /** The socket has closed. */
  close(): void {
    this.#subscriptions.clear();
    this.#preparing.clear();
    this.#seat.close();
  }

  /** Says something that was not asked for. */
  tell(message: FromEngine): void {
    this.#send(message);
  }

  #receive(text: string): void {
    const message = decodeToEngine(text);
    if (message === null) return this.#refuse(text);
    this.#take(message);
    this.#onHeard();
  }

  /** Only our own page has the ticket, so this is a fault of ours: it is said where somebody waits for an answer. */
  #refuse(text: string): void {
    const waiting = waitingFor(text);
    if (waiting?.type === "command")
      this.#send({ type: "reply", number: waiting.number, ok: false, problem: NOT_UNDERSTOOD });
    if (waiting?.type === "subscribe") this.#refuseQuestion(waiting.subscription, NOT_UNDERSTOOD);
  }

  /** What stood under that number is asked no more. The revision is the one before a first answer. */
  #refuseQuestion(subscription: number, problem: string): void {
    this.#unsubscribe(subscription);
    this.#send({ type: "refused", subscription, revision: 0, problem });
  }

  #take(message: ToEngine): void {
    switch (message.type) {
      case "subscribe": {
        const asked = this.#subscriptions.get(message.subscription);
        if (asked === undefined && this.#subscriptions.size >= MOST_SUBSCRIPTIONS)
          return this.#refuseQuestion(message.subscription, TOO_MANY);
        const subscription = asked ?? this.#begun(message.subscription, message.query);
        asked?.ask(message.query);
        this.#subscriptions.set(message.subscription, subscription);
        this.#sendNext(subscription, this.#seat.context());
        return;
      }
      case "unsubscribe":
        this.#unsubscribe(message.subscription);
        return;
      case "ack":
        this.#acknowledge(message.subscription, message.revision);
        return;
      case "command":
        void this.#carryOut(message.number, message.command);
        return;
    }
  }

  #begun(number: number, query: Query): Subscription {
    const question = this.#resting.get(query.view) ?? null;
    this.#resting.delete(query.view);
    return new Subscription(number, query, question);
  }

  /** A question that was changed while its last answer was on the way is answered as soon as that has arrived. */
  #acknowledge(number: number, revision: number): void {
    const subscription = this.#subscriptions.get(number);
    if (subscription === undefined) return;
    subscription.acknowledge(revision);
    if (subscription.isAsked) this.#sendNext(subscription, this.#seat.context());
  }

  #sendNext(subscription: Subscription, context: Context): void {
    const message = subscription.next(context);
    if (message !== null) this.#send(message);
    if (!subscription.isPreparing) return void this.#preparing.delete(subscription);
    if (this.#preparing.has(subscription)) return;
    this.#preparing.add(subscription);
    setImmediate(() => this.#goOn(subscription));
  }

  #goOn(subscription: Subscription): void {
    if (this.#preparing.delete(subscription)) this.#sendNext(subscription, this.#seat.context());
  }

  #unsubscribe(number: number): void {
    const subscription = this.#subscriptions.get(number);
    if (subscription === undefined) return;
    this.#preparing.delete(subscription);
    this.#subscriptions.delete(number);
    this.#resting.set(subscription.question.query.view, subscription.question);
  }

  async #carryOut(number: number, command: Command): Promise<void> {
    try {
      const value = await this.#seat.carryOut(command);
      this.#onHeard();
      this.#send({ type: "reply", number, ok: true, value: value ?? null });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#send({ type: "reply", number, ok: false, problem });
    }
  }

  #send(message: FromEngine): void {
    this.#said += 1;
    this.#socket.send(JSON.stringify(message));
  }
}
