/** Which exchanges the figures of a table are about, if a filter is set; else "". */
export function scopeText(filter: string): string {
  return filter === "" ? "" : "Only endpoints with a matching exchange; their figures cover the whole session";
}
