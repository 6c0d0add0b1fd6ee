/**
 * What an Upgrade line asks for, without h2c: that would hide all that follows from us (RFC 9113, 3.1 no longer knows it), and a
 * server that is not asked stays with HTTP/1.1 (RFC 9110, 7.8). Empty: nothing.
 */
export function upgradesIn(value: string): string {
  if (!/h2c/i.test(value)) return value;
  const protocols = value.split(",").map((protocol) => protocol.trim());
  return protocols.filter((protocol) => protocol.toLowerCase() !== "h2c").join(", ");
}
