import { liveCase, pause } from "../contract.ts";

export const live = liveCase({
  story: "A feed reader asks each feed now and then, with its ETag; most are unchanged and answer 304.",
  draw: (draw) => ({
    feeds: draw.words(draw.int(8, 12)),
    rounds: draw.int(5, 7),
    every: draw.int(1_000, 1_800),
    usual: draw.real(15, 40),
    news: 0.25,
  }),
  causes: () => [],
  service: { python: "feed-reader.py" },
  client: async ({ feeds, rounds, every }, run) => {
    const reader = run.actor("reader", { userAgent: "feeds/3.3", sockets: 4 });
    const tags = new Map<string, string>();
    for (let round = 0; round < rounds; round += 1) {
      const left = run.random.shuffled(feeds);
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let feed = left.shift(); feed !== undefined; feed = left.shift()) {
            const tag = tags.get(feed);
            const headers = tag === undefined ? {} : { "If-None-Match": tag };
            const answer = await reader.ask("GET", "feeds", `/${feed}/feed.xml`, { headers });
            if (answer.status === 200) tags.set(feed, String(answer.headers["etag"]));
            await pause(run.random.real(5, 40));
          }
        }),
      );
      await pause(run.random.real(0.8, 1.2) * every);
    }
  },
});
