import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pause } from "./contract.ts";

export interface LineOptions {
  /** Each piece of bytes arrives so many ms later, in both directions. */
  readonly delay?: number;
  /** Bytes a second from the service to the client, shared by all connections. */
  readonly rate?: number;
}

/** A line to a service on this computer, as if it were far away; resolves with the port of its near end. */
export async function lineTo(
  port: number,
  { delay = 0, rate = Number.POSITIVE_INFINITY }: LineOptions,
): Promise<number> {
  let freeAt = 0;
  const carry = async (from: Socket, to: Socket, isLimited: boolean): Promise<void> => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (!isLimited) {
        setTimeout(() => to.write(chunk), delay);
        continue;
      }
      for (let at = 0; at < chunk.length; at += 4_096) {
        const piece = chunk.subarray(at, at + 4_096);
        freeAt = Math.max(freeAt, performance.now()) + (piece.length / rate) * 1_000;
        const wait = freeAt - performance.now();
        if (wait > 1) await pause(wait);
        setTimeout(() => to.write(piece), delay);
      }
    }
    setTimeout(() => to.end(), delay + 1);
  };
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: "127.0.0.1", noDelay: true });
    for (const [from, to, isLimited] of [
      [near, far, false],
      [far, near, Number.isFinite(rate)],
    ] as const)
      carry(from, to, isLimited).catch(() => to.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
