import { isPort } from "./host-port.ts";
import { failure, type Problem, type Result, success } from "./result.ts";

/** A local port to which clients connect as to a server. */
export interface TransparentPort {
  readonly port: number;
  /** The servers' port. */
  readonly target: number;
}

/** The servers' port of an entry that names none: that of https (RFC 9110, 4.2.2). */
const HTTPS = 443;

/** Parses `port` or `port=servers' port`. */
export function transparentPortOf(entry: string): Result<TransparentPort> {
  const [, digits = "", target = String(HTTPS)] = /^(\d{1,5})(?:=(\d{1,5}))?$/.exec(entry) ?? [];
  const [port, to] = [Number(digits), Number(target)];
  if (isPort(port) && isPort(to)) return success({ port, target: to });
  return failure(`"${entry}" does not have the form port or port=target port, such as 8443 or 8080=80.`);
}

/** Says which port two entries share; `null` if there is none. Ignores entries that are invalid in themselves. */
export function repeatedTransparentPort(entries: readonly string[]): Problem | null {
  const ports = entries.map(transparentPortOf).flatMap((entry) => (entry.ok ? entry.value.port : []));
  const twice = ports.find((port, index) => ports.indexOf(port) !== index);
  return twice === undefined ? null : `Port ${twice} is named twice. One transparent port has one target port.`;
}

/** The open port for https servers; without one, the port that the documents suggest. */
export function transparentPortFor(entries: readonly string[]): number {
  const open = entries.map(transparentPortOf).flatMap((entry) => (entry.ok ? entry.value : []));
  return open.find(({ target }) => target === HTTPS)?.port ?? SUGGESTED;
}

/** Resembles the port of https, and needs no privilege. */
const SUGGESTED = 8443;
