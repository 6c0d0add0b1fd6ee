// Must stay first: what it does, it does while Alpine is loaded.
import "./globals.ts";
import Alpine from "@alpinejs/csp";
import { giveBack } from "./globals.ts";

giveBack();

/**
 * As Alpine's own, but at once: that one waits for a frame, for transitions, of which there are none here, and until then
 * the keyboard reaches what is gone and does not reach what has come.
 */
Alpine.directive("show", (element, { expression }, { evaluateLater, effect }) => {
  const evaluate = evaluateLater<unknown>(expression);
  let shown: boolean | null = null;
  effect(() =>
    evaluate((value) => {
      if (shown === Boolean(value)) return;
      shown = Boolean(value);
      Alpine.mutateDom(() => {
        element.style.display = value ? "" : "none";
      });
    }),
  );
});

export { Alpine };
