import type { OperationEndpoint } from "../../model/finding.ts";
import type { HeaderField } from "../../model/head.ts";
import { isRecord } from "../../model/json.ts";
import type { BodyFacts, BodyField } from "../exchange-facts.ts";
import { apart } from "./field-pool.ts";
import { fieldIn } from "./field-values.ts";
import { formPairsOf } from "./query-pairs.ts";
import type { SentText } from "./sent-text.ts";

/** The most characters of a body that is parsed for its fields. */
const LONGEST_BODY = 64 * 1024;

/** docs/specification.md, slow-when: the limits of body fields. */
const DEEPEST = 3;
const LONGEST_VALUE = 64;
const MOST_OF_ENDPOINT = 200;

/** A field with a longer name is left out. */
const LONGEST_NAME = 100;

/** The most members and items that are visited in one body. */
const MOST_VISITED = 1_000;

/** The most fields kept in all; later exchanges have none (`null`). */
const MOST_KEPT = 500_000;

/** The most fields whose object is shared. After that, the shared fields are dropped. */
const MOST_SHARED = 20_000;

interface SentBody {
  readonly fields: readonly HeaderField[];
  readonly body: SentText;
  readonly facts: Pick<BodyFacts, "size" | "hash">;
}

/**
 * The scalars of a JSON body or the pairs of a form, such as `["filter.status", "open"]`. Items of a list have the name
 * of the list. `null` if the body is unknown, too long or of another type.
 */
export function bodyFieldsOf({ fields, body, facts }: SentBody): readonly BodyField[] | null {
  if (facts.size === 0) return NONE;
  const { text } = body;
  if (text === "" || text.length > LONGEST_BODY || facts.hash === null) return null;
  if (/^application\/x-www-form-urlencoded\b/i.test(fieldIn(fields, "content-type") ?? ""))
    return formPairsOf(text)
      .slice(0, MOST_VISITED)
      .flatMap(([name, value]) => fieldAt(name, value));
  if (!/^\s*[[{]/.test(text)) return null;
  const { json } = body;
  return json === null ? null : scalarsIn(json);
}

const NONE: readonly BodyField[] = Object.freeze([]);

function scalarsIn(json: unknown): readonly BodyField[] {
  const found: BodyField[] = [];
  let visited = 0;
  const visit = (value: unknown, name: string, depth: number): void => {
    visited += 1;
    if (visited > MOST_VISITED) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MOST_VISITED)) visit(item, name, depth);
    } else if (isRecord(value)) {
      if (depth === DEEPEST) return;
      for (const key in value) visit(value[key], name === "" ? key : `${name}.${key}`, depth + 1);
    } else found.push(...fieldAt(name, String(value)));
  };
  visit(json, "", 0);
  return found;
}

function fieldAt(name: string, value: string): readonly BodyField[] {
  if (name === "" || name.length > LONGEST_NAME) return NONE;
  return [[name, value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE - 1)}…`]];
}

/** Keeps the body fields of a session within its limits. Equal fields are usually one object, to save memory. */
export class BodyFieldPool {
  readonly #names = new Map<OperationEndpoint, Set<string>>();
  readonly #shared = new Map<string, BodyField>();
  #kept = 0;

  /** The fields that are kept for an exchange of this endpoint; `null` if they are unknown. */
  kept(endpoint: OperationEndpoint, fields: readonly BodyField[] | null): readonly BodyField[] | null {
    if (fields === null || fields.length === 0) return fields;
    if (this.#kept >= MOST_KEPT) return null;
    const names = this.#namesOf(endpoint);
    const kept: BodyField[] = [];
    for (const field of fields) {
      const [name] = field;
      if (names.size >= MOST_OF_ENDPOINT && !names.has(name)) continue;
      names.add(name);
      kept.push(this.#sharedOf(field));
    }
    this.#kept += kept.length;
    // As in `FieldPool`, a copy has no unused capacity.
    return kept.slice();
  }

  #namesOf(endpoint: OperationEndpoint): Set<string> {
    const names = this.#names.get(endpoint) ?? new Set();
    this.#names.set(endpoint, names);
    return names;
  }

  #sharedOf([name, value]: BodyField): BodyField {
    const key = `${name}\n${value}`;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    if (this.#shared.size >= MOST_SHARED) this.#shared.clear();
    const field: BodyField = Object.freeze([apart(name), apart(value)] as const);
    this.#shared.set(key, field);
    return field;
  }
}
