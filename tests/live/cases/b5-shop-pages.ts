import type { ServerResponse } from "node:http";
import { type ClientRun, liveCase, now, pause, type ServiceRun } from "../contract.ts";
import { segmentsOf, targetOf } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/**
 * A product's page is streamed: its head goes out at once, and then the stream waits for the recommendations, which are
 * computed anew. And fragments are cached for the languages of a list alone: one language is missing there, and its
 * category pages are rendered each time.
 */
export const live = liveCase({
  story: "Product pages start at once but wait within for recommendations; and one language's pages are never cached.",
  draw: (draw) => {
    const [product = "", category = "", ...others] = draw.words(4);
    const languages = draw.shuffled(["en-GB", "fr-FR", "de-DE", "pl-PL", "nl-NL", "it-IT"]).slice(0, 4);
    return {
      product,
      category,
      others,
      languages,
      usual: draw.int(16, 28),
      recommended: draw.int(180, 330),
      rendered: draw.int(150, 260),
      uncached: draw.real(0.22, 0.3),
      visitors: draw.int(2, 3),
    };
  },
  causes: ({ product, category }) => [
    { name: "block", accepts: [{ kind: "slow-transfer" }], at: [`GET /${product}/*`] },
    {
      name: "language",
      accepts: [{ kind: "slow-when", attribute: "request-header:accept-language" }],
      at: [`GET /${category}/*`],
    },
  ],
  service: async ({ product, category, others, languages, usual, recommended, rendered }, run) => {
    const listed = run.isOn("language") ? languages.slice(1) : languages;
    const fragments = new Map<string, string>();
    const render = (path: string, language: string): string =>
      `<section lang="${language}"><h2>${path}</h2><p>${run.random.text(900)}</p></section>`;
    await run.serve("shop", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [name = "", id = ""] = segmentsOf(request);
      await run.work(usual, 0.35);
      if (name === product) return streamed(run, response, recommended, clientOf(request));
      const language = String(request.headers["accept-language"]).split(",")[0] ?? "";
      const key = `${targetOf(request).pathname}${targetOf(request).search} ${language}`;
      const since = now();
      const isMissing = !listed.includes(language);
      if (isMissing) await run.work(rendered, 0.2);
      const html = (isMissing ? undefined : fragments.get(key)) ?? render(`${category}/${id}`, language);
      if (!isMissing) fragments.set(key, html);
      if (isMissing) run.added("language", since, now(), clientOf(request));
      response.writeHead(200, { "Content-Type": "text/html", "Content-Length": Buffer.byteLength(html) }).end(html);
    });
  },
  client: async ({ product, category, others, languages, uncached, visitors }, run) => {
    const names = run.random.words(visitors);
    const visiting = names.map((name, index) => visit(run, product, name, `127.0.0.${81 + index}`));
    const reading = partner(run, category, languages, uncached);
    await Promise.all([...visiting, reading, browse(run, "shop", others, 24)]);
  },
});

/** A page in three pieces, of which the second is the recommendations. */
async function streamed(run: ServiceRun, response: ServerResponse, median: number, client: string): Promise<void> {
  response.writeHead(200, { "Content-Type": "text/html", "Cache-Control": "no-store" });
  response.write(`<!doctype html><title>${run.random.text(20)}</title><main>${run.random.text(1_800)}</main>`);
  const since = now();
  if (run.isOn("block")) {
    await run.work(median, 0.2);
    run.added("block", since, now(), client);
  }
  response.write(`<aside>${run.random.text(900)}</aside>`);
  response.end(`<footer>${run.random.text(200)}</footer>`);
}

async function visit(run: ClientRun, product: string, name: string, address: string): Promise<void> {
  const visitor = run.actor(name, { userAgent: `browser/140 (${name})`, address });
  const steps = Array.from({ length: 12 }, () => ({
    id: run.random.int(1_000, 9_999),
    gap: run.random.real(300, 850),
  }));
  for (const { id, gap } of steps) {
    await pause(gap);
    await visitor.ask("GET", "shop", `/${product}/${id}`);
  }
}

/** A partner's server fetches category pages for its visitors, in the language of each. */
async function partner(run: ClientRun, category: string, languages: readonly string[], uncached: number) {
  const server = run.actor("partner", { userAgent: "partner-portal/4.4", address: "127.0.0.91" });
  const [missing = "", ...listed] = languages;
  const steps = Array.from({ length: 75 }, () => ({
    path: `/${category}/${run.random.int(11, 60)}?page=${run.random.int(1, 3)}`,
    language: run.random.chance(uncached) ? missing : run.random.pick(listed),
    gap: run.random.real(20, 110),
  }));
  for (const { path, language, gap } of steps) {
    await pause(gap);
    await server.ask("GET", "shop", path, { headers: { "Accept-Language": language } });
  }
}
