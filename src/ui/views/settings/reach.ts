import type { Status } from "../../../engine/messages/status-messages.ts";
import { hostPort } from "../../../engine/model/host-port.ts";
import { isThisMachine } from "../../../engine/model/listen-address.ts";

/** Who reaches the proxy now. */
export function reachText({ proxy, lan }: Status): string {
  if (isThisMachine(proxy.address)) return "Now: only programs on this computer reach the proxy.";
  if (!proxy.running) return "The proxy is stopped. Once it runs, devices in your network reach it.";
  if (lan === null) return "Now: this computer has no address in a network, so nobody else reaches the proxy yet.";
  return `Now: devices in your network reach the proxy at ${hostPort(lan, proxy.port)}.`;
}
