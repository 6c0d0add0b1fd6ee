import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { liveCase } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "A backup sends its files, two or three at once, as fast as its line carries them.",
  draw: (draw) => ({
    bucket: draw.words(2).join("-"),
    sizes: Array.from({ length: draw.int(24, 36) }, () => Math.round(draw.lognormal(200_000, 0.6))),
    workers: draw.int(2, 3),
    /** Bytes a second of the line. */
    line: draw.int(1_500_000, 3_000_000),
    names: draw.words(60),
  }),
  causes: () => [],
  service: async (_, run) => {
    await run.serve("files", async (request, response) => {
      const body = await bodyOf(request);
      const file = await open(join(run.folder, `upload-${segmentsOf(request).join("-")}`), "w");
      await file.write(body);
      await file.sync();
      await file.close();
      sendJson(response, { stored: body.length });
    });
  },
  client: async ({ bucket, sizes, workers, line, names }, run) => {
    const left = sizes.map((size, index) => ({ size, path: `/${bucket}/${names[index]}-${index}.jpg` }));
    const backup = run.actor("backup", { userAgent: "backup/1.4", sockets: workers });
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let file = left.shift(); file !== undefined; file = left.shift())
          await backup.ask("PUT", "files", file.path, {
            body: randomBytes(file.size),
            rate: line / workers,
            headers: { "Content-Type": "image/jpeg" },
          });
      }),
    );
  },
});
