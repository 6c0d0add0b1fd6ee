/** A page as sites are that need HTTP/2: many small things, all asked for at once. */
export const IMAGES = 300;

/** One pixel. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** What stands behind a picture's end is not looked at; here it makes each of another size, up to 2 KB. */
export function imageOf(index: number): Buffer {
  return Buffer.concat([GIF, Buffer.alloc((index * 7) % 2_000, 0x20)]);
}

/** Browsers remember the times of 250 resources if they are not told otherwise. */
export const IMAGE_PAGE = Buffer.from(
  `<!doctype html><title>page</title><link rel="icon" href="data:,"><script>performance.setResourceTimingBufferSize(1000)</script>${Array.from(
    { length: IMAGES },
    (_, index) => `<img src="/image/${index}">`,
  ).join("")}`,
);
