import { liveCase, pause } from "../contract.ts";
import { sendJson, targetOf } from "../http.ts";

export const live = liveCase({
  story: "A search field asks at each key; a request that has no answer at the next key is given up.",
  draw: (draw) => {
    const [path = "", query = "", ...words] = draw.words(12);
    return { path, query, words: words.slice(0, draw.int(7, 10)), usual: draw.real(40, 110), key: draw.int(90, 180) };
  },
  causes: () => [],
  service: async ({ query, usual }, run) => {
    await run.serve("search", async (request, response) => {
      const typed = targetOf(request).searchParams.get(query) ?? "";
      await run.work(usual, 0.5);
      sendJson(
        response,
        Array.from({ length: 6 }, () => `${typed}${run.random.text(8)}`),
      );
    });
  },
  client: async ({ path, query, words, key }, run) => {
    const field = run.actor("field", { userAgent: "browser/9" });
    for (const word of words) {
      let asked: Promise<unknown> = Promise.resolve();
      for (let length = 2; length <= word.length; length += 1) {
        const typedOn = new AbortController();
        asked = field.ask("GET", "search", `/${path}?${query}=${word.slice(0, length)}`, { signal: typedOn.signal });
        await pause(run.random.lognormal(key, 0.3));
        if (length < word.length) typedOn.abort();
      }
      await asked;
      await pause(run.random.real(400, 900));
    }
  },
});
