import { isNamed } from "./code.ts";
import { isSecretName } from "./secret-name.ts";

/* Objects with a name and its value in two members, such as `{"name": "password", "value": "x"}`. */

/** The members of an object that may belong together as a name and a value. */
export interface Pairs {
  /** The values of members such as "name": each may be the name of a value beside it. */
  readonly titles: { readonly member: string; readonly title: string }[];
  /** The values of members such as "value". */
  readonly values: NamedValue[];
}

/** A value whose name another member may give. */
export interface NamedValue {
  readonly member: string;
  /** The index, in the list of replacements, of the entry that is reserved for this value. */
  readonly span: number;
  readonly from: number;
  /** `null` until the value has ended. */
  to: number | null;
}

/** Whether the member may name other members' values. */
export function isTitle(member: string): boolean {
  return TITLE.test(member) || BROAD_TITLE.test(member);
}

/** Whether another member may name the member's value. */
export function isValue(member: string): boolean {
  return VALUE.test(member) || BROAD_VALUE.test(member);
}

/** The secret name that other members give to a member's value; `null` if there is none. */
export function titleOf(pairs: Pairs, member: string): string | null {
  const isBroad = !VALUE.test(member);
  for (const { member: naming, title } of pairs.titles) {
    if (!TITLE.test(naming)) {
      if (!isBroad && isNamed(title)) return title;
    } else if (isBroad ? isNamed(title) : isSecretName(title)) return title;
  }
  return null;
}

const TITLE = /^(?:name|key|k|header|field|param|parameter|property|attribute|variable)$/i;

/** Members that may hold a name or something else. Text beside `"label": "Password"` may be about passwords. */
const BROAD_TITLE = /^(?:id|label|type)$/i;

const VALUE = /^(?:v|val|values|[a-z_]{0,32}value)$/i;
const BROAD_VALUE = /^(?:content|data|text)$/i;
