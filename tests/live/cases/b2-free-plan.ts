import type { ServerResponse } from "node:http";
import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";

const CHUNK = 8_192;

/** Sends a body at so many bytes a second. */
async function paced(response: ServerResponse, body: Buffer, rate: number): Promise<void> {
  const since = now();
  for (let at = 0; at < body.length; at += CHUNK) {
    response.write(body.subarray(at, at + CHUNK));
    const ahead = since + (Math.min(at + CHUNK, body.length) / rate) * 1_000 - now();
    if (ahead > 1) await pause(ahead);
  }
  response.end();
}

export const live = liveCase({
  story: "Exports of users on the free plan are sent at a low rate; those of paying users are not.",
  draw: (draw) => {
    const [exports = "", tables = "", usage = "", header = ""] = draw.words(4);
    return {
      exports,
      tables,
      usage,
      header: draw.pick([`x-${header}`, "x-plan", "x-api-tier"]),
      free: draw.pick(["free", "basic", "trial"]),
      paid: draw.pick(["team", "pro", "business"]),
      rate: draw.int(240, 480) * 1_000,
      fast: draw.int(5, 9) * 1_000_000,
      usual: draw.real(20, 45),
      least: draw.int(50, 70) * 1_000,
      most: draw.int(90, 150) * 1_000,
      rounds: draw.int(16, 20),
    };
  },
  causes: ({ exports, header }) => [
    {
      name: "throttle",
      accepts: [
        { kind: "slow-when", attribute: `request-header:${header}` },
        { kind: "slow-when", attribute: "client" },
        { kind: "slow-transfer" },
      ],
      at: [`GET /${exports}/*`],
    },
  ],
  service: async ({ exports, header, free, rate, fast, usual }, run) => {
    await run.serve("data", async (request, response) => {
      const [kind, id] = segmentsOf(request);
      await run.work(usual, 0.35);
      if (kind !== exports) return sendJson(response, { id, at: now() });
      let text = "";
      for (const size = Number(targetOf(request).searchParams.get("bytes")); text.length < size; ) {
        text += `${run.random.text(16)},${run.random.int(1, 9_999)}\n`;
      }
      const body = Buffer.from(text);
      response.writeHead(200, {
        "Content-Type": "text/csv",
        "Content-Length": body.length,
        "Cache-Control": "no-store",
      });
      const since = now();
      const isSlow = request.headers[header] === free && run.isOn("throttle");
      await paced(response, body, isSlow ? rate : fast);
      if (isSlow) run.added("throttle", since + (body.length / fast) * 1_000, undefined, "free");
    });
  },
  client: { python: "b2-free-plan.py" },
});
