import { networkInterfaces } from "node:os";
import { ANY_ADDRESS, isThisMachine } from "../../../src/engine/model/listen-address.ts";

/** The address to listen on so that other devices can or cannot reach the proxy; `given` is the configured one. */
export function listenAddress(given: string, lan: boolean): string {
  if (!lan) return isThisMachine(given) ? given : "127.0.0.1";
  if (!isThisMachine(given)) return given;
  return given === "::1" ? "::" : "0.0.0.0";
}

/** This machine's IPv4 address for other devices; `null` if they cannot connect, or there is none. */
export function lanAddress(address: string): string | null {
  if (isThisMachine(address)) return null;
  if (!ANY_ADDRESS.includes(address)) return address;
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address: one }) => family === "IPv4" && !internal && !one.startsWith("169.254."));
  return found?.address ?? null;
}
