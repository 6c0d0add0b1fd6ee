/** A path whose child segments are folded into `{id}`, except those in `kept`. */
export interface SiblingFold {
  readonly origin: string;
  /** The template of the parent's path; "" for the root. */
  readonly parent: string;
  readonly kept: readonly string[];
}
