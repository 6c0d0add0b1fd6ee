import { networkInterfaces } from "node:os";

const ALL = Object.values(networkInterfaces()).flat();

/** This machine's IPv4 address outside loopback; `null`: none. */
export function lanAddress(): string | null {
  return ALL.find((one) => one !== undefined && !one.internal && one.family === "IPv4")?.address ?? null;
}

/** Whether this machine has IPv6 at all. */
export function hasIpv6(): boolean {
  return ALL.some((one) => one?.address === "::1");
}
