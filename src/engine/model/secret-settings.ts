import { proxyAddressOf, withPassword } from "./proxy-address.ts";
import type { ClientCertificate, Settings } from "./settings.ts";

/*
 * Passwords among the settings are for the engine alone: a page sees that there is one, and whatever it sends back
 * unchanged stays what it was.
 */

/** Stands for a password or passphrase that is kept. */
export const CONCEALED = "********";

/** The settings as a page may see them. */
export function concealed(settings: Settings): Settings {
  const { upstreamProxy, clientCertificates } = settings;
  return Object.freeze({
    ...settings,
    upstreamProxy: upstreamProxy === null ? null : concealedProxy(upstreamProxy),
    clientCertificates: Object.freeze(
      clientCertificates.map((one) =>
        one.passphrase === null ? one : Object.freeze({ ...one, passphrase: CONCEALED }),
      ),
    ),
  });
}

export function concealedProxy(address: string): string {
  return withPassword(address, CONCEALED);
}

/** The value that a page means: what it saw concealed is put back, from the settings or, for a proxy, from what was offered. */
export function revealed(key: string, value: unknown, settings: Settings, offered: string | null): unknown {
  if (key === "upstreamProxy" && typeof value === "string") {
    const known = [settings.upstreamProxy, offered];
    return known.find((one) => one !== null && sameButPassword(one, value)) ?? value;
  }
  if (key === "clientCertificates" && Array.isArray(value)) {
    return value.map((one: unknown) => settings.clientCertificates.find((known) => isMeant(known, one)) ?? one);
  }
  return value;
}

/** A kept password is never sent to another host or under another name. */
function sameButPassword(known: string, value: string): boolean {
  return proxyAddressOf(value)?.password === CONCEALED && concealedProxy(known) === value;
}

function isMeant(known: ClientCertificate, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { host, file, passphrase } = value as Partial<Record<string, unknown>>;
  return passphrase === CONCEALED && known.passphrase !== null && host === known.host && file === known.file;
}
