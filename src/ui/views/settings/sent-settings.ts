import type { Settings } from "../../../engine/model/settings.ts";
import type { ViewDependencies } from "../dependencies.ts";

/** Settings on their way to the engine: what is told meanwhile may be older than what stands in their fields. */
export class SentSettings {
  readonly #deps: Pick<ViewDependencies, "commands" | "announce">;
  /** How often each is on its way. */
  readonly #sending = new Map<keyof Settings, number>();

  constructor(deps: Pick<ViewDependencies, "commands" | "announce">) {
    this.#deps = deps;
  }

  isSending(key: keyof Settings): boolean {
    return (this.#sending.get(key) ?? 0) > 0;
  }

  /** Why it was refused, in words; empty: it is saved, and that is announced. */
  async send(key: keyof Settings, value: unknown): Promise<string> {
    this.#sending.set(key, (this.#sending.get(key) ?? 0) + 1);
    const reply = await this.#deps.commands.send({ type: "set-setting", key, value });
    this.#sending.set(key, (this.#sending.get(key) ?? 1) - 1);
    if (reply.ok) this.#deps.announce("Saved.");
    return reply.ok ? "" : reply.problem;
  }
}
