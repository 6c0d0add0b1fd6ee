import type { Http2Stream } from "node:http2";

/**
 * Whether the other side ended its half in order (END_STREAM), to be asked when `end` came. Node tells the same `end` of a
 * stream that was reset without an error (RFC 9113, 7: NO_ERROR, and CANCEL), which may have cut a body. What it was is
 * seen when Node puts the end into the stream: it does so as soon as END_STREAM came, and else when the stream is closed.
 * `whenCut` is called then and there: who reads no more of the stream would never see its `end`.
 */
export function watchEnd(stream: Http2Stream, whenCut: () => void = () => {}): () => boolean {
  // It may have ended before anybody watched.
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
 * Lets a stream that has trailers to come finish its writing when Node has asked for them, and not as soon as all has been
 * handed over. Node 26 lets go of a stream that is closed, read to its end and finished, though its reset may still wait for
 * an earlier write; asked for what that stream has yet to say, it aborts the process (Http2Stream::OnTrailers).
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
