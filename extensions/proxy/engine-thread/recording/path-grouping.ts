import { type PathTemplates, pathTemplatesOf } from "../../../../src/engine/insights/path-templates.ts";
import type { SiblingFold } from "../../../../src/engine/model/path-rule.ts";
import type { Problem } from "../../../../src/engine/model/result.ts";
import type { Settings } from "../../../../src/engine/model/settings.ts";
import { readFolds, writeFolds } from "../../storage/folds-file.ts";

/**
 * Creates the path templates of each session from the settings and from the folds (`SiblingFold`) that earlier sessions
 * have learned.
 */
export class PathGrouping {
  readonly #settings: () => Settings;
  readonly #dataDir: string;
  /** Folds by origin and parent. */
  readonly #folds = new Map<string, SiblingFold>();

  constructor(settings: () => Settings, dataDir: string) {
    this.#settings = settings;
    this.#dataDir = dataDir;
    for (const fold of readFolds(dataDir)) this.#folds.set(keyOf(fold), fold);
  }

  /** The path templates for a new session; the session adds the folds that it finds. `null` if grouping is off. */
  templates(): PathTemplates | null {
    return pathTemplatesOf(this.#settings(), this.#folds.values());
  }

  learned(templates: PathTemplates): Problem | null {
    for (const fold of templates.folds) {
      // Moved to the end of the map, because the first entries are dropped first.
      this.#folds.delete(keyOf(fold));
      this.#folds.set(keyOf(fold), fold);
    }
    return writeFolds(this.#dataDir, [...this.#folds.values()]);
  }
}

function keyOf({ origin, parent }: SiblingFold): string {
  return `${origin}${parent}`;
}
