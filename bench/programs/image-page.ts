/** A page that profits from HTTP/2: many small images, all requested at once. */
export const IMAGES = 300;

/** One pixel. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Bytes after an image's end are ignored; here they give each image another size, up to 2 KB. */
export function imageOf(index: number): Buffer {
  return Buffer.concat([GIF, Buffer.alloc((index * 7) % 2_000, 0x20)]);
}

/** Browsers keep the timings of 250 resources by default. */
export const IMAGE_PAGE = Buffer.from(
  `<!doctype html><title>page</title><link rel="icon" href="data:,"><script>performance.setResourceTimingBufferSize(1000)</script>${Array.from(
    { length: IMAGES },
    (_, index) => `<img src="/image/${index}">`,
  ).join("")}`,
);

/** Resources of the ordinary page besides its document, spread over its hosts. */
export const RESOURCES = 60;
/** Bytes per resource. */
const RESOURCE_BYTES = 900;
/** Milliseconds until the server responds to a resource's request. */
export const RESOURCE_WAIT = 5;

export const RESOURCE = Buffer.concat([GIF, Buffer.alloc(RESOURCE_BYTES - GIF.length, 0x20)]);

/** `hosts` with their port; each resource counts once in the browser, whatever its host. */
export function resourcePageOf(hosts: readonly string[]): Buffer {
  const images = Array.from(
    { length: RESOURCES },
    (_, index) => `<img src="https://${hosts[index % hosts.length]}/resource/${index}">`,
  );
  return Buffer.from(`<!doctype html><title>page</title><link rel="icon" href="data:,">${images.join("")}`);
}
