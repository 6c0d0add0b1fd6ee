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
