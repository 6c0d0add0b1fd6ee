import { proxyAddressOf, withPassword } from "./proxy-address.ts";
import type { ClientCertificate, Settings } from "./settings.ts";

/*
 * Passwords in the settings stay in the engine. UI clients see `CONCEALED` instead; a UI client that sends `CONCEALED`
 * back leaves the password unchanged.
 */

/** What UI clients see in place of a stored password or passphrase. */
export const CONCEALED = "********";

/** The settings as sent to UI clients, with `CONCEALED` in place of each password and passphrase. */
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

/**
 * Restores the concealed passwords in a value that a UI client sent. The passwords come from the settings or, for the
 * upstream proxy, also from the address `offered` to the user.
 */
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

/**
 * Whether `value` is `known` with its password concealed. If anything else differs, the password is not restored, so
 * that no other host gets the password.
 */
function sameButPassword(known: string, value: string): boolean {
  return proxyAddressOf(value)?.password === CONCEALED && concealedProxy(known) === value;
}

function isMeant(known: ClientCertificate, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { host, file, passphrase } = value as Partial<Record<string, unknown>>;
  return passphrase === CONCEALED && known.passphrase !== null && host === known.host && file === known.file;
}
