import { needsChromium, startedBrowser } from "../../support/browser.ts";
import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";

export const live = liveCase({
  story: "A developer reloads a page while working on it; the development server answers 304 for what is unchanged.",
  skip: needsChromium,
  // Chromium caches nothing of a server whose certificate it does not trust.
  scheme: "http",
  draw: (draw) => {
    const [app = "", first = "", second = "", ...images] = draw.words(12);
    const lists = [first, second];
    return { app, lists, images: images.slice(0, draw.int(4, 9)), loads: draw.int(5, 7), usual: draw.real(8, 25) };
  },
  causes: () => [],
  service: async ({ app, images, lists, usual }, run) => {
    const texts = new Map(
      ["app.js", "app.css", ...images.map((name) => `${name}.svg`)].map((name) => [name, assetOf(name)]),
    );
    const page = `<!doctype html><title>${app}</title><link rel="stylesheet" href="/src/app.css"><script defer src="/src/app.js"></script>
      ${images.map((name) => `<img src="/src/${name}.svg" width="40" height="40">`).join("")}`;
    const rows = new Map(lists.map((name) => [name, run.random.text(300)]));
    function assetOf(name: string): string {
      if (name.endsWith(".css")) return `body { margin: 2em } /* ${run.random.text(3_000)} */`;
      if (name.endsWith(".svg"))
        return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/><!-- ${run.random.text(600)} --></svg>`;
      return `// ${run.random.text(4_000)}
        Promise.all(${JSON.stringify(lists)}.map((list) => fetch("/api/" + list).then((answer) => answer.json())))
          .then((all) => { document.title = "ready " + all.length; });`;
    }
    await run.serve("dev", async (request, response) => {
      const [place, name = ""] = segmentsOf(request);
      await run.work(usual, 0.4);
      if (place === "api") return sendJson(response, { name, rows: rows.get(name) }, { "Cache-Control": "no-store" });
      const text = place === "src" ? texts.get(name) : page;
      if (text === undefined || targetOf(request).pathname === "/favicon.ico") return response.writeHead(404).end();
      const tag = `"${text.length}-${name}"`;
      const headers = { ETag: tag, "Cache-Control": "no-cache" };
      if (request.headers["if-none-match"] === tag) return response.writeHead(304, headers).end();
      const type =
        { js: "text/javascript", css: "text/css", svg: "image/svg+xml" }[name.split(".")[1] ?? ""] ?? "text/html";
      response.writeHead(200, { ...headers, "Content-Type": type, "Content-Length": Buffer.byteLength(text) });
      return response.end(text);
    });
  },
  client: async ({ loads }, run) => {
    const browser = await startedBrowser(`--proxy-server=${run.proxy}`);
    const page = await browser.newPage();
    await page.goto(`http://dev.${run.domain}/`);
    for (let load = 0; load < loads; load += 1) {
      await page.waitForFunction(() => document.title.startsWith("ready"));
      await pause(run.random.real(800, 2_600));
      if (load < loads - 1) await page.reload();
    }
    await browser.close();
  },
});
