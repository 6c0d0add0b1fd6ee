/** A parent below which all names except `kept` are folded into `{id}`. */
export interface SiblingFold {
  readonly origin: string;
  /** The template of the parent's path; "" for the root. */
  readonly parent: string;
  readonly kept: readonly string[];
}
