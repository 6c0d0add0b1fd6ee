/** Moves the focus to the list if the focus was lost to `<body>`, as after a panel was closed. */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body) focusList();
}

/** Focuses the view's list, and moves to its first visible row unless it has an active one. */
export function focusFirstRow(): void {
  const found = (scrolling: string) => [...document.querySelectorAll<HTMLElement>(`main ${scrolling}[tabindex="0"]`)];
  const lists = [...found(':is([role="grid"], [role="region"])'), ...found("section")];
  const list = lists.find((each) => each.checkVisibility());
  if (list === undefined) return focusView();
  list.focus({ preventScroll: true });
  if (list.getAttribute("aria-activedescendant") === null)
    list.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
}

/** Moves the focus to the list if it is in a notice or the first steps, which the pressed button removes. */
export function leaveNotice(): void {
  if (document.activeElement?.closest(".notice, .first-steps") != null) focusList();
}

/** Focuses the view's list, where arrow keys work at once; without a list, the view's button. */
export function focusList(): void {
  const list = document.querySelector<HTMLElement>('main [role="grid"][tabindex="0"]');
  if (list === null) focusView();
  else list.focus({ preventScroll: true });
}

/** Focuses the button of the current view. */
function focusView(): void {
  document.querySelector<HTMLElement>('nav [aria-current="page"]')?.focus();
}
