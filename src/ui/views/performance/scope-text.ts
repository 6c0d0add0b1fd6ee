/** If a filter is set: which exchanges the figures of a table are about; else "". */
export function scopeText(filter: string): string {
  return filter === "" ? "" : "Endpoints with a match; figures of the whole session";
}
