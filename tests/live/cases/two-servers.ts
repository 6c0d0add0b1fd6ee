import { Agent, createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { liveCase, now } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

/** A balancer passes requests to two servers in turn, and one of them has a slow disk. */
export const live = liveCase({
  story: "Two servers behind one address answer in turn, and one of them is slow.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      usual: draw.real(16, 28),
      slower: draw.real(110, 220),
      requests: draw.int(90, 120),
      every: draw.int(420, 540),
    };
  },
  causes: ({ path }) => [{ name: "server", accepts: [{ kind: "slow-when", attribute: null }], at: [`GET /${path}/*`] }],
  service: async ({ usual, slower, others }, run) => {
    const backends = [false, true].map(async (isSlow) => {
      const server = createServer(async (request, response) => {
        const [, id = ""] = segmentsOf(request);
        await run.work(usual, 0.3);
        const since = now();
        if (isSlow && run.isOn("server")) {
          await run.work(slower, 0.15);
          run.added("server", since, now(), clientOf(request));
        }
        sendJson(response, { id, text: run.random.text(150) });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port;
    });
    const ports = await Promise.all(backends);
    const agent = new Agent({ keepAlive: true });
    let turn = 0;
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      turn += 1;
      const { url, headers } = request;
      send({ host: "127.0.0.1", port: ports[turn % 2], path: url, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, { "Content-Type": "application/json" });
        answer.pipe(response);
      }).end();
    });
  },
  client: async ({ path, requests, every, others }, run) => {
    const ids = run.random.shuffled(Array.from({ length: 500 }, (_, index) => index + 200));
    const users = [0, 1, 2, 3].map((index) => run.actor(`user ${index}`, { userAgent: `shop/${index}.2` }));
    await Promise.all([
      browse(run, "api", others, 24),
      ...users.map((user, mine) =>
        arrivals(run.random, Math.ceil(requests / users.length), every, (index) =>
          user.ask("GET", "api", `/${path}/${ids[index * users.length + mine]}`),
        ),
      ),
    ]);
  },
});
