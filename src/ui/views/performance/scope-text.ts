/** Says of which exchanges the figures of a list of endpoints are, where a filter is set; "" without one. */
export function scopeText(filter: string): string {
  return filter === "" ? "" : "Endpoints with a match; figures of the whole session";
}
