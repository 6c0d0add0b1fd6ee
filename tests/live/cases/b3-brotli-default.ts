import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { liveCase, now } from "../contract.ts";
import { segmentsOf } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * A list is compressed for each request, with gzip, or with Brotli at its default quality of 11 where the client offers
 * it. The true cost is the time of that compression; without the cause, the quality is 4, which takes a few ms.
 */
export const live = liveCase({
  story: "Answers are compressed by Brotli at its slowest quality for those who offer it, and by gzip for the others.",
  draw: (draw) => {
    const [list = "", state = "", place = "", ...others] = draw.words(5);
    return {
      list,
      state,
      place,
      others,
      rows: draw.int(220, 300),
      usual: draw.int(20, 35),
      requests: draw.int(80, 95),
      gateways: draw.int(3, 4),
      share: draw.real(0.22, 0.3),
      modern: draw.pick(["gzip, deflate, br", "gzip, deflate, br, zstd", "br, gzip;q=0.8"]),
    };
  },
  causes: ({ list }) => [
    {
      name: "quality",
      accepts: [
        { kind: "slow-when", attribute: "request-header:accept-encoding" },
        { kind: "slow-when", attribute: "response-header:content-encoding" },
      ],
      at: [`GET /${list}/*`],
    },
  ],
  service: async ({ state, place, others, rows, usual }, run) => {
    const states = run.random.words(5);
    const places = run.random.words(12);
    const notes = Array.from({ length: 500 }, () => run.random.shuffled(places).slice(0, 4).join(" "));
    const quality = run.isOn("quality") ? constants.BROTLI_DEFAULT_QUALITY : 4;
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const body = JSON.stringify(
        Array.from({ length: rows }, (_, index) => ({
          id: index,
          of: segmentsOf(request)[1],
          code: run.random.text(8),
          [state]: run.random.pick(states),
          [place]: run.random.pick(places),
          amount: run.random.int(100, 99_999),
          note: run.random.pick(notes),
        })),
      );
      await run.work(usual);
      const coding = String(request.headers["accept-encoding"]).includes("br") ? "br" : "gzip";
      const since = now();
      const sent = await compressed[coding](
        body,
        coding === "br" ? { params: { [constants.BROTLI_PARAM_QUALITY]: quality } } : {},
      );
      if (coding === "br" && run.isOn("quality")) run.added("quality", since, now(), clientOf(request));
      response.writeHead(200, {
        "Content-Type": "application/json",
        "Content-Encoding": coding,
        "Content-Length": sent.length,
        Vary: "Accept-Encoding",
      });
      response.end(sent);
    });
  },
  client: async ({ list, others, requests, share, modern, gateways }, run) => {
    const ids = run.random.shuffled(Array.from({ length: 400 }, (_, index) => index + 100));
    // Gateways that pass on what their own clients, browsers and scripts, offer.
    const pass = (name: string, index: number): Promise<void> => {
      const gateway = run.actor(name, { userAgent: `gateway/7 (${name})`, address: `127.0.0.${11 + index}` });
      return arrivals(run.random, Math.round(requests / gateways), 92 * gateways, () =>
        gateway.ask("GET", "api", `/${list}/${ids.pop()}`, {
          headers: {
            "Accept-Encoding": run.random.chance(share) ? modern : run.random.pick(["gzip", "gzip, deflate"]),
          },
        }),
      );
    };
    await Promise.all([...run.random.words(gateways).map(pass), browse(run, "api", others, 25)]);
  },
});
