import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { liveCase, now } from "../contract.ts";
import { targetOf } from "../http.ts";
import { lineTo } from "../line.ts";
import { answersOrdinary, arrivals, browse } from "../ordinary.ts";

export const live = liveCase({
  story: "A list answers with all columns of all rows, although the client shows a few.",
  scheme: "http",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      size: draw.int(700_000, 1_100_000),
      rate: draw.int(1_800_000, 2_600_000),
      requests: draw.int(14, 18),
    };
  },
  causes: ({ path }) => [
    {
      name: "large",
      accepts: [{ kind: "large-responses" }],
      at: [`GET /${path}`],
      unlogged: true,
    },
  ],
  // The answers of others wait behind it on the line.
  admits: ({ path, others }) => [
    {
      accepts: [{ kind: "slow-when", attribute: `while:GET /${path}` }],
      at: others.map((other) => `GET /${other}/*`),
    },
  ],
  service: async ({ path, size, rate, others }, run) => {
    const server = await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const week = targetOf(request).searchParams.get("week");
      await run.work(24, 0.3);
      const rows = Array.from({ length: run.isOn("large") ? 400 : 20 }, (_, index) => ({
        id: `${week}-${index}`,
        at: now(),
        photo: run.random.text(Math.floor(size / 400)),
      }));
      const body = gzipSync(JSON.stringify({ [path]: rows }), { level: 1 });
      response.writeHead(200, {
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
        "Content-Length": body.length,
      });
      response.end(body);
    });
    run.serves("api", await lineTo((server.address() as AddressInfo).port, { rate }));
  },
  client: async ({ path, requests, others }, run) => {
    const clerk = run.actor("clerk", { userAgent: "clerk/9.1" });
    await Promise.all([
      browse(run, "api", others, 20, 450),
      arrivals(run.random, requests, 650, (index) =>
        clerk.ask("GET", "api", `/${path}?week=${index + 1}`, { headers: { "Accept-Encoding": "gzip" } }),
      ),
    ]);
  },
});
