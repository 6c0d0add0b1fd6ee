import type { Command } from "../../src/engine/messages/messages.ts";
import type { RemarkCommand } from "../../src/engine/messages/remark-messages.ts";
import { type Remark, remarkOf } from "../../src/engine/model/remark.ts";
import type { Settings } from "../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../src/engine/model/units.ts";
import { pickedExchanges } from "../../src/engine/session/matching-exchanges.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { Recordings } from "./recordings.ts";
import type { ShownSession } from "./shown-session.ts";
import type { SessionStore } from "./storage/sessions.ts";

/** remark-messages.ts. Our choice: more would keep other work waiting. */
const MOST_AT_ONCE = 10_000;

const REMARKS: readonly Command["type"][] = [
  "mark-exchange",
  "mark-picked",
  "comment-exchange",
] satisfies readonly RemarkCommand["type"][];

export function isRemark(command: Command): command is RemarkCommand {
  return REMARKS.includes(command.type);
}

interface RemarkDeskOptions {
  readonly store: SessionStore;
  readonly recordings: Recordings;
  readonly settings: () => Settings;
}

/** Keeps what a person says of exchanges, of the session that the page shows. */
export class RemarkDesk {
  readonly #options: RemarkDeskOptions;

  constructor(options: RemarkDeskOptions) {
    this.#options = options;
  }

  /** The reply: to how many exchanges something was said. Throws the sentence that refuses it. */
  carryOut(command: RemarkCommand, shown: ShownSession): number {
    const session = shown.opened?.session ?? this.#options.recordings.session;
    const remarks = this.#askedOf(command, session).flatMap((id): (readonly [ExchangeId, Remark])[] => {
      const row = session.table.rowOf(id);
      if (row === null) return [];
      const { mark, comment } = session.table.remarks.at(row);
      return [
        [id, command.type === "comment-exchange" ? remarkOf(mark, command.comment) : remarkOf(command.mark, comment)],
      ];
    });
    if (remarks.length === 0) throw new Error("This exchange is not in the list any more.");
    this.#keep(remarks, shown);
    return remarks.length;
  }

  #askedOf(command: RemarkCommand, session: Session): readonly ExchangeId[] {
    if (command.type !== "mark-picked") return [command.exchange];
    const picked = pickedExchanges(session, command, this.#options.settings());
    if ("problem" in picked) throw new Error(picked.problem);
    if (picked.length > MOST_AT_ONCE) throw new Error("At most 10,000 exchanges can be marked at once. Select fewer.");
    return picked;
  }

  #keep(remarks: readonly (readonly [ExchangeId, Remark])[], { opened }: ShownSession): void {
    const { store, recordings } = this.#options;
    if (opened === null) return recordings.remark(remarks);
    const problem = store.remarkEnded(opened.facts.id, remarks);
    if (problem !== null) throw new Error(problem);
    for (const [id, remark] of remarks) opened.session.remark(id, remark);
  }
}
