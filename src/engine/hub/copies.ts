import type { Form, Target, Variant } from "./target.ts";

/** The key of one text of a target: its variant, and its version and shell where the variant has several. */
export function formKey({ id }: Variant, { version, shell }: Form): string {
  return `${id}${version === null ? "" : `@${version}`}${shell === null ? "" : `#${shell}`}`;
}

/** The keys of all texts of a target. */
export function formKeys({ variants }: Target): readonly string[] {
  return variants.flatMap((variant) => variant.forms.map((form) => formKey(variant, form)));
}
