import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { liveCase } from "../contract.ts";
import { segmentsOf } from "../http.ts";
import { lineTo } from "../line.ts";
import { answersOrdinary, arrivals, browse } from "../ordinary.ts";

/** A line of some hundred KB a second; the service does not compress although the client can read gzip. */
export const live = liveCase({
  story: "Large texts come uncompressed over a slow line.",
  scheme: "http",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      lines: draw.int(900, 1_500),
      rate: draw.int(350_000, 600_000),
      type: draw.pick(["application/json", "text/csv", "text/html; charset=utf-8"]),
      requests: draw.int(16, 22),
    };
  },
  causes: ({ path }) => [
    {
      name: "plain",
      accepts: [{ kind: "uncompressed-responses" }],
      at: [`GET /${path}/*`],
      unlogged: true,
    },
  ],
  // The line is slow for everybody, and the texts are large; answers of others wait behind them.
  admits: ({ path, others }) => [
    {
      accepts: [{ kind: "slow-when", attribute: `while:GET /${path}/*` }],
      at: others.map((other) => `GET /${other}/*`),
    },
    { accepts: [{ kind: "slow-transfer" }, { kind: "large-responses" }], at: [`GET /${path}/*`, "api"] },
  ],
  service: async ({ path, lines, rate, type, others }, run) => {
    const server = await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      await run.work(18, 0.3);
      const row = (index: number) =>
        `{"${path}": "${id}-${index}", "status": "delivered", "amount": ${run.random.int(10, 99_999)}, "currency": "EUR"},\n`;
      const text = Buffer.from(`[${Array.from({ length: lines }, (_, index) => row(index)).join("")}null]`);
      const isPacked = !run.isOn("plain") && /gzip/.test(String(request.headers["accept-encoding"]));
      const body = isPacked ? gzipSync(text) : text;
      response.writeHead(200, {
        "Content-Type": type,
        "Content-Length": body.length,
        ...(isPacked ? { "Content-Encoding": "gzip" } : {}),
      });
      response.end(body);
    });
    run.serves("api", await lineTo((server.address() as AddressInfo).port, { rate }));
  },
  client: async ({ path, requests, others }, run) => {
    const clerk = run.actor("clerk", { userAgent: "clerk/7.7" });
    await Promise.all([
      browse(run, "api", others, 18, 500),
      arrivals(run.random, requests, 600, (index) =>
        clerk.ask("GET", "api", `/${path}/${index + 20}`, { headers: { "Accept-Encoding": "gzip" } }),
      ),
    ]);
  },
});
