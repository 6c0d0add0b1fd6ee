import type { Form, Target, Variant } from "./target.ts";

/** The key of one text of a target: the variant's id, then the form's version and shell if it has them. */
export function formKey({ id }: Variant, { version, shell }: Form): string {
  return `${id}${version === null ? "" : `@${version}`}${shell === null ? "" : `#${shell}`}`;
}

export function formKeys({ variants }: Target): readonly string[] {
  return variants.flatMap((variant) => variant.forms.map((form) => formKey(variant, form)));
}
