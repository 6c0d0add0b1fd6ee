/** An origin without its scheme, as hosts are shown: "api.shop.test:8443". */
export function hostText(origin: string): string {
  const at = origin.indexOf("://");
  return at < 0 ? origin : origin.slice(at + 3);
}

/** Whether only programs on this computer can reach what listens on that address. */
export function isThisComputer(address: string): boolean {
  return address === "::1" || address === "[::1]" || address.startsWith("127.");
}
