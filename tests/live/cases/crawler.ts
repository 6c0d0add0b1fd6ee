import { type Answer, liveCase } from "../contract.ts";
import { targetOf } from "../http.ts";

export const live = liveCase({
  story: "A crawler with a few workers reads each page of a site once, as it finds their links.",
  draw: (draw) => ({
    sections: draw.words(draw.int(4, 6)),
    pages: draw.int(70, 110),
    workers: draw.int(3, 5),
    usual: draw.real(40, 90),
    seed: draw.int(1, 1e6),
  }),
  causes: () => [],
  service: async ({ sections, pages, usual }, run) => {
    const paths = ["/"];
    const slugs = Array.from({ length: pages }, () => run.random.words(2).join("-"));
    for (const [index, slug] of slugs.entries()) paths.push(`/${sections[index % sections.length]}/${slug}-${index}`);
    await run.serve("www", async (request, response) => {
      const index = paths.indexOf(targetOf(request).pathname);
      await run.work(usual, 0.5);
      // A tree of links, and two to pages that are anywhere.
      const children = [1, 2, 3, 4].map((child) => paths[index * 4 + child]);
      const links = [...children, run.random.pick(paths), run.random.pick(paths)].filter((path) => path !== undefined);
      const text = `<!doctype html><title>${index}</title><p>${run.random.text(700)}</p>`;
      response.writeHead(index < 0 ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" });
      response.end(text + links.map((path) => `<a href="${path}">${path}</a>`).join("\n"));
    });
  },
  client: async ({ workers }, run) => {
    const found = new Set(["/"]);
    const queue: { path: string; from: Answer[] }[] = [{ path: "/", from: [] }];
    let isBusy = 0;
    await Promise.all(
      Array.from({ length: workers }, async (_, index) => {
        const worker = run.actor(`worker ${index}`, { userAgent: "crawler/0.9", sockets: 1 });
        while (queue.length > 0 || isBusy > 0) {
          const next = queue.shift();
          if (next === undefined) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            continue;
          }
          isBusy += 1;
          const answer = await worker.ask("GET", "www", next.path, { needs: next.from });
          for (const [, path = ""] of answer.body.toString().matchAll(/href="([^"]+)"/g)) {
            if (found.has(path)) continue;
            found.add(path);
            queue.push({ path, from: [answer] });
          }
          isBusy -= 1;
        }
      }),
    );
  },
});
