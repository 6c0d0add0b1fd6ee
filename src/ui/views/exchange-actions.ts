import type { CopiedAs } from "../../engine/messages/messages.ts";
import type { ExchangeId } from "../../engine/model/units.ts";
import type { ViewDependencies } from "./dependencies.ts";

/** What a request can be copied as, in the words of menus. */
export const COPIES: readonly { readonly form: CopiedAs; readonly name: string }[] = Object.freeze([
  { form: "curl", name: "cURL" },
  { form: "curl-fish", name: "cURL for fish" },
  { form: "curl-powershell", name: "cURL for PowerShell" },
  { form: "curl-cmd", name: "cURL for cmd" },
  { form: "fetch", name: "fetch" },
  { form: "python", name: "Python" },
  { form: "har", name: "HAR" },
]);

type Acting = Pick<ViewDependencies, "commands" | "copy" | "announce">;

/** Copies a request, and announces that, or why not. */
export async function copyExchange(
  { commands, copy, announce }: Acting,
  exchange: ExchangeId,
  form: CopiedAs,
): Promise<void> {
  const reply = await commands.send({ type: "copy-as", exchange, form });
  const name = COPIES.find((each) => each.form === form)?.name ?? form;
  if (reply.ok) await copy(String(reply.value), `Copied as ${name}, credentials included.`);
  else announce(reply.problem);
}

/** Sends a request again, and announces that, or why not. */
export async function resendExchange({ commands, announce }: Acting, exchange: ExchangeId): Promise<void> {
  const reply = await commands.send({ type: "resend", exchange });
  announce(reply.ok ? "Sent again. It is marked as resent and counts in no statistic." : reply.problem);
}
