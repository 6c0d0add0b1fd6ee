// Must stay first: globals.ts patches globals before Alpine is loaded.
import "./globals.ts";
import Alpine from "@alpinejs/csp";
import { restoreGlobals } from "./globals.ts";

restoreGlobals();

/**
 * Replaces Alpine's `x-show`, which waits for an animation frame. Until then, the keyboard would reach elements that
 * should be hidden, and miss elements that should be shown.
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
