import type { Socket } from "node:net";
import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { lineTo } from "../line.ts";

/**
 * A till asks about once a second, and the server far away closes connections that are idle for less than that. The
 * true cost is the TLS handshakes after the first, a round trip each; without the cause, idle connections stay.
 */
export const live = liveCase({
  story: "The server closes idle connections sooner than the till asks again, so that each request pays a handshake.",
  scheme: "https",
  draw: (draw) => {
    const [prices = "", sales = "", model = ""] = draw.words(3);
    return {
      prices,
      sales,
      model,
      idle: draw.int(450, 620),
      delay: draw.real(28, 42),
      usual: draw.int(18, 40),
      customers: draw.int(12, 13),
    };
  },
  causes: () => [{ name: "idle-close", accepts: [{ kind: "new-connections" }], at: ["shop"] }],
  service: async ({ idle, delay, usual }, run) => {
    const server = await run.serve("shop", async (request, response) => {
      const [name = "", id = ""] = segmentsOf(request);
      request.resume();
      await run.work(usual, 0.25);
      // Its own Connection header keeps Node from telling the idle time, as many load balancers do not.
      sendJson(response, { [name]: id, amount: run.random.int(100, 9_999) }, { Connection: "keep-alive" });
    });
    if (run.isOn("idle-close")) Object.assign(server, { keepAliveTimeout: idle, keepAliveTimeoutBuffer: 0 });
    const accepted = new Map<number | undefined, number>();
    let handshakes = 0;
    server.on("connection", (socket: Socket) => accepted.set(socket.remotePort, now()));
    server.on("secureConnection", (socket: Socket) => {
      handshakes += 1;
      const since = accepted.get(socket.remotePort);
      // The client can send its request once it has the server's part, one delay before the server has the client's.
      if (since !== undefined && handshakes > 1) run.added("idle-close", since, now() - delay);
    });
    const { port } = server.address() as { port: number };
    run.serves("shop", await lineTo(port, { delay }));
  },
  client: async ({ prices, sales, model, idle, customers }, run) => {
    const till = run.actor("till", { userAgent: `${model}-till/3.1` });
    for (let customer = 0; customer < customers; customer += 1) {
      if (run.random.chance(0.6)) await till.ask("GET", "shop", `/${prices}/${run.random.int(10_000, 99_999)}`);
      else {
        const body = JSON.stringify({ lines: run.random.int(1, 9), paid: run.random.int(100, 9_999) });
        await till.ask("POST", "shop", `/${sales}`, { body, headers: { "Content-Type": "application/json" } });
      }
      await pause(idle + run.random.real(200, 500));
    }
  },
});
