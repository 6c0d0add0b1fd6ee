import type { Http2Session, Http2Stream } from "node:http2";

/** Holds each session's native object until the garbage collector has freed that of the stream. */
const SESSIONS = new FinalizationRegistry<object>(() => {});

/**
 * Keeps the session's native object longer than the stream's. Node 26 leaves a stream to the garbage collector if its
 * last write is still under way, and aborts the process if trailers beyond its limits are freed after the session
 * (Http2Session::~Http2Session). Once a stream is closed, nothing that the session's listeners reach may refer to it,
 * or neither is ever freed.
 */
export function outlives(session: Http2Session, stream: Http2Stream): void {
  const [kept, freed] = [nativeOf(session), nativeOf(stream)];
  if (kept !== null && freed !== null) SESSIONS.register(freed, kept);
}

function nativeOf(owner: object): object | null {
  const key = Object.getOwnPropertySymbols(owner).find(({ description }) => description === "kHandle");
  const native: unknown = key === undefined ? null : Reflect.get(owner, key);
  return typeof native === "object" ? native : null;
}
