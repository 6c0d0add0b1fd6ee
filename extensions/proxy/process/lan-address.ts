import { networkInterfaces } from "node:os";
import { ANY_ADDRESS, isThisMachine } from "../../../src/engine/model/host-port.ts";

/**
 * The address to listen on: reachable from other devices if `lan` is true, else not. `given`: the configured address.
 */
export function listenAddress(given: string, lan: boolean): string {
  if (!lan) return isThisMachine(given) ? given : "127.0.0.1";
  if (!isThisMachine(given)) return given;
  return given === "::1" ? "::" : "0.0.0.0";
}

/**
 * This machine's IPv4 address for other devices; `null` if none exists, or if `address` is reachable from this machine
 * only.
 */
export function lanAddress(address: string): string | null {
  if (isThisMachine(address)) return null;
  if (!ANY_ADDRESS.includes(address)) return address;
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address: one }) => family === "IPv4" && !internal && !one.startsWith("169.254."));
  return found?.address ?? null;
}
