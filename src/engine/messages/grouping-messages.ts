/** What the session's templates fold: "Grouped: 40 templates". */
export interface Grouping {
  /** The setting `groupSimilarPaths`. */
  readonly on: boolean;
  /** The templates, the most paths first, at most 100. */
  readonly templates: readonly {
    /** `<METHOD> <origin><path template>[ · <operation>]`. */
    readonly template: string;
    /** The template as the pattern of a rule, `api.test/users/*`. */
    readonly pattern: string;
    readonly paths: number;
    readonly requests: number;
    /** At most 3 of the folded paths. */
    readonly examples: readonly string[];
  }[];
  readonly templateCount: number;
  /** Evicted rows, which recomputed statistics omit. */
  readonly forgotten: number;
}
