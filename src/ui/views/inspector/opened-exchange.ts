import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import type { ViewDependencies } from "../dependencies.ts";

/**
 * Calls `known` with the details of the selected exchange, or `unknown` with the reason why there are none, after each
 * change. The returned function stops the calls.
 */
export function followOpened(
  { selection, windows }: Pick<ViewDependencies, "selection" | "windows">,
  known: (detail: ExchangeDetail) => void,
  unknown: (why: string) => void,
): () => void {
  const { exchange } = selection.now;
  if (exchange === null) return () => {};
  const tell = (): void => {
    const { value, problem } = details;
    if (value?.exchange.id === selection.now.exchange) known(value);
    else if (problem !== null) unknown(problem);
    else if (value === null) unknown("This exchange is no longer kept.");
  };
  const details = windows.value({ view: "exchange", exchange }, tell);
  const unwatch = selection.watch((now) => {
    if (now.exchange !== null) details.update({ view: "exchange", exchange: now.exchange });
  });
  return () => {
    details.close();
    unwatch();
  };
}
