/**
 * Focuses the button of the current view. Otherwise the focus would return to the page's top when the focused element
 * is removed.
 */
export function focusView(): void {
  document.querySelector<HTMLElement>('nav [aria-current="page"]')?.focus();
}

/** Moves the focus to the list after a view or panel was closed, so that the focus is not lost to `<body>`. */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusList();
}

/** Focuses the view's list, where arrow keys work at once; without a list, the view's button. */
export function focusList(): void {
  const list = document.querySelector<HTMLElement>('main [role="grid"][tabindex="0"]');
  if (list === null) focusView();
  else list.focus({ preventScroll: true });
}
