import type { ListState } from "../../messages/list-messages.ts";
import { type FromEngine, keyOf, type Query } from "../../messages/messages.ts";
import type { Context } from "./context.ts";
import { type QueryResult, QueryRunner } from "./query-runner.ts";

/**
 * The most characters of a message's records, with space for two-byte characters (docs/specification.md, Messages). If
 * texts are very long, the message has fewer rows.
 */
const WINDOW_LENGTH = 500_000;

/** Views whose answers can change although all of `inputsOf` stays the same, for example with the time. */
const ALWAYS_LIVE: readonly Query["view"][] = [
  "status",
  "summary",
  "figures",
  "picked",
  "exchange",
  "messages",
  "hub",
  "target",
  "sessions",
  "shown",
  "compare",
];

/**
 * One query of one UI client. Each message is sent only after the previous one was acknowledged:
 *
 *   next → window 1 … ack 1 … next → delta 1→2 … next → null (2 is unacknowledged) … ack 2 … next → null (nothing new)
 */
export class Subscription {
  readonly #number: number;
  readonly #question: QueryRunner;
  #revision = 0;
  #acknowledged = 0;
  /** The last list sent, with its records as JSON text, by key. `null` if the next list must be sent whole. */
  #sent: { readonly state: string; readonly records: ReadonlyMap<string | number, string> } | null = null;
  /** The last value or refusal sent, as JSON text; "" if none was sent. */
  #value = "";
  #seen: { readonly session: Context["session"]; readonly inputs: readonly unknown[] } | null = null;
  #isPreparing = false;

  /** `runner`: the runner of a closed subscription, whose caches are used again. */
  constructor(number: number, query: Query, runner: QueryRunner | null = null) {
    this.#number = number;
    this.#question = runner ?? new QueryRunner(query);
    runner?.setQuery(query);
  }

  get question(): QueryRunner {
    return this.#question;
  }

  /** Replaces the query under the same number. The first answer to the new query is sent whole. */
  setQuery(query: Query): void {
    this.#question.setQuery(query);
    this.#reset();
  }

  /** Whether the latest query has no answer yet. */
  get isPending(): boolean {
    return this.#seen === null;
  }

  /** Whether an answer is being prepared. If so, call `next` again soon, after other work that is due. */
  get isPreparing(): boolean {
    return this.#isPreparing;
  }

  /** Records that the UI client has received this revision. Ignored unless the revision is the last one sent. */
  acknowledge(revision: number): void {
    if (revision === this.#revision) this.#acknowledged = revision;
  }

  /**
   * The next message (a `FromEngine`) as JSON text; `null` if nothing changed, while an answer is being prepared, or
   * until the last message is acknowledged. Each call continues the preparation by one slice.
   */
  next(context: Context): string | null {
    this.#isPreparing = false;
    if (this.#acknowledged !== this.#revision) return null;
    // Two sessions may use the same ids, so the first list of another session is sent whole.
    if (this.#seen !== null && this.#seen.session !== context.session) this.#reset();
    if (!this.#mayHaveChanged(context)) return null;
    this.#isPreparing = !this.#question.prepare(context);
    if (this.#isPreparing) return null;
    const message = this.#messageOf(this.#question.answer(context));
    this.#seen = { session: context.session, inputs: inputsOf(context) };
    if (message !== null) this.#revision += 1;
    return message;
  }

  #reset(): void {
    this.#sent = null;
    this.#value = "";
    this.#seen = null;
  }

  #mayHaveChanged(context: Context): boolean {
    const before = this.#seen?.inputs;
    if (before === undefined || ALWAYS_LIVE.includes(this.#question.query.view)) return true;
    return inputsOf(context).some((input, index) => input !== before[index]);
  }

  #messageOf(answer: QueryResult): string | null {
    if (answer.kind === "list") return this.#listMessage(answer);
    const isRefused = answer.kind === "refused";
    const value = isRefused ? `"problem":${JSON.stringify(answer.problem)}` : `"value":${JSON.stringify(answer.value)}`;
    if (value === this.#value) return null;
    this.#value = value;
    return this.#message(isRefused ? "refused" : "value", value);
  }

  #listMessage({ from, rows, searched }: Extract<QueryResult, { kind: "list" }>): string | null {
    const before = this.#sent;
    const texts = new Map<string | number, string>();
    const changed: string[] = [];
    let length = 0;
    for (const record of rows.records) {
      const key = keyOf(record);
      const text = JSON.stringify(record);
      length += text.length + String(key).length;
      if (length > WINDOW_LENGTH) break;
      texts.set(key, text);
      if (before?.records.get(key) !== text) changed.push(text);
    }
    const list: ListState = {
      total: rows.total,
      matched: rows.matched,
      from,
      keys: [...texts.keys()],
      ...(searched === undefined ? {} : { searched }),
    };
    const state = JSON.stringify(list);
    this.#sent = { state, records: texts };
    const content = `"list":${state},"records":[${changed.join(",")}]`;
    if (before === null) return this.#message("window", content);
    if (changed.length === 0 && state === before.state) return null;
    return this.#message("delta", `"from":${this.#revision},${content}`);
  }

  #message(type: FromEngine["type"], content: string): string {
    return `{"type":"${type}","subscription":${this.#number},"revision":${this.#revision + 1},${content}}`;
  }
}

/** What an answer depends on besides the session itself, except for the views in `ALWAYS_LIVE`. */
function inputsOf({ session, status, insights, history }: Context): readonly unknown[] {
  return [status.settings, session.revision, insights.version, history.version];
}
