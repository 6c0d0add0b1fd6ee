/** A parent below which names are folded into `{id}`, except the kept ones. */
export interface SiblingFold {
  readonly origin: string;
  /** The template of the parent's path; "" for the root. */
  readonly parent: string;
  readonly kept: readonly string[];
}
