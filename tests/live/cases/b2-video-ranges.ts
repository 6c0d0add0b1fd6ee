import { liveCase, now, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";

const CHUNK = 32_768;

/** The line is shared by all answers of the host, so that segments at once would not come sooner. */
export const live = liveCase({
  story: "A player reads a film by ranges as its buffer empties, and sends a beacon now and then; nothing is wrong.",
  draw: (draw) => {
    const [films = "", beacons = "", captions = "", field = ""] = draw.words(4);
    return {
      films,
      beacons,
      captions,
      field,
      film: draw.int(10_000, 99_999),
      segment: draw.int(180, 420) * 1_000,
      rate: draw.int(4, 8) * 1_000_000,
      usual: draw.real(12, 25),
      segments: draw.int(14, 18),
      plays: draw.int(450, 650),
      ahead: draw.int(2, 3),
    };
  },
  causes: () => [],
  service: async ({ films, captions, field, segment, segments, rate, usual }, run) => {
    let free = 0;
    const sizes = Array.from({ length: segments }, () => Math.round(segment * run.random.real(0.7, 1.3)));
    const film = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0));
    for (let at = 0; at < film.length; at += 4)
      film.writeUInt32LE(run.random.int(0, 0xff_ff_ff_fe), Math.min(at, film.length - 4));
    await run.serve("media", async (request, response) => {
      const [first, , last] = segmentsOf(request);
      await bodyOf(request);
      await run.work(usual, 0.3);
      if (request.method === "POST") {
        response.writeHead(204).end();
        return;
      }
      if (first === captions) {
        response.writeHead(200, { "Content-Type": "text/vtt", "Cache-Control": "max-age=600" });
        response.end(`WEBVTT\n\n00:00.000 --> 00:04.000\n${run.random.text(300)}\n`);
        return;
      }
      if (last === "index.json") {
        let at = 0;
        const ranges = sizes.map((size) => {
          at += size;
          return `${at - size}-${at - 1}`;
        });
        sendJson(response, { [field]: ranges }, { "Cache-Control": "max-age=600" });
        return;
      }
      if (first !== films) {
        response.writeHead(404).end();
        return;
      }
      const [from = 0, to = 0] = (/(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? []).slice(1).map(Number);
      response.writeHead(206, {
        "Content-Type": "video/mp4",
        "Content-Length": to - from + 1,
        "Content-Range": `bytes ${from}-${to}/${film.length}`,
        "Accept-Ranges": "bytes",
        ETag: `"${film.length}"`,
        "Cache-Control": "max-age=86400",
      });
      for (let at = from; at <= to; at += CHUNK) {
        const end = Math.min(at + CHUNK, to + 1);
        free = Math.max(free, now()) + ((end - at) / rate) * 1_000;
        if (free - now() > 1) await pause(free - now());
        response.write(film.subarray(at, end));
      }
      response.end();
    });
  },
  client: { python: "b2-video-ranges.py" },
});
