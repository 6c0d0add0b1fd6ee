import type { Side } from "../../capture/event.ts";
import { type OccurringKey, type OccurringValues, ROW_KEYS } from "../../messages/traffic-messages.ts";
import { HEADS_AT_ONCE } from "../filter/header-reading.ts";
import { occurringFindingsOf, occurringTextsOf, occurringValuesOf, topOf } from "../lists/occurring-values.ts";
import type { Session } from "../session.ts";
import type { HeaderColumn } from "../table/header-columns.ts";
import { HeaderNames } from "../table/header-names.ts";
import type { Context } from "./context.ts";

type Sources = Pick<Context, "session" | "archive" | "findings">;

/**
 * The values and names with which a filter term can be completed. Headers are read from the stored heads, in slices of
 * work.
 */
export class Completions {
  #session: Session | null = null;
  readonly #names = new Map<Side, HeaderNames>();
  /** The header whose values are read now. */
  #header: { readonly key: OccurringKey; readonly column: HeaderColumn } | null = null;

  /** Does one slice of the work; returns `false` if there is more. */
  prepare(key: OccurringKey, { session, archive }: Sources, most = HEADS_AT_ONCE): boolean {
    this.#look(session);
    const asked = headerOf(key);
    if (asked === null) return true;
    const { side, name } = asked;
    if (name === "") return this.#namesOf(session, side).read(archive.headReader(), most);
    if (this.#header?.key !== key) this.#header = { key, column: session.table.headers.of(side, name) };
    this.#header.column.read(archive.headReader(), most);
    return this.#header.column.isComplete;
  }

  of(key: OccurringKey, sources: Sources): OccurringValues {
    const { session, findings } = sources;
    this.prepare(key, sources, Number.POSITIVE_INFINITY);
    const asked = headerOf(key);
    if (asked?.name === "") return topOf(this.#namesOf(session, asked.side).counts);
    if (asked !== null) return occurringTextsOf(session.table, session.table.headers.of(asked.side, asked.name).values);
    if (key === "finding") return occurringFindingsOf(findings.ranked().found);
    const known = ROW_KEYS.find((one) => one === key);
    return known === undefined ? [] : occurringValuesOf(session, known);
  }

  #look(session: Session): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#header = null;
    this.#names.clear();
  }

  #namesOf({ table }: Session, side: Side): HeaderNames {
    const names = this.#names.get(side) ?? new HeaderNames(table, side);
    this.#names.set(side, names);
    return names;
  }
}

/** The header that a key is about; `null` if it is about none. `name`: "" for a completion of the names themselves. */
function headerOf(key: OccurringKey): { readonly side: Side; readonly name: string } | null {
  const [, prefix, name = ""] = /^(req|resp)\.(.*)$/.exec(key.toLowerCase()) ?? [];
  return prefix === undefined ? null : { side: prefix === "req" ? "request" : "response", name };
}
