/** A parsed upstream proxy address. */
export interface ProxyAddress {
  readonly scheme: "http" | "https";
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  /** As written in the address, percent-encoded; `null` if there is none. */
  readonly user: string | null;
  readonly password: string | null;
}

const ADDRESS =
  /^(https?):\/\/(?:([^\s:@/?#]+)(?::([^\s:@/?#]*))?@)?(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?\/?$/i;

/** Parses `http[s]://[user[:password]@]host[:port]`; `null` for any other text. */
export function proxyAddressOf(text: string): ProxyAddress | null {
  const match = ADDRESS.exec(text);
  if (match === null) return null;
  const [, scheme = "", user = null, password = null, address, name = "", digits] = match;
  const isSecure = scheme.toLowerCase() === "https";
  const port = digits === undefined ? usualPort(isSecure) : Number(digits);
  if (port < 1 || port > 65_535) return null;
  const host = (address ?? name).toLowerCase();
  return Object.freeze({ scheme: isSecure ? "https" : "http", host, port, user, password });
}

/** Replaces the password in an address; returns an address without a password unchanged. */
export function withPassword(text: string, password: string): string {
  return text.replace(/^(https?:\/\/[^\s:@/?#]+:)[^\s:@/?#]*@/i, (_, before: string) => `${before}${password}@`);
}

function usualPort(isSecure: boolean): number {
  return isSecure ? 443 : 80;
}
