import type { Notice } from "../../src/engine/messages/status-messages.ts";

/** Lasting troubles, each under a name of its own, in the order in which they came. */
export class Notices {
  #notices: ReadonlyMap<string, Notice>;

  constructor(found: readonly Notice[]) {
    this.#notices = new Map(found.map((notice) => [notice.id, notice]));
  }

  get all(): readonly Notice[] {
    return [...this.#notices.values()];
  }

  /** Shows a trouble, or (`null`) that it is over. */
  tell(id: string, text: string | null): void {
    if ((this.#notices.get(id)?.text ?? null) === text) return;
    const notices = new Map(this.#notices);
    if (text === null) notices.delete(id);
    else notices.set(id, Object.freeze({ id, severity: "warning", text }));
    this.#notices = notices;
  }
}
