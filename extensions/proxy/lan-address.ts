import { networkInterfaces } from "node:os";
import { ANY_ADDRESS, isThisMachine } from "../../src/engine/model/listen-address.ts";

/** Where to listen so that other devices reach the proxy, or so that they do not, on a machine that was told `given`. */
export function listenAddress(given: string, lan: boolean): string {
  if (!lan) return isThisMachine(given) ? given : "127.0.0.1";
  if (!isThisMachine(given)) return given;
  return given === "::1" ? "::" : "0.0.0.0";
}

/** Where other devices reach it: this machine's IPv4 address; `null` if they cannot, or there is none. */
export function lanAddress(address: string): string | null {
  if (isThisMachine(address)) return null;
  if (!ANY_ADDRESS.includes(address)) return address;
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address: one }) => family === "IPv4" && !internal && !one.startsWith("169.254."));
  return found?.address ?? null;
}
