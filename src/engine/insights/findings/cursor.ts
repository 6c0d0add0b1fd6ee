/** Whether a parameter says up to where the client has read, by conventional names. */
export function isCursor(name: string): boolean {
  return CURSOR.test(name);
}

const CURSOR = /^(?:since|after|cursor|marker|continuation|last_?(?:id|seen|event_?id)|page_?token|next_?token)$/i;
