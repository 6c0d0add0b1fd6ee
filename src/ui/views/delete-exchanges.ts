import type { Deleted } from "../../engine/messages/deletion-messages.ts";
import type { ExchangeId } from "../../engine/model/units.ts";
import { countPhrase } from "../format/count.ts";
import type { PickedRows } from "../state/selection.ts";
import type { UndoStep } from "../state/undo.ts";
import type { ViewDependencies } from "./dependencies.ts";

/** Milliseconds after which the window says that a deletion is still going on. */
const SHOWN_AFTER_MS = 1_000;

type Deleting = Pick<ViewDependencies, "commands" | "announce" | "undo" | "selection">;

/**
 * Deletes an exchange or all selected rows, and offers to undo that. An inspector that shows one of them closes.
 * Resolves to whether it was done; a refusal is announced.
 */
export async function deleteExchanges(
  { commands, announce, undo, selection }: Deleting,
  which: ExchangeId | PickedRows,
): Promise<boolean> {
  const waiting = setTimeout(() => announce("Deleting. Figures and findings follow."), SHOWN_AFTER_MS);
  const first = typeof which === "number" ? which : (which.stretches[0]?.from ?? null);
  const deletionStep = ({ count, inFlight, deletion }: Deleted): UndoStep => {
    const what = countPhrase(count, "exchange", "exchanges");
    const left = inFlight === 0 ? "" : ` ${countPhrase(inFlight, "exchange", "exchanges")} in flight stayed.`;
    return {
      offer: `${what} deleted.${left}`,
      undo: async () => {
        const reply = await commands.send({ type: "undo-deletion", deletion });
        if (!reply.ok) return reply.problem;
        // An open inspector shows the active row.
        const exchange = selection.now.exchange === null ? null : (first ?? selection.now.exchange);
        selection.set({ active: first, exchange });
        return `${what} restored.`;
      },
    };
  };
  const sent = commands.send(
    typeof which === "number" ? { type: "delete-exchange", exchange: which } : { type: "delete-picked", ...which },
  );
  const reply = await undo.pushReplied(sent, (value) => deletionStep(value as Deleted));
  clearTimeout(waiting);
  if (!reply.ok) {
    announce(reply.problem);
    return false;
  }
  const { exchange } = selection.now;
  selection.set({ active: null, exchange: typeof which !== "number" || exchange === which ? null : exchange });
  return true;
}
