import { X509Certificate } from "node:crypto";
import { type Result, unwrap } from "../../../../src/engine/model/result.ts";
import { concealed, concealedProxy, revealed } from "../../../../src/engine/model/secret-settings.ts";
import type { Settings } from "../../../../src/engine/model/settings.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { Cached } from "../../../../src/engine/session/evaluation/cached.ts";
import { endWarning } from "../../certificates/root-end.ts";
import { environmentProxy } from "../../process/environment-proxy.ts";
import type { SettingsFile } from "../../storage/settings-file.ts";
import type { PublicRoot } from "../../threads.ts";

/** The settings as UI clients see and change them: without secrets. */
export class SettingsCommands {
  readonly #file: SettingsFile;
  readonly #environmentProxy: string | null;
  readonly #concealed = new Cached<Settings>();

  constructor(file: SettingsFile, environment: NodeJS.ProcessEnv) {
    this.#file = file;
    this.#environmentProxy = environmentProxy(environment);
  }

  /** The settings without secrets. The same object is returned until a setting changes. */
  get shown(): Settings {
    const { settings } = this.#file;
    return this.#concealed.of([settings], () => concealed(settings));
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

function areReadable(certificates: string): boolean {
  try {
    for (const pem of certificates.split(/(?<=-----END CERTIFICATE-----)\s*/)) if (pem !== "") new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/** The current root without its key, and the UI clients that wait for a new one. */
export class RootCommands {
  #root: PublicRoot;
  readonly #ask: () => void;
  #waiting: ((root: Result<PublicRoot>) => void)[] = [];

  /** `ask`: requests a new root from the data thread; `setRoot` then gets the root. */
  constructor(root: PublicRoot, ask: () => void) {
    this.#root = root;
    this.#ask = ask;
  }

  get certificate(): PublicRoot["certificate"] {
    return this.#root.certificate;
  }

  /** Called with the new root, or with the reason why there is none. */
  setRoot(root: Result<PublicRoot>): void {
    if (root.ok) this.#root = root.value;
    for (const answer of this.#waiting.splice(0)) answer(root);
  }

  /** Renews the root. Calls at the same time share one new root. Throws a sentence if no new root was made. */
  async renew(): Promise<null> {
    const renewed = new Promise<Result<PublicRoot>>((resolve) => this.#waiting.push(resolve));
    if (this.#waiting.length === 1) this.#ask();
    unwrap(await renewed);
    return null;
  }

  /** A warning that the certificate expires soon or has expired; else `null`. */
  endWarning(now: Instant): string | null {
    const { endsAt, renewable } = this.certificate;
    return endWarning(endsAt, renewable, now);
  }
}
