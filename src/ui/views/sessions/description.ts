import type { SessionRecord } from "../../../engine/messages/session-messages.ts";

type Described = Pick<SessionRecord, "id" | "name" | "notes">;

/** Sends a session's name and notes. They may follow each other quickly: the second must not undo the first, which is not back yet. */
export class Description {
  readonly #send: (described: Described) => Promise<boolean>;
  /** What was sent and is not back yet. */
  #sent: Described | null = null;

  /** `send`: whether it was taken. */
  constructor(send: (described: Described) => Promise<boolean>) {
    this.#send = send;
  }

  /** Of one of these sessions; nothing is sent where nothing changes. */
  async change(
    sessions: readonly Described[],
    id: string,
    change: Partial<Pick<Described, "name" | "notes">>,
  ): Promise<void> {
    const known = this.#sent?.id === id ? this.#sent : sessions.find((each) => each.id === id);
    if (known === undefined) return;
    const { name, notes } = { ...known, ...change };
    if (name === known.name && notes === known.notes) return;
    this.#sent = { id, name, notes };
    if (!(await this.#send(this.#sent))) this.#sent = null;
  }

  /** These are the sessions as the engine tells them now. */
  told(sessions: readonly Described[]): void {
    const back = sessions.find(({ id }) => id === this.#sent?.id);
    if (back?.name === this.#sent?.name && back?.notes === this.#sent?.notes) this.#sent = null;
  }
}
