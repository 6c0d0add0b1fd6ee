import type { Settings } from "../../../engine/model/settings.ts";
import type { ViewDependencies } from "../dependencies.ts";

/**
 * Settings that are being sent to the engine. Until the engine has replied, a status may be older than the texts in
 * the fields.
 */
export class SentSettings {
  readonly #deps: Pick<ViewDependencies, "commands" | "announce">;
  /** The number of pending commands for each setting. */
  readonly #sending = new Map<keyof Settings, number>();

  constructor(deps: Pick<ViewDependencies, "commands" | "announce">) {
    this.#deps = deps;
  }

  isSending(key: keyof Settings): boolean {
    return (this.#sending.get(key) ?? 0) > 0;
  }

  /** Sends a setting. Resolves to the reason if it is refused, as text; else announces "Saved." and resolves to "". */
  async send(key: keyof Settings, value: Settings[keyof Settings]): Promise<string> {
    this.#sending.set(key, (this.#sending.get(key) ?? 0) + 1);
    const reply = await this.#deps.commands.send({ type: "set-setting", key, value });
    this.#sending.set(key, (this.#sending.get(key) ?? 1) - 1);
    if (reply.ok) this.#deps.announce("Saved.");
    return reply.ok ? "" : reply.problem;
  }
}
