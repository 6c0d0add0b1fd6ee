import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import type { ViewDependencies } from "../dependencies.ts";

/**
 * Tells what is known of the exchange that is open, as it changes, or in words why nothing is. What is held of the one that was
 * open before is never taken for it. Gives what ends it.
 */
export function followOpened(
  { selection, windows }: Pick<ViewDependencies, "selection" | "windows">,
  known: (detail: ExchangeDetail) => void,
  unknown: (why: string) => void,
): () => void {
  const { exchange } = selection.now;
  if (exchange === null) return () => {};
  const tell = (): void => {
    const { value } = details;
    if (value?.exchange.id === selection.now.exchange) known(value);
    else if (windows.problem !== null) unknown(windows.problem);
    else if (value === null) unknown("This exchange is no longer kept.");
  };
  const details = windows.value({ view: "exchange", exchange }, tell);
  // Nobody answers: what is held is all that there will be.
  if (windows.problem !== null) tell();
  const unwatch = selection.watch((now) => {
    if (now.exchange === null) return;
    details.update({ view: "exchange", exchange: now.exchange });
    if (windows.problem !== null) tell();
  });
  return () => {
    details.close();
    unwatch();
  };
}
