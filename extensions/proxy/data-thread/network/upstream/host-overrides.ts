import { asCompared } from "../host-pattern.ts";
import { authorityOf } from "../origin.ts";

export interface Override {
  readonly host: string;
  readonly port: number;
}

/**
 * Parses the `name=address:port` entries of the setting; ignores invalid ones. The last result is cached, since every
 * request passes the same list.
 */
export class HostOverrides {
  #read: readonly string[] = [];
  #byName: ReadonlyMap<string, Override> = new Map();

  find(settings: readonly string[], name: string): Override | null {
    if (settings.length === 0) return null;
    if (settings !== this.#read) {
      this.#read = settings;
      this.#byName = new Map(settings.flatMap(entryOf));
    }
    return this.#byName.get(asCompared(name)) ?? null;
  }
}

function entryOf(setting: string): [string, Override][] {
  const equals = setting.indexOf("=");
  const authority = authorityOf(setting.slice(equals + 1).trim());
  if (equals < 1 || authority === null || authority.port === null) return [];
  return [[asCompared(setting.slice(0, equals).trim()), { host: authority.host, port: authority.port }]];
}
