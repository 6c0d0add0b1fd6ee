/** Gives the focus to the button of the view that is shown: what had it goes, and nobody should begin at the page's first. */
export function focusView(): void {
  document.querySelector<HTMLElement>('nav [aria-current="page"]')?.focus();
}

/** Once a view or a panel has gone: whoever was in it is in the list, and not nowhere. */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusList();
}

/** The same for who goes to a view by a key: to its list, where arrows move at once, if it has one. */
export function focusList(): void {
  const list = document.querySelector<HTMLElement>('main [role="grid"][tabindex="0"]');
  if (list === null) focusView();
  else list.focus({ preventScroll: true });
}
