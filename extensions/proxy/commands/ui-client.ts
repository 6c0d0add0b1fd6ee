import { decodeToEngine, waitingFor } from "../../../src/engine/messages/decode.ts";
import type { Command, FromEngine, Query, ToEngine } from "../../../src/engine/messages/messages.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import type { Context } from "../../../src/engine/session/queries/context.ts";
import type { QueryRunner } from "../../../src/engine/session/queries/query-runner.ts";
import { Subscription } from "../../../src/engine/session/queries/subscription.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import type { UiSocket } from "../channel/loopback.ts";

/** Default; not from a specification: more queries than a window can show. */
const MOST_SUBSCRIPTIONS = 64;

const NOT_UNDERSTOOD = "Weir could not read a message of its own window. Please report this.";

const TOO_MANY = `This window has more than ${MOST_SUBSCRIPTIONS} subscriptions. Please report this.`;

/** Where UI clients register. */
export interface CommandHandler {
  attach(send: (message: FromEngine) => void): UiClientContext;
}

/** What one UI client's messages are answered from. */
export interface UiClientContext {
  context(): Context;
  /** Resolves with the reply's value; rejects with an `Error` whose message refuses the command. */
  execute(command: Command): Promise<unknown>;
  /** The engine's clock. */
  now(): Instant;
  /** The UI client disconnected. */
  close(): void;
}

/** One connected window: its subscriptions, updated as things change, and its commands, each with one reply. */
export class UiClient {
  readonly #socket: UiSocket;
  readonly #onActivity: () => void;
  readonly #context: UiClientContext;
  readonly #subscriptions = new Map<number, Subscription>();
  /**
   * The last closed query of each view: a view that changes its range or order subscribes under a new number and reuses
   * it.
   */
  readonly #closedQueries = new Map<Query["view"], QueryRunner>();
  /** The session whose rows those queries cache. */
  #session: Session | null = null;
  /** Subscriptions whose updates are computed in slices. */
  readonly #preparing = new Set<Subscription>();

  #sentCount = 0;

  /** `onHeard`: the UI client sent something or its command is done, so it may need an update. */
  constructor(socket: UiSocket, handler: CommandHandler, onHeard: () => void = () => {}) {
    this.#socket = socket;
    this.#onActivity = onHeard;
    this.#context = handler.attach((message) => this.#send(message));
  }

  start(): void {
    this.#socket.onMessage((text) => this.#receive(text));
    this.#send({ type: "welcome", now: this.#context.now() });
  }

  /** Sends all changes; returns whether there were any. Call it at most ten times a second (messages.ts). */
  flush(): boolean {
    if (this.#subscriptions.size === 0) return false;
    const before = this.#sentCount;
    const context = this.#context.context();
    // Release a session that is no longer shown, and the rows cached for it.
    if (context.session !== this.#session) this.#closedQueries.clear();
    this.#session = context.session;
    for (const subscription of this.#subscriptions.values()) this.#sendNext(subscription, context);
    return this.#sentCount > before;
  }

  /** The socket has closed. */
  close(): void {
    this.#subscriptions.clear();
    this.#preparing.clear();
    this.#context.close();
  }

  /** Sends a message that is no reply. */
  send(message: FromEngine): void {
    this.#send(message);
  }

  #receive(text: string): void {
    const message = decodeToEngine(text);
    if (message === null) return this.#refuse(text);
    this.#handle(message);
    this.#onActivity();
  }

  /** Only our own page has the ticket, so this is a bug of ours: it is reported where a reply is expected. */
  #refuse(text: string): void {
    const waiting = waitingFor(text);
    if (waiting?.type === "command")
      this.#send({ type: "reply", number: waiting.number, ok: false, problem: NOT_UNDERSTOOD });
    if (waiting?.type === "subscribe") this.#refuseQuestion(waiting.subscription, NOT_UNDERSTOOD);
  }

  /** Refuses a subscription and closes it. The revision is 0, as before a first update. */
  #refuseQuestion(subscription: number, problem: string): void {
    this.#unsubscribe(subscription);
    this.#send({ type: "refused", subscription, revision: 0, problem });
  }

  #handle(message: ToEngine): void {
    switch (message.type) {
      case "subscribe": {
        const asked = this.#subscriptions.get(message.subscription);
        if (asked === undefined && this.#subscriptions.size >= MOST_SUBSCRIPTIONS)
          return this.#refuseQuestion(message.subscription, TOO_MANY);
        const subscription = asked ?? this.#subscribe(message.subscription, message.query);
        asked?.setQuery(message.query);
        this.#subscriptions.set(message.subscription, subscription);
        this.#sendNext(subscription, this.#context.context());
        return;
      }
      case "unsubscribe":
        this.#unsubscribe(message.subscription);
        return;
      case "ack":
        this.#acknowledge(message.subscription, message.revision);
        return;
      case "command":
        void this.#execute(message.number, message.command);
        return;
    }
  }

  #subscribe(number: number, query: Query): Subscription {
    const question = this.#closedQueries.get(query.view) ?? null;
    this.#closedQueries.delete(query.view);
    return new Subscription(number, query, question);
  }

  /** A query changed while its last update was unacknowledged; the next one is sent now. */
  #acknowledge(number: number, revision: number): void {
    const subscription = this.#subscriptions.get(number);
    if (subscription === undefined) return;
    subscription.acknowledge(revision);
    if (subscription.isPending) this.#sendNext(subscription, this.#context.context());
  }

  #sendNext(subscription: Subscription, context: Context): void {
    const message = subscription.next(context);
    if (message !== null) this.#sendText(message);
    if (!subscription.isPreparing) return void this.#preparing.delete(subscription);
    if (this.#preparing.has(subscription)) return;
    this.#preparing.add(subscription);
    setImmediate(() => this.#continue(subscription));
  }

  #continue(subscription: Subscription): void {
    if (this.#preparing.delete(subscription)) this.#sendNext(subscription, this.#context.context());
  }

  #unsubscribe(number: number): void {
    const subscription = this.#subscriptions.get(number);
    if (subscription === undefined) return;
    this.#preparing.delete(subscription);
    this.#subscriptions.delete(number);
    this.#closedQueries.set(subscription.question.query.view, subscription.question);
  }

  async #execute(number: number, command: Command): Promise<void> {
    try {
      const value = await this.#context.execute(command);
      this.#onActivity();
      this.#send({ type: "reply", number, ok: true, value: value ?? null });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#send({ type: "reply", number, ok: false, problem });
    }
  }

  #send(message: FromEngine): void {
    this.#sendText(JSON.stringify(message));
  }

  #sendText(message: string): void {
    this.#sentCount += 1;
    this.#socket.send(message);
  }
}
