import type { SessionRecord } from "../../../engine/messages/session-messages.ts";

type Described = Pick<SessionRecord, "id" | "name" | "notes">;

/**
 * Sends a session's name and notes. A second change must not undo the first, which the engine has not yet confirmed.
 */
export class Description {
  readonly #send: (described: Described) => Promise<boolean>;
  /** Sent and not yet confirmed. */
  #sent: Described | null = null;

  /** `send`: resolves to whether it was accepted. */
  constructor(send: (described: Described) => Promise<boolean>) {
    this.#send = send;
  }

  /** Changes one of these sessions; an unchanged value is not sent. */
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

  /** Applies the sessions as reported by the engine. */
  told(sessions: readonly Described[]): void {
    const back = sessions.find(({ id }) => id === this.#sent?.id);
    if (back?.name === this.#sent?.name && back?.notes === this.#sent?.notes) this.#sent = null;
  }
}
