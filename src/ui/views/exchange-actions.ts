import type { Annotated } from "../../engine/messages/annotation-decode.ts";
import type { CopiedAs } from "../../engine/messages/exchange-messages.ts";
import { MARKS, type Mark } from "../../engine/model/annotation.ts";
import type { ExchangeId } from "../../engine/model/units.ts";
import { countText } from "../format/count.ts";
import { MARK_NAMES } from "../format/mark.ts";
import type { PickedRows } from "../state/selection.ts";
import type { UndoStep } from "../state/undo.ts";
import type { ViewDependencies } from "./dependencies.ts";

/** The formats in which a request can be copied, with their menu labels. */
export const COPIES: readonly { readonly form: CopiedAs; readonly name: string }[] = Object.freeze([
  { form: "curl", name: "cURL" },
  { form: "curl-fish", name: "cURL for fish" },
  { form: "curl-powershell", name: "cURL for PowerShell" },
  { form: "curl-cmd", name: "cURL for cmd" },
  { form: "httpie", name: "HTTPie" },
  { form: "http-file", name: ".http file" },
  { form: "powershell", name: "PowerShell" },
  { form: "fetch", name: "fetch" },
  { form: "python", name: "Python" },
  { form: "go", name: "Go" },
  { form: "java", name: "Java" },
  { form: "har", name: "HAR" },
]);

type Acting = Pick<ViewDependencies, "commands" | "copy" | "announce">;

/** Copies a request and announces the outcome. */
export async function copyExchange(
  { commands, copy, announce }: Acting,
  exchange: ExchangeId,
  form: CopiedAs,
): Promise<void> {
  const reply = await commands.send({ type: "copy-as", exchange, form });
  const name = COPIES.find((each) => each.form === form)?.name ?? form;
  if (reply.ok) await copy(String(reply.value), `Copied as ${name}, nothing redacted.`);
  else announce(reply.problem);
}

/** Copies the requests of the selected rows as one text and announces the outcome. `url`: only their addresses. */
export async function copyPicked(
  { commands, copy, announce }: Acting,
  picked: PickedRows,
  form: CopiedAs | "url",
): Promise<void> {
  const reply = await commands.send({ type: "copy-picked", ...picked, form });
  const name = COPIES.find((each) => each.form === form)?.name;
  const done = name === undefined ? "URLs copied." : `Selected requests copied as ${name}, nothing redacted.`;
  if (reply.ok) await copy(String(reply.value), done);
  else announce(reply.problem);
}

/** Resends a request and announces the outcome. */
export async function resendExchange({ commands, announce }: Acting, exchange: ExchangeId): Promise<void> {
  const reply = await commands.send({ type: "resend", exchange });
  announce(reply.ok ? "Request sent again. It is tagged as resent and left out of statistics." : reply.problem);
}

/** A mark to choose; `null`: no mark. */
export interface MarkChoice {
  readonly mark: Mark | null;
  readonly name: string;
  /** Class that draws the mark's shape (theme/marks.css). */
  readonly shape: string;
}

export const MARK_CHOICES: readonly MarkChoice[] = Object.freeze([
  ...MARKS.map((mark) => Object.freeze({ mark, name: MARK_NAMES[mark], shape: `is-${mark}` })),
  Object.freeze({ mark: null, name: "No mark", shape: "is-none" }),
]);

/** Undoes the change of annotations with this number. `what`: "Mark" or "Comment". */
export function annotationStep(commands: ViewDependencies["commands"], { change }: Annotated, what: string): UndoStep {
  return {
    offer: "",
    undo: async () => {
      const reply = await commands.send({ type: "undo-annotations", change });
      return reply.ok ? `${what} undone.` : reply.problem;
    },
  };
}

/** Marks an exchange, or all selected rows, and announces the outcome; `null` removes the mark. */
export async function markExchanges(
  { commands, announce, undo }: Pick<ViewDependencies, "commands" | "announce" | "undo">,
  which: ExchangeId | PickedRows,
  mark: Mark | null,
): Promise<void> {
  const sent = commands.send(
    typeof which === "number"
      ? { type: "mark-exchange", exchange: which, mark }
      : { type: "mark-picked", ...which, mark },
  );
  const reply = await undo.pushReplied(sent, (value) => annotationStep(commands, value as Annotated, "Mark"));
  const done = mark === null ? "Mark removed" : `Marked: ${MARK_NAMES[mark]}`;
  const count = reply.ok ? (reply.value as Annotated).count : 0;
  announce(reply.ok ? `${done}${count > 1 ? `, ${countText(count)} exchanges` : ""}.` : reply.problem);
}
