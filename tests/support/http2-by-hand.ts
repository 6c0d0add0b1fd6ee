import { END_HEADERS, fields, frame, frameThat, PREFACE, TYPES } from "./http2-frames.ts";
import type { RawPeer } from "./raw-peer.ts";
import { type RawServer, rawServer } from "./raw-server.ts";
import { servedBy } from "./test-authority.ts";
import type { TestProxy } from "./test-proxy.ts";

/** A server that answers the head of each request with handmade frames. */
export async function http2ByHand(
  { servers }: Pick<TestProxy, "servers">,
  answer: (stream: number, peer: RawPeer) => Buffer,
): Promise<RawServer> {
  const serve = async (peer: RawPeer): Promise<void> => {
    await peer.until(PREFACE.toString("latin1"));
    peer.send(Buffer.concat([frame("settings", 0, 0), frame("settings", 1, 0)]));
    for (;;) {
      const request = await frameThat(peer, ({ type }) => type === TYPES.headers);
      if (request === null) return;
      peer.send(answer(request.stream, peer));
    }
  };
  return await rawServer(serve, { ...servedBy(servers), ALPNProtocols: ["h2"] });
}

/** A response head. */
export function answered(stream: number, flags: number, ...more: readonly (readonly [string, string])[]): Buffer {
  return frame("headers", flags, stream, fields([":status", "200"], ...more));
}

/** RST_STREAM with the given code (RFC 9113, 6.4). */
export function reset(stream: number, code: number): Buffer {
  return frame("reset", 0, stream, Buffer.from([0, 0, 0, code]));
}

/** A head and a part of the body, then RST_STREAM with the given code. */
export function brokenOff(stream: number, code: number): Buffer {
  return Buffer.concat([answered(stream, END_HEADERS), frame("data", 0, stream, "part"), reset(stream, code)]);
}
