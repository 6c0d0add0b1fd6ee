import type { Http2Stream } from "node:http2";

/**
 * Returns whether the peer ended its half in order (END_STREAM), valid once `end` was emitted: Node emits the same
 * `end` after a reset with NO_ERROR or CANCEL (RFC 9113, 7), which may have truncated a body, but then pushes it only
 * on close. `whenCut` is called at such a reset, since a stream that is no longer read emits no `end`.
 */
export function watchEnd(stream: Http2Stream, whenCut: () => void = () => {}): () => boolean {
  // The stream may have ended already.
  let inOrder = !stream.closed;
  let isEnded = false;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null && !isEnded) {
      isEnded = true;
      inOrder = !stream.closed;
      if (!inOrder) whenCut();
    }
    return push(chunk, encoding);
  };
  return () => inOrder;
}

/**
 * Makes a stream with trailers finish writing only when Node requests them. Node 26 frees a stream that is closed, read
 * and finished although its reset may wait behind a write, and then aborts the process (Http2Stream::OnTrailers).
 */
export function finishWithTrailers(stream: Http2Stream): void {
  let isAsked = false;
  let finish = (): void => {};
  const last = stream._final.bind(stream);
  stream._final = (callback) =>
    last((error) => {
      finish = () => callback(error);
      if (isAsked) finish();
    });
  stream.once("wantTrailers", () => {
    isAsked = true;
    finish();
  });
}
