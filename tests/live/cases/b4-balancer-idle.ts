import type { Socket } from "node:net";
import { liveCase, now } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";
import { lineTo } from "../line.ts";

/*
 * A load balancer far away ends each connection that was idle for a moment, and a till always pauses a little longer,
 * so that nearly each of its calls shakes hands anew. The truth is the time of those handshakes; without the cause,
 * idle connections are kept.
 */

export const live = liveCase({
  story: "The balancer ends idle connections before the till's next call, which then pays for a TLS handshake.",
  scheme: "https",
  draw: (draw) => {
    const [sales = "", stock = "", shifts = ""] = draw.words(3);
    const idle = draw.real(170, 240);
    return {
      sales,
      stock,
      shifts,
      idle,
      delay: draw.real(28, 42),
      usual: draw.real(14, 26),
      pauses: Array.from({ length: draw.int(22, 26) }, () => idle + draw.real(160, 330)),
    };
  },
  causes: () => [
    {
      name: "idle",
      accepts: [{ kind: "new-connections" }, { kind: "slow-connection-setup", attribute: "phase", value: "tls" }],
      at: ["api"],
    },
  ],
  service: async ({ sales, stock, idle, delay, usual }, run) => {
    const opened = new Map<number | undefined, number>();
    const handshakes = new WeakMap<Socket, { from: number; to: number }>();
    const idleOf = new WeakMap<Socket, NodeJS.Timeout>();
    let isFirst = true;
    const server = await run.serve("api", async (request, response) => {
      const { socket } = request;
      clearTimeout(idleOf.get(socket));
      const handshake = handshakes.get(socket);
      handshakes.delete(socket);
      // A first connection is needed anyway.
      if (handshake !== undefined && !isFirst) run.added("idle", handshake.from, handshake.to);
      isFirst = false;
      const body = (await bodyOf(request)).toString();
      const [kind = "", id = ""] = segmentsOf(request);
      await run.work(usual, 0.3);
      if (run.isOn("idle"))
        response.on("finish", () => idleOf.set(socket, setTimeout(() => socket.end(), idle).unref()));
      const headers = { Connection: "keep-alive" };
      if (kind === stock) return sendJson(response, { id, left: run.random.int(3, 900) }, headers);
      return sendJson(response, { [kind]: kind === sales ? run.random.text(10) : body.length }, headers);
    });
    server.on("connection", ({ remotePort }: Socket) => opened.set(remotePort, now()));
    // The near end of the line accepts at once, so that the first bytes arrive one delay after the connection.
    server.on("secureConnection", (socket: Socket) =>
      handshakes.set(socket, { from: (opened.get(socket.remotePort) ?? now()) + delay, to: now() }),
    );
    run.serves("api", await lineTo((server.address() as { port: number }).port, { delay }));
  },
  client: { python: "b4-balancer-idle.py" },
});
