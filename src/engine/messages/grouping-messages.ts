/** "312 paths look like 9 templates." */
export interface Grouping {
  /** Whether it is on: setting `groupSimilarPaths`. */
  readonly on: boolean;
  /** Where >= 20 collecting endpoints share a template; `null` where there is nothing to offer, and while it is on. */
  readonly offer: { readonly paths: number; readonly templates: number } | null;
  /** Templates that fold at least two paths, the most paths first, at most 100. */
  readonly templates: readonly {
    /** `<METHOD> <origin><path template>`. */
    readonly template: string;
    readonly paths: number;
    readonly requests: number;
    /** At most 3 of them. */
    readonly examples: readonly string[];
  }[];
  readonly templateCount: number;
  /** Rows that left the list: they are no part of statistics made anew. */
  readonly forgotten: number;
}
