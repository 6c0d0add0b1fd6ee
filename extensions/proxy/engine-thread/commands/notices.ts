import type { Notice } from "../../../../src/engine/messages/status-messages.ts";

/** Lasting problems, each with an id of its own, in order of appearance. */
export class Notices {
  #notices: ReadonlyMap<string, Notice>;

  constructor(found: readonly Notice[]) {
    this.#notices = new Map(found.map((notice) => [notice.id, notice]));
  }

  get all(): readonly Notice[] {
    return [...this.#notices.values()];
  }

  /** Shows a problem, or removes it (`null`). */
  set(id: string, text: string | null): void {
    if ((this.#notices.get(id)?.text ?? null) === text) return;
    const notices = new Map(this.#notices);
    if (text === null) notices.delete(id);
    else notices.set(id, Object.freeze({ id, severity: "warning", text, advice: null }));
    this.#notices = notices;
  }

  advise(advice: readonly Notice[]): void {
    const others = this.all.filter((notice) => notice.advice === null);
    this.#notices = new Map([...others, ...advice].map((notice) => [notice.id, notice]));
  }
}
