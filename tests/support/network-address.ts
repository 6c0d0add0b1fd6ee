import { networkInterfaces } from "node:os";

const ALL = Object.values(networkInterfaces()).flat();

/** An IPv4 address of this computer other than loopback; `null` if there is none. */
export function lanAddress(): string | null {
  return ALL.find((one) => one !== undefined && !one.internal && one.family === "IPv4")?.address ?? null;
}

/** Whether this computer supports IPv6. */
export function hasIpv6(): boolean {
  return ALL.some((one) => one?.address === "::1");
}
