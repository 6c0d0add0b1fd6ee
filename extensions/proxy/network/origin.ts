import { isIPv6 } from "node:net";
import { hostPort } from "../../../src/engine/model/host-port.ts";

export type Scheme = "http" | "https";

/** Where requests go: scheme, host and port, taken apart once. */
export interface Origin {
  readonly scheme: Scheme;
  /** Lower-case, without brackets. */
  readonly host: string;
  readonly port: number;
  /** `scheme://host[:port]`, the port only where it is not the scheme's own. */
  readonly text: string;
}

export interface Authority {
  /** Lower-case, without brackets. */
  readonly host: string;
  /** `null`: not given. */
  readonly port: number | null;
}

const DEFAULT_PORTS: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };

/** RFC 3986, 3.2.2, without the comma, which would let one name look like two. No user-info: "@" is not in it. */
const AUTHORITY = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._~!$&'()*+;=%-]+))(?::([0-9]{0,5}))?$/;

/** `host[:port]` (RFC 9110, 7.2), or `null` if it is none. */
export function authorityOf(text: string): Authority | null {
  const match = AUTHORITY.exec(text);
  if (match === null) return null;
  const [, address, name, digits] = match;
  const host = (address ?? name ?? "").toLowerCase();
  if (address !== undefined && !isIPv6(address)) return null;
  if (digits === undefined || digits === "") return { host, port: null };
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { host, port } : null;
}

export function originOf(scheme: Scheme, { host, port }: Authority): Origin {
  const ownPort = DEFAULT_PORTS[scheme];
  const text =
    port === null || port === ownPort
      ? `${scheme}://${host.includes(":") ? `[${host}]` : host}`
      : `${scheme}://${hostPort(host, port)}`;
  return Object.freeze({ scheme, host, port: port ?? ownPort, text });
}
