/** Which exchanges the figures of a table are about, if a filter is set; else "". */
export function scopeText(filter: string): string {
  return filter === "" ? "" : "Endpoints with a match; figures of the whole session";
}
