/** Whether a response with this media type is a static file; without a type, by its path. */
export function isStatic(type: string | null, path: string): boolean {
  return type === null ? STATIC_PATH.test(path) : isStaticType(type);
}

/** Whether a media type is that of a static file. The result is cached, since there are few types. */
function isStaticType(type: string): boolean {
  let isStatic = KNOWN_TYPES.get(type);
  if (isStatic === undefined) {
    isStatic = STATIC_TYPE.test(type);
    if (KNOWN_TYPES.size < MOST_KNOWN_TYPES) KNOWN_TYPES.set(type, isStatic);
  }
  return isStatic;
}

const KNOWN_TYPES = new Map<string, boolean>();
const MOST_KNOWN_TYPES = 1_000;

const STATIC_TYPE =
  /^(?:image|font|audio|video)\/|^text\/(?:css|javascript|ecmascript)$|^application\/(?:(?:x-)?javascript|ecmascript|wasm|font-\w+|vnd\.mapbox-vector-tile|vnd\.apple\.mpegurl|dash\+xml)$/;
const STATIC_PATH =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|map|woff2?|ttf|otf|mp4|webm|m4s|ts|m3u8|mp3|ogg|pbf|wasm)$/i;
