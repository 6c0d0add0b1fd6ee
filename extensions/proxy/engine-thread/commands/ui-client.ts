import { decodeToEngine, waitingFor } from "../../../../src/engine/messages/decode.ts";
import type { Command, FromEngine, Query, ToEngine } from "../../../../src/engine/messages/messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import type { Context } from "../../../../src/engine/session/queries/context.ts";
import type { QueryRunner } from "../../../../src/engine/session/queries/query-runner.ts";
import { Subscription } from "../../../../src/engine/session/queries/subscription.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import type { UiSocket } from "../channel/loopback.ts";

/** The most subscriptions of a window. No window needs so many. */
const MOST_SUBSCRIPTIONS = 64;

const NOT_UNDERSTOOD = "Weir could not read a message of its own window. Please report this.";

const TOO_MANY = `This window has more than ${MOST_SUBSCRIPTIONS} subscriptions. Please report this.`;

export interface UiClientHost {
  attach(send: (message: FromEngine) => void): UiClientContext;
}

export interface UiClientContext {
  context(): Context;
  /** Resolves with the reply's value. Rejects with an `Error` whose message says why the command is refused. */
  execute(command: Command): Promise<unknown>;
  /** The time on the engine's clock. */
  now(): Instant;
  close(): void;
}

/** One connected window. It gets the changes of its subscriptions, and one reply to each of its commands. */
export class UiClient {
  readonly #socket: UiSocket;
  readonly #onActivity: () => void;
  readonly #context: UiClientContext;
  readonly #subscriptions = new Map<number, Subscription>();
  /**
   * The last closed query of each view, with its caches. A view whose range or order changes subscribes under a new
   * number and reuses that query.
   */
  readonly #closedQueries = new Map<Query["view"], QueryRunner>();
  /** The session whose rows `#closedQueries` caches. */
  #session: Session | null = null;
  /** Subscriptions whose next message is being computed in slices of work. */
  readonly #preparing = new Set<Subscription>();

  #sentCount = 0;

  /** `onHeard`: called after each message and each executed command, because the UI client may then need an update. */
  constructor(socket: UiSocket, handler: UiClientHost, onHeard: () => void = () => {}) {
    this.#socket = socket;
    this.#onActivity = onHeard;
    this.#context = handler.attach((message) => this.send(message));
  }

  start(): void {
    this.#socket.onMessage((text) => this.#receive(text));
    this.send({ type: "welcome", now: this.#context.now() });
  }

  /** Sends all changes; returns whether there were any. Call this at most ten times a second (messages.ts). */
  flush(): boolean {
    if (this.#subscriptions.size === 0) return false;
    const before = this.#sentCount;
    const context = this.#context.context();
    // If another session is shown, the earlier session and its cached rows can be freed.
    if (context.session !== this.#session) this.#closedQueries.clear();
    this.#session = context.session;
    for (const subscription of this.#subscriptions.values()) this.#sendNext(subscription, context);
    return this.#sentCount > before;
  }

  close(): void {
    this.#subscriptions.clear();
    this.#preparing.clear();
    this.#context.close();
  }

  send(message: FromEngine): void {
    this.#sendText(JSON.stringify(message));
  }

  #receive(text: string): void {
    const message = decodeToEngine(text);
    if (message === null) return this.#refuse(text);
    this.#handle(message);
    this.#onActivity();
  }

  /**
   * Refuses an invalid message: replies if the message expects a reply, else ignores it. Only our own page has the
   * ticket, so an invalid message is a bug of ours.
   */
  #refuse(text: string): void {
    const waiting = waitingFor(text);
    if (waiting?.type === "command")
      this.send({ type: "reply", number: waiting.number, ok: false, problem: NOT_UNDERSTOOD });
    if (waiting?.type === "subscribe") this.#refuseQuestion(waiting.subscription, NOT_UNDERSTOOD);
  }

  /**
   * Refuses a subscription and closes it. Revision 0 tells the window that the subscription has ended (messages.ts).
   */
  #refuseQuestion(subscription: number, problem: string): void {
    this.#unsubscribe(subscription);
    this.send({ type: "refused", subscription, revision: 0, problem });
  }

  #handle(message: ToEngine): void {
    switch (message.type) {
      case "subscribe": {
        const existing = this.#subscriptions.get(message.subscription);
        if (existing === undefined && this.#subscriptions.size >= MOST_SUBSCRIPTIONS)
          return this.#refuseQuestion(message.subscription, TOO_MANY);
        const subscription = existing ?? this.#subscribe(message.subscription, message.query);
        existing?.setQuery(message.query);
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

  /** Acknowledges a message. If the query changed before the acknowledgement, sends the next message now. */
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
      this.#sendShownSession();
      this.send({ type: "reply", number, ok: true, value: value ?? null });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.send({ type: "reply", number, ok: false, problem });
    }
  }

  /**
   * Tells the window which session is shown, since a command may have changed that. Call this before the reply, after
   * which the window requests rows of that session.
   */
  #sendShownSession(): void {
    const context = this.#context.context();
    for (const subscription of this.#subscriptions.values())
      if (subscription.question.query.view === "shown") this.#sendNext(subscription, context);
  }

  #sendText(message: string): void {
    this.#sentCount += 1;
    this.#socket.send(message);
  }
}

/** messages.ts: a window gets at most ten updates a second. */
const FLUSH_INTERVAL = 100;

/** With more events than this since the last flush, the interval doubles. The list then changes too fast to be read. */
const RUSH = 2_000;

/** The interval while nothing happens. It is long, because each flush wakes an idle machine. */
const QUIET_INTERVAL = 1_000;

/** The pause after a flush is at least this many times as long as the flush. */
const FLUSH_SHARE = 5;

export class UiClients {
  readonly #pages = new Set<UiClient>();
  /** The timer of the next flush; `null` without UI clients, so that no timer wakes the machine. */
  #flushing: NodeJS.Timeout | null = null;
  /** Whether the last flush sent nothing. */
  #isQuiet = false;
  /** The number of events since the last flush. */
  #taken = 0;
  readonly #onMessage: () => void;

  /** `onMessage`: called after each message and each executed command of a UI client. */
  constructor(onMessage: () => void) {
    this.#onMessage = onMessage;
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  /** Adds a UI client, which stays until its socket closes. */
  open(socket: UiSocket, handler: UiClientHost): void {
    const page = new UiClient(socket, handler, () => {
      this.#onMessage();
      this.stir();
    });
    this.#pages.add(page);
    page.start();
    this.stir();
    socket.onClose(() => {
      this.#pages.delete(page);
      page.close();
    });
  }

  broadcast(message: FromEngine): void {
    for (const page of this.#pages) page.send(message);
  }

  /** Called when something has happened: the next flush then comes after the short interval. */
  stir(): void {
    if (this.isEmpty || (this.#flushing !== null && !this.#isQuiet)) return;
    if (this.#flushing !== null) clearTimeout(this.#flushing);
    this.#isQuiet = false;
    this.#flushing = setTimeout(() => this.#flush(), FLUSH_INTERVAL);
  }

  count(events: number): void {
    this.#taken += events;
  }

  stop(): void {
    if (this.#flushing !== null) clearTimeout(this.#flushing);
  }

  #flush(): void {
    if (this.isEmpty) {
      this.#flushing = null;
      return;
    }
    const began = performance.now();
    const told = [...this.#pages].map((page) => page.flush());
    const took = performance.now() - began;
    this.#isQuiet = !told.includes(true);
    const interval = this.#taken > RUSH ? 2 * FLUSH_INTERVAL : FLUSH_INTERVAL;
    this.#taken = 0;
    const pause = this.#isQuiet ? QUIET_INTERVAL : Math.max(interval, took * FLUSH_SHARE);
    this.#flushing = setTimeout(() => this.#flush(), pause);
  }
}
