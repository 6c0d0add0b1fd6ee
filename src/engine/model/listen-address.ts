/** The addresses by which a listener says that it takes connections to any of this machine's. */
export const ANY_ADDRESS: readonly string[] = Object.freeze(["0.0.0.0", "::"]);

/** Where programs of this machine reach a listener at `address`. */
export function localAddress(address: string): string {
  return ANY_ADDRESS.includes(address) ? "127.0.0.1" : address;
}
