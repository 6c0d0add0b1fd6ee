import type { Http2Stream } from "node:http2";

/**
 * Returns a function that says whether the peer ended its side in order (END_STREAM). Call that function only after the
 * stream emitted `end`. Node also emits `end` after a reset with NO_ERROR or CANCEL (RFC 9113, 7), which may have
 * truncated a body. `whenCut` is called at such a reset, because a stream that is not being read emits no `end`.
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
 * Makes a stream with trailers finish only when Node requests the trailers. Otherwise Node 26 may free a closed, fully
 * read and finished stream while its reset still waits behind a write. Then Node aborts the process
 * (Http2Stream::OnTrailers).
 */
export function finishWithTrailers(stream: Http2Stream): void {
  let isRequested = false;
  let finish = (): void => {};
  const last = stream._final.bind(stream);
  stream._final = (callback) =>
    last((error) => {
      finish = () => callback(error);
      if (isRequested) finish();
    });
  stream.once("wantTrailers", () => {
    isRequested = true;
    finish();
  });
}
