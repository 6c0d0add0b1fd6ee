/** Gives the focus to the button of the view that is shown: what had it goes, and nobody should begin at the page's first. */
export function focusView(): void {
  document.querySelector<HTMLElement>('nav [aria-current="page"]')?.focus();
}
