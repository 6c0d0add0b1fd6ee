import { X509Certificate } from "node:crypto";
import { concealed, concealedProxy, revealed } from "../../../../src/engine/model/secret-settings.ts";
import type { Settings } from "../../../../src/engine/model/settings.ts";
import { environmentProxy } from "../../process/environment-proxy.ts";
import type { SettingsFile } from "../../storage/settings-file.ts";

/** The settings as UI clients see and change them: without secrets. */
export class SettingsCommands {
  readonly #file: SettingsFile;
  readonly #environmentProxy: string | null;
  #concealed: { readonly settings: Settings; readonly of: Settings } | null = null;

  constructor(file: SettingsFile, environment: NodeJS.ProcessEnv) {
    this.#file = file;
    this.#environmentProxy = environmentProxy(environment);
  }

  /** The settings without secrets. The same object is returned until a setting changes. */
  get shown(): Settings {
    const { settings } = this.#file;
    if (this.#concealed?.settings !== settings) this.#concealed = { settings, of: concealed(settings) };
    return this.#concealed.of;
  }

  /** The upstream proxy of the environment, with its password concealed; `null` if there is none. */
  get shownEnvironmentProxy(): string | null {
    return this.#environmentProxy === null ? null : concealedProxy(this.#environmentProxy);
  }

  /** Changes and stores one setting; returns all settings. Throws a sentence if the value is invalid. */
  change(key: string, value: unknown): Settings {
    const before = this.#file.settings;
    const problem = this.#file.change(key, revealed(key, value, before, this.#environmentProxy));
    if (problem !== null) throw new Error(problem);
    const damaged = this.#file.settings.hostAuthorities.find(({ certificates }) => !areReadable(certificates));
    if (key === "hostAuthorities" && damaged !== undefined) {
      this.#file.change(key, before.hostAuthorities);
      throw new Error(`The file ${damaged.file} contains no certificate that can be read.`);
    }
    return this.#file.settings;
  }
}

/** Whether each of these certificates (PEM) can be read. */
function areReadable(certificates: string): boolean {
  try {
    for (const pem of certificates.split(/(?<=-----END CERTIFICATE-----)\s*/)) if (pem !== "") new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
