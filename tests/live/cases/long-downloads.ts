import { randomBytes } from "node:crypto";
import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "A user downloads a few large files over an ordinary line and looks at a list meanwhile.",
  draw: (draw) => {
    const [list = "", folder = ""] = draw.words(2);
    return {
      list,
      folder,
      sizes: Array.from({ length: draw.int(3, 4) }, () => draw.int(4_000_000, 9_000_000)),
      line: draw.int(2_500_000, 4_000_000),
      type: draw.pick(["application/zip", "application/octet-stream", "video/mp4"]),
      looks: draw.int(15, 25),
    };
  },
  causes: () => [],
  service: async ({ list, sizes, line, type }, run) => {
    await run.serve("files", async (request, response) => {
      const [place, name = ""] = segmentsOf(request);
      await run.work(20, 0.4);
      if (place === list) return sendJson(response, { page: name, entries: run.random.text(200) });
      const size = sizes[Number.parseInt(name.slice(name.lastIndexOf("-") + 1), 10)] ?? 0;
      response.writeHead(200, {
        "Content-Type": type,
        "Content-Length": size,
        "Content-Disposition": `attachment; filename="${name}"`,
      });
      const start = now();
      for (let sent = 0; sent < size; ) {
        const due = Math.min(size, Math.ceil(((now() - start + 20) / 1_000) * line));
        if (due > sent) response.write(randomBytes(due - sent));
        sent = due;
        await pause(20);
      }
      return response.end();
    });
  },
  client: async ({ list, folder, sizes, looks }, run) => {
    const user = run.actor("user", { userAgent: "browser/9" });
    const looking = (async () => {
      for (let look = 0; look < looks; look += 1) {
        await user.ask("GET", "files", `/${list}/${look}`);
        await pause(run.random.real(200, 600));
      }
    })();
    for (const index of sizes.keys()) {
      await user.ask("GET", "files", `/${folder}/archive-${index}`);
      await pause(run.random.real(300, 900));
    }
    await looking;
  },
});
