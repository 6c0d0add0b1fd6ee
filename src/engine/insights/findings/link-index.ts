import type { Link as FoundLink } from "../../model/link.ts";
import type { ExchangeId } from "../../model/units.ts";
import { addTo } from "../grouped.ts";

/** The parts of a link that findings use; without evidence, only those that need it say nothing. */
export type Link = Pick<FoundLink, "from" | "to" | "kind" | "basis"> & Partial<Pick<FoundLink, "evidence">>;

/** The links to each exchange. */
export class LinkIndex {
  readonly #into = new Map<ExchangeId, Link[]>();
  readonly #provenInto = new Map<ExchangeId, Link[]>();

  constructor(links: Iterable<Link>) {
    for (const link of links) {
      addTo(this.#into, link.to, link);
      if (link.kind === "proven" && link.basis !== "trace") addTo(this.#provenInto, link.to, link);
    }
  }

  /** The proven links to an exchange. Trace links are left out, since they mean nesting, not order. */
  provenInto(id: ExchangeId): readonly Link[] {
    return this.#provenInto.get(id) ?? NONE;
  }

  /** The order link to an exchange; `null` if there is none, or if the exchange also has a proven link. */
  orderInto(id: ExchangeId): Link | null {
    const own = this.#into.get(id) ?? NONE;
    return own.every(({ kind }) => kind === "sequential") ? (own[0] ?? null) : null;
  }

  values(): IterableIterator<readonly Link[]> {
    return this.#into.values();
  }
}

const NONE: readonly Link[] = Object.freeze([]);
