/** Says that the filter limits the endpoints in a table, but not their figures; "" without a filter. */
export function scopeText(filter: string): string {
  return filter === "" ? "" : "Only endpoints with a matching exchange; their figures cover the whole session";
}
