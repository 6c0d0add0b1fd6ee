import { join } from "node:path";
import { untrustedJsonOf } from "../../../src/engine/model/json.ts";
import type { Problem } from "../../../src/engine/model/result.ts";
import { isSetting, parseSettings, settingProblem } from "../../../src/engine/model/setting-rules.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/engine/model/settings.ts";
import { keptAside, readPrivateFile, writePrivateFile } from "./private-file.ts";

/** Version of the file's format. If a file has a newer version, its known keys are read. No older version exists. */
const VERSION = 1;
/** The most bytes of the file (docs/security.md L4). Default: enough for every list at its longest. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The user's settings and their file. Keys that this version of Weir does not know are kept. */
export class SettingsFile {
  readonly #path: string;
  #settings: Settings;
  readonly #others: Readonly<Record<string, unknown>>;
  readonly notices: readonly string[];

  private constructor(path: string, stored: Readonly<Record<string, unknown>>, notices: readonly string[]) {
    const { settings, problems } = parseSettings(stored);
    this.#path = path;
    this.#settings = settings;
    this.#others = Object.fromEntries(Object.entries(stored).filter(([key]) => !isSetting(key)));
    this.notices = Object.freeze([...notices, ...problems.map((problem) => `A setting was not used. ${problem}`)]);
  }

  /**
   * Reads the folder's settings; never fails. If the file is invalid, the defaults apply, and the file is set aside if
   * `isOwner` is true.
   */
  static open(folder: string, isOwner = true): SettingsFile {
    const path = join(folder, "settings.json");
    const file = readPrivateFile(path, MOST_BYTES);
    if (file.ok && file.value === null) return new SettingsFile(path, {}, []);
    const stored = file.ok ? untrustedJsonOf(String(file.value)) : undefined;
    if (typeof stored === "object" && stored !== null && !Array.isArray(stored)) {
      return new SettingsFile(path, stored as Record<string, unknown>, []);
    }
    const reason = file.ok ? `${path} is not a JSON object` : file.problem;
    const kept = isOwner ? keptAside(path) : "";
    return new SettingsFile(path, {}, [`The settings could not be read, so the defaults apply: ${reason}.${kept}`]);
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Changes and saves one setting. After a problem, nothing has changed. */
  change(key: string, value: unknown): Problem | null {
    const problem = settingProblem(key, value);
    if (problem !== null) return problem;
    const { settings } = parseSettings({ ...this.#settings, [key]: value });
    const version = Math.max(VERSION, Number(this.#others["version"]) || 0);
    const text = JSON.stringify({ ...this.#others, version, ...differencesOf(settings) }, null, 2);
    const unsaved = writePrivateFile(this.#path, `${text}\n`);
    if (unsaved !== null) return `The setting could not be saved: ${unsaved}.`;
    this.#settings = settings;
    return null;
  }
}

/**
 * The settings to store: only those that differ from the defaults, so that an unchanged setting gets the better default
 * of a later version.
 */
function differencesOf(settings: Settings): Record<string, unknown> {
  const defaults = Object.entries(DEFAULT_SETTINGS).map(([key, value]) => [key, JSON.stringify(value)] as const);
  const same = new Map<string, string>(defaults);
  return Object.fromEntries(Object.entries(settings).filter(([key, value]) => same.get(key) !== JSON.stringify(value)));
}
