/** Whether only programs on this computer can reach what listens on that address. */
export function isThisComputer(address: string): boolean {
  return address === "::1" || address === "[::1]" || address.startsWith("127.");
}
