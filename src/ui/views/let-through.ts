import type { Status } from "../../engine/messages/status-messages.ts";
import type { ViewDependencies } from "./dependencies.ts";

/**
 * Adds a host to the hosts that pass through, and announces the outcome. `status`: the latest known status; if it is
 * `null`, nothing happens.
 */
export async function letThrough(
  { commands, announce }: Pick<ViewDependencies, "commands" | "announce">,
  status: Status | null,
  host: string,
): Promise<void> {
  if (status === null) return;
  const patterns = status.settings.passThrough;
  const value = patterns.includes(host) ? patterns : [...patterns, host];
  const reply = await commands.send({ type: "set-setting", key: "passThrough", value });
  announce(reply.ok ? `New connections to ${host} now pass through. Undo this in Settings, Capture.` : reply.problem);
}
