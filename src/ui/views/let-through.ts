import type { Status } from "../../engine/messages/status-messages.ts";
import type { ViewDependencies } from "./dependencies.ts";

type Answering = Pick<ViewDependencies, "commands" | "announce">;

/**
 * Adds a host to the hosts that pass through, and announces the outcome. `status`: the latest known status; if it is
 * `null`, nothing happens.
 */
export function letThrough(deps: Answering, status: Status | null, host: string): Promise<void> {
  const done = `New connections to ${host} now pass through. Undo this in Settings, Capture.`;
  return addHost(deps, status, { key: "passThrough", host, done });
}

/** Adds a host to those whose certificate is not verified, as `letThrough`. */
export function acceptUnverified(deps: Answering, status: Status | null, host: string): Promise<void> {
  const done = `The certificate of ${host} is no longer verified. Undo this in Settings, Certificate.`;
  return addHost(deps, status, { key: "tlsExceptions", host, done });
}

async function addHost(
  { commands, announce }: Answering,
  status: Status | null,
  { key, host, done }: { readonly key: "passThrough" | "tlsExceptions"; readonly host: string; readonly done: string },
): Promise<void> {
  if (status === null) return;
  const hosts = status.settings[key];
  const value = hosts.includes(host) ? hosts : [...hosts, host];
  const reply = await commands.send({ type: "set-setting", key, value });
  announce(reply.ok ? done : reply.problem);
}
