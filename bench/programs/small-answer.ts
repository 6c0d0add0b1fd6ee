/** The response of all servers of the bench to a small request, over either protocol. */
export const SMALL_BODY = Buffer.from(
  `${JSON.stringify({ items: Array.from({ length: 8 }, (_, id) => ({ id, name: `item ${id}`, price: 12.5 })) })}\n`,
);

export const SMALL_FIELDS: readonly (readonly [name: string, value: string])[] = [
  ["Server", "origin"],
  ["Date", "Fri, 20 Nov 2026 12:00:00 GMT"],
  ["Content-Type", "application/json; charset=utf-8"],
  ["Content-Length", String(SMALL_BODY.length)],
  ["Cache-Control", "private, max-age=0, must-revalidate"],
  ["ETag", '"5f3c-1a2b3c4d5e6f"'],
  ["Vary", "Accept-Encoding"],
  ["X-Request-Id", "3b1f0b9e-6f7a-4c58-9d8e-1c2b3a4d5e6f"],
];
