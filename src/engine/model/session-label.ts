/** How a session is named without its time: by the name that a person gave it, else by its title; "" if it has neither. */
export function sessionLabelOf({ name, title }: { readonly name: string; readonly title: string }): string {
  return name === "" ? title : name;
}
