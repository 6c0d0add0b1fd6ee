import type { Http2Stream } from "node:http2";

/**
 * Whether the other side ended its half in order (END_STREAM), to be asked when `end` came. Node tells the same `end` of a
 * stream that was reset without an error (RFC 9113, 7: NO_ERROR), which may have cut a body. What it was is seen at the
 * moment when Node puts the end into the stream: soon, or, where nobody reads, when the stream is being closed. `mayStop`:
 * whether such a reset may also follow an end in order, since our half is still open (8.1).
 */
export function watchEnd(stream: Http2Stream, mayStop: () => boolean): () => boolean {
  // It may have ended before anybody watched.
  let inOrder = !stream.closed;
  let isEnded = false;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null && !isEnded) {
      isEnded = true;
      inOrder = !stream.closed || !wasReset(stream) || mayStop();
    }
    return push(chunk, encoding);
  };
  return () => inOrder;
}

/** Node says so in one way only: it then destroys the stream at its end, whatever is still to be written. */
function wasReset(stream: Http2Stream): boolean {
  return stream.listeners("end").includes(stream.destroy);
}
