import { liveCase, pause } from "../contract.ts";
import { Draw } from "../draw.ts";

/** The picture store keeps one index file for all albums, and a lock on it for as long as it is written anew. */
export const live = liveCase({
  story: "Pictures of a form are sent at once; the store takes a file lock for each, so that they are saved in turn.",
  draw: (draw) => {
    const [albums = "", pictures = "", field = "", account = ""] = draw.words(4);
    return {
      albums,
      pictures,
      field,
      account,
      held: draw.int(45, 90),
      usual: draw.real(10, 25),
      forms: draw.int(8, 10),
      most: draw.int(5, 6),
      think: draw.int(500, 900),
      reads: draw.int(30, 45),
    };
  },
  causes: ({ albums, pictures }) => [
    {
      name: "lock",
      accepts: [{ kind: "one-at-a-time" }, { kind: "slow-when", attribute: "in-flight" }],
      at: [`POST /${albums}/*/${pictures}`, "store"],
    },
  ],
  service: { python: "b2-file-lock.py" },
  client: async ({ albums, pictures, field, account, forms, most, think, reads }, run) => {
    const writer = run.actor("writer", { userAgent: "Photos/7.1 (Android 15)", address: "127.0.0.21" });
    const reader = run.actor("reader", { userAgent: "Photos/7.1 (iPhone)", address: "127.0.0.22" });
    // The reader draws alone, so that the writer sends the same however long the reader waits.
    const others = new Draw(run.seed + 1);
    const reading = (async () => {
      await reader.ask("GET", "store", `/${account}`);
      for (let count = 0; count < reads; count += 1) {
        await reader.ask("GET", "store", `/${albums}/${others.int(100, 999)}`);
        await pause(others.real(0.3, 0.6) * think);
      }
    })();
    await writer.ask("GET", "store", `/${account}`);
    for (let count = 0; count < forms; count += 1) {
      await pause(run.random.real(0.6, 1.4) * think);
      const album = run.random.int(100, 999);
      const bodies = Array.from({ length: run.random.int(4, most) }, (_, at) =>
        JSON.stringify({ [field]: `${at}.jpg`, data: run.random.text(run.random.int(900, 2_500)) }),
      );
      const headers = { "Content-Type": "application/json" };
      await Promise.all(
        bodies.map((body) => writer.ask("POST", "store", `/${albums}/${album}/${pictures}`, { body, headers })),
      );
      if (run.random.chance(0.6)) await writer.ask("GET", "store", `/${albums}/${album}`);
    }
    await reading;
  },
});
