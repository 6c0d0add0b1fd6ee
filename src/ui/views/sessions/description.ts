import type { SessionRecord } from "../../../engine/messages/session-messages.ts";

type Described = Pick<SessionRecord, "id" | "name" | "notes">;

/** Sends a session's name and notes. A change keeps earlier changes that the engine has not confirmed yet. */
export class Description {
  readonly #send: (described: Described) => Promise<boolean>;
  /** The description that was sent and is not confirmed yet. */
  #sent: Described | null = null;

  /** `send` resolves to whether the engine accepted the description. */
  constructor(send: (described: Described) => Promise<boolean>) {
    this.#send = send;
  }

  /** Changes the description of the session `id`, one of `sessions`. Sends nothing if nothing changed. */
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

  /** Takes the sessions that the engine reports. If they contain the sent description, it is confirmed. */
  told(sessions: readonly Described[]): void {
    const back = sessions.find(({ id }) => id === this.#sent?.id);
    if (back?.name === this.#sent?.name && back?.notes === this.#sent?.notes) this.#sent = null;
  }
}
