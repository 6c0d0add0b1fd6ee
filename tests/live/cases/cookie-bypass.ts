import { liveCase, now } from "../contract.ts";
import { segmentsOf } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

/** A page cache that, as many do, is bypassed as soon as a session cookie is there. */
export const live = liveCase({
  story: "With a session cookie the page cache is bypassed, and each page is rendered anew.",
  draw: (draw) => {
    const [path = "", cookie = "", theme = "", ...rest] = draw.words(6);
    return {
      path,
      cookie: `${cookie}_sid`,
      theme,
      others: rest,
      pages: draw.int(34, 44),
      render: draw.real(130, 260),
      visitors: draw.int(5, 7),
      requests: draw.int(120, 150),
      signedIn: draw.real(0.25, 0.4),
    };
  },
  causes: ({ path, cookie }) => [
    { name: "bypass", accepts: [{ kind: "slow-when", attribute: `cookie:${cookie}` }], at: [`GET /${path}/*`] },
  ],
  service: async ({ path, cookie, pages, render, others }, run) => {
    const page = (id: string) => `<!doctype html><title>${path} ${id}</title><p>${run.random.text(600)}`;
    // The cache has been warm for days.
    const cache = new Map(Array.from({ length: pages }, (_, id) => [String(id + 10), page(String(id + 10))]));
    await run.serve("www", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      await run.work(12, 0.4);
      let body = cache.get(id);
      if (body === undefined || (run.isOn("bypass") && (request.headers.cookie ?? "").includes(`${cookie}=`))) {
        const since = now();
        await run.work(render, 0.25);
        body = page(id);
        run.added("bypass", since, now(), clientOf(request));
      }
      response.writeHead(200, { "Content-Type": "text/html", "Content-Length": Buffer.byteLength(body) }).end(body);
    });
  },
  client: async ({ path, cookie, theme, pages, visitors, requests, signedIn, others }, run) => {
    const each = Math.ceil(requests / visitors);
    const reading = Array.from({ length: visitors }, (_, index) => {
      const userAgent = `browser/${5 + index}.1`;
      const visitor = run.actor(`visitor ${index}`, { userAgent, address: `127.0.0.${20 + index}` });
      const isMember = index / visitors < signedIn;
      const signsInAt = Math.floor(run.random.real(0, 0.4) * each);
      const ids = run.random.shuffled(Array.from({ length: pages }, (__, id) => id + 10));
      return arrivals(run.random, each, 480, (count) => {
        const cookies = [`${theme}=${index % 2 === 0 ? "dark" : "light"}`];
        if (isMember && count >= signsInAt) cookies.push(`${cookie}=${(index + 1) * 7_919}a${index}`);
        return visitor.ask("GET", "www", `/${path}/${ids[count % ids.length]}`, {
          headers: { Cookie: cookies.join("; ") },
        });
      });
    });
    await Promise.all([browse(run, "www", others, 22), ...reading]);
  },
});
