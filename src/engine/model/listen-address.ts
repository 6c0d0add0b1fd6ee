/** The addresses by which a listener says that it takes connections to any of this machine's. */
export const ANY_ADDRESS: readonly string[] = Object.freeze(["0.0.0.0", "::"]);

/** The whole of 127/8, also with parts left out as in 127.1, and `::1`, also as a URL has it. */
const LOOPBACK = /^(127(\.\d+){1,3}|::1|\[::1\]|localhost)$/i;

/** Whether only programs of this machine reach a listener at `address`, and clients that come from there are on it. */
export function isThisMachine(address: string): boolean {
  return LOOPBACK.test(address);
}

/** Where programs of this machine reach a listener at `address`. */
export function localAddress(address: string): string {
  return ANY_ADDRESS.includes(address) ? "127.0.0.1" : address;
}
