import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";

const SUPPORT = new URL("../../../../support/", import.meta.url).href;

/**
 * One stream gets its response before its request has ended, another waits, and the client disconnects in the same
 * event-loop turn.
 */
const VISIT = `
  import { END_HEADERS, END_STREAM, fields, frame, frameThat, GREETING, PREFACE, TYPES } from "${SUPPORT}http2-frames.ts";
  import { RawPeer } from "${SUPPORT}raw-peer.ts";
  import { withProxy } from "${SUPPORT}test-proxy.ts";
  const head = (method) => fields([":method", method], [":scheme", "http"], [":authority", "a.test"], [":path", "/"]);
  await withProxy({ limits: { linger: 50 } }, async (proxy) => {
    const server = await proxy.server();
    const client = await RawPeer.tunnel(proxy.port, "a.test:" + server.port);
    const upload = frame("headers", END_HEADERS, 1, head("POST"));
    client.send(Buffer.concat([GREETING, upload, frame("headers", END_HEADERS | END_STREAM, 3, head("GET"))]));
    const peer = await server.peer(0);
    await peer.until(PREFACE.toString("latin1"));
    for (let heads = 0; heads < 2; heads += 1) await frameThat(peer, ({ type }) => type === TYPES.headers);
    // Both are told that their server does not speak HTTP/2.
    peer.send("HTTP/1.1 400 Bad Request\\r\\n\\r\\n");
    client.socket.resetAndDestroy();
    while (proxy.listener.connections > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    console.log(proxy.traffic.rows.length);
  });
`;

describe("workaround for a stream reset that Node.js loses", (test) => {
  test("given a client that disconnects before its stream's reset is sent, lets the process end", async () => {
    // In a process of its own, since the effect is not visible from inside.
    const args = ["--input-type=module", "-e", VISIT];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000, killSignal: "SIGKILL" });
    assert.is(stdout, "2\n");
  });
});
