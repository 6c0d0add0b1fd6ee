import { liveCase } from "../contract.ts";
import { arrivals, browse } from "../ordinary.ts";

export const live = liveCase({
  story: "The service writes head and body apart, and the body waits for a delayed acknowledgement.",
  skip: () => (process.platform === "linux" ? null : "it reads Linux's count of unsent bytes"),
  draw: (draw) => {
    const [path = "", ...others] = draw.words(3);
    return { path, others, usual: draw.real(10, 25), requests: draw.int(70, 90), mean: draw.int(110, 150) };
  },
  causes: ({ path, others }) => [
    {
      name: "apart",
      accepts: [{ kind: "slow-transfer" }],
      at: [`GET /${path}/*`, ...others.map((other) => `GET /${other}/*`)],
    },
  ],
  service: { python: "delayed-ack.py" },
  client: async ({ path, requests, mean, others }, run) => {
    const shop = run.actor("shop", { userAgent: "shop/6.6", sockets: 2 });
    const ids = run.random.shuffled(Array.from({ length: 300 }, (_, index) => index + 40));
    await Promise.all([
      browse(run, "prices", others, 16),
      arrivals(run.random, requests, mean, (index) => shop.ask("GET", "prices", `/${path}/${ids[index]}`)),
    ]);
  },
});
