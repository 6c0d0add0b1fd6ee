import { liveCase, pause } from "../contract.ts";
import { browse } from "../ordinary.ts";

export const live = liveCase({
  story: "The service writes head and body apart, and the body waits for a delayed acknowledgement.",
  skip: () => (process.platform === "linux" ? null : "it reads Linux's count of unsent bytes"),
  draw: (draw) => {
    const [path = "", ...others] = draw.words(3);
    return { path, others, usual: draw.real(10, 25), requests: draw.int(120, 150), think: draw.int(3, 9) };
  },
  causes: ({ path, others }) => [
    {
      name: "apart",
      accepts: [{ kind: "slow-transfer" }],
      at: [`GET /${path}/*`, ...others.map((other) => `GET /${other}/*`)],
    },
  ],
  service: { python: "delayed-ack.py" },
  client: async ({ path, requests, think, others }, run) => {
    const sync = run.actor("sync", { userAgent: "price-sync/6.6", sockets: 1 });
    const syncing = (async () => {
      let last = await sync.ask("GET", "prices", `/${path}/first`);
      for (let count = 1; count < requests; count += 1) {
        last = await sync.ask("GET", "prices", `/${path}/${last.json().next}`, { needs: [last] });
        await pause(run.random.real(0.5, 1.5) * think);
      }
    })();
    await Promise.all([browse(run, "prices", others, 16), syncing]);
  },
});
