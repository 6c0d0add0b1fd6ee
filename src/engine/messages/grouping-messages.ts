/** The session's templates, and the paths that they fold. Shown as "Grouped: 40 templates". */
export interface Grouping {
  /** The setting `groupSimilarPaths`. */
  readonly on: boolean;
  /** At most 100 templates. Templates with the most paths come first. */
  readonly templates: readonly {
    /** `<METHOD> <origin><path template>[ · <operation>]`. */
    readonly template: string;
    /** The template as the pattern of a rule, such as `api.test/users/*`. */
    readonly pattern: string;
    readonly paths: number;
    readonly requests: number;
    /** At most 3 of the folded paths. */
    readonly examples: readonly string[];
  }[];
  readonly templateCount: number;
  /** The number of evicted rows. Statistics that are recomputed after a change of `on` lack them. */
  readonly forgotten: number;
}
