import type { Socket } from "node:net";

/**
 * From now on `socket` can still be read when it can no longer be written to: Node would destroy it, and with it what had
 * come before and was not read yet, which may say why nobody listens any more. Returns how to ask what went wrong.
 */
export function outliveSending(socket: Socket): () => Error | null {
  let failed: Error | null = null;
  const told =
    (done: (error?: Error | null) => void) =>
    (error?: Error | null): void => {
      failed ??= error ?? null;
      done();
    };
  const write = socket._write.bind(socket);
  const writev = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, told(done));
  if (writev !== undefined) socket._writev = (chunks, done) => writev(chunks, told(done));
  return () => failed;
}

/** Leaves the socket as Node made it. */
export function forgetSending(socket: Socket): void {
  Reflect.deleteProperty(socket, "_write");
  Reflect.deleteProperty(socket, "_writev");
}
