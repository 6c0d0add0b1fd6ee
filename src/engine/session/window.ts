import type { ListState } from "../messages/list-messages.ts";
import { type FromEngine, keyOf, type ListRecord, type Query } from "../messages/messages.ts";
import type { Context } from "./context.ts";
import { type Answer, Question } from "./question.ts";

/**
 * wire.md: a message is at most 1 MB. Our choice of characters for a window's records, which leaves room for signs that
 * take two bytes; a window of very long texts holds fewer rows than were asked for.
 */
const WINDOW_LENGTH = 500_000;

/** These depend on more than the session, or on the time; the others change only with it. */
const ALWAYS_LIVE: readonly Query["view"][] = [
  "status",
  "summary",
  "exchange",
  "messages",
  "hub",
  "target",
  "sessions",
  "shown",
  "compare",
];

/**
 * One standing question of one UI. Each message waits until the last was acknowledged:
 *
 *   next → window 1 … ack 1 … next → delta 1→2 … next → null (2 is on its way) … ack 2 … next → null (nothing new)
 */
export class Subscription {
  readonly #number: number;
  readonly #question: Question;
  #revision = 0;
  #acknowledged = 0;
  /** The last list that went out, records by key as JSON text. `null`: the next list is sent whole. */
  #sent: { readonly state: string; readonly records: ReadonlyMap<string | number, string> } | null = null;
  /** The last value or refusal that went out, as JSON text. */
  #said: string | null = null;
  #seen: Seen | null = null;
  #isPreparing = false;

  /** `question`: one that was put away; this one goes on from what it remembers. */
  constructor(number: number, query: Query, question: Question | null = null) {
    this.#number = number;
    this.#question = question ?? new Question(query);
    question?.ask(query);
  }

  get question(): Question {
    return this.#question;
  }

  /** Another question under the same number: its first answer is whole. */
  ask(query: Query): void {
    this.#question.ask(query);
    this.#forget();
  }

  /** Whether what was asked last has not been answered yet. */
  get isAsked(): boolean {
    return this.#seen === null;
  }

  /** Whether an answer is being prepared: call `next` again soon, after whatever else waits. */
  get isPreparing(): boolean {
    return this.#isPreparing;
  }

  /** The UI has this revision. Any other than the last sent says nothing. */
  acknowledge(revision: number): void {
    if (revision === this.#revision) this.#acknowledged = revision;
  }

  /** What is to be sent now; `null` if nothing changed, while it is prepared, or while the last message is not acknowledged. */
  next(context: Context): FromEngine | null {
    this.#isPreparing = false;
    if (this.#acknowledged !== this.#revision) return null;
    // Ids of two sessions may be the same numbers, so nothing of one is a delta to the other.
    if (this.#seen !== null && this.#seen.session !== context.session) this.#forget();
    if (!this.#mayHaveChanged(context)) return null;
    this.#isPreparing = !this.#question.prepare(context);
    if (this.#isPreparing) return null;
    const message = this.#messageOf(this.#question.answer(context));
    this.#seen = seenOf(context);
    if (message !== null) this.#revision += 1;
    return message;
  }

  #forget(): void {
    this.#sent = null;
    this.#said = null;
    this.#seen = null;
  }

  #mayHaveChanged(context: Context): boolean {
    const before = this.#seen;
    if (before === null || ALWAYS_LIVE.includes(this.#question.query.view)) return true;
    const { settings, revision, findings, history } = seenOf(context);
    return (
      before.revision !== revision ||
      before.settings !== settings ||
      before.findings !== findings ||
      before.history !== history
    );
  }

  #messageOf(answer: Answer): FromEngine | null {
    if (answer.kind === "list") return this.#listMessage(answer);
    const said = JSON.stringify(answer);
    if (said === this.#said) return null;
    this.#said = said;
    const heading = { subscription: this.#number, revision: this.#revision + 1 };
    if (answer.kind === "refused") return { type: "refused", ...heading, problem: answer.problem };
    return { type: "value", ...heading, value: answer.value };
  }

  #listMessage({ from, rows }: Extract<Answer, { kind: "list" }>): FromEngine | null {
    const before = this.#sent;
    const texts = new Map<string | number, string>();
    const changed: ListRecord[] = [];
    let length = 0;
    for (const record of rows.records) {
      const key = keyOf(record);
      const text = JSON.stringify(record);
      length += text.length + String(key).length;
      if (length > WINDOW_LENGTH) break;
      texts.set(key, text);
      if (before?.records.get(key) !== text) changed.push(record);
    }
    const list: ListState = { total: rows.total, matched: rows.matched, from, keys: [...texts.keys()] };
    const state = JSON.stringify(list);
    this.#sent = { state, records: texts };
    const heading = { subscription: this.#number, revision: this.#revision + 1, list };
    if (before === null) return { type: "window", ...heading, records: changed };
    if (changed.length === 0 && state === before.state) return null;
    return { type: "delta", ...heading, from: this.#revision, records: changed };
  }
}

/** What an answer was made of: while all of it is the same, so is the answer. */
interface Seen {
  readonly session: Context["session"];
  readonly settings: Context["status"]["settings"];
  readonly revision: number;
  readonly findings: number;
  readonly history: number;
}

function seenOf({ session, status, findings, history }: Context): Seen {
  return {
    session,
    settings: status.settings,
    revision: session.revision,
    findings: findings.version,
    history: history.version,
  };
}
