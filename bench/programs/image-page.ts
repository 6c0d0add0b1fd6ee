/**
 * The number of small images on a page. Over HTTP/2, the page loads faster than over HTTP/1.1, because it requests all
 * images at once.
 */
export const IMAGES = 300;

/** A GIF of one pixel. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Bytes after the end of an image are ignored. Here they give each image a size of its own, up to 2 KB. */
export function imageOf(index: number): Buffer {
  return Buffer.concat([GIF, Buffer.alloc((index * 7) % 2_000, 0x20)]);
}

/** By default, browsers keep the timings of 250 resources; this page raises the limit. */
export const IMAGE_PAGE = Buffer.from(
  `<!doctype html><title>page</title><link rel="icon" href="data:,"><script>performance.setResourceTimingBufferSize(1000)</script>${Array.from(
    { length: IMAGES },
    (_, index) => `<img src="/image/${index}">`,
  ).join("")}`,
);

/** How many resources the ordinary page has, spread over its hosts. */
export const RESOURCES = 60;
/** Bytes of a resource. */
const RESOURCE_BYTES = 900;
/** Milliseconds until the server answers a request for a resource. */
export const RESOURCE_WAIT = 5;

export const RESOURCE = Buffer.concat([GIF, Buffer.alloc(RESOURCE_BYTES - GIF.length, 0x20)]);

/** A page with images. `hosts`: host names with port; each resource is requested from one of them. */
export function resourcePageOf(hosts: readonly string[]): Buffer {
  const images = Array.from(
    { length: RESOURCES },
    (_, index) => `<img src="https://${hosts[index % hosts.length]}/resource/${index}">`,
  );
  return Buffer.from(`<!doctype html><title>page</title><link rel="icon" href="data:,">${images.join("")}`);
}
