import type { ServerResponse } from "node:http";
import { type Answer, liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";

export const live = liveCase({
  story: "A long poll is held until there is news, at most for a fixed time, and asked again at once.",
  draw: (draw) => {
    const [queue = "", ...pages] = draw.words(4);
    return {
      queue,
      pages,
      cap: draw.int(1_200, 2_500),
      news: draw.int(500, 1_100),
      count: draw.int(14, 20),
      usual: draw.real(10, 30),
    };
  },
  causes: () => [],
  service: async ({ queue, cap, news, usual }, run) => {
    const waiting = new Set<() => void>();
    let last = 0;
    const publish = async (): Promise<void> => {
      for (;;) {
        await pause(run.random.lognormal(news, 0.7));
        last += 1;
        for (const wake of waiting) wake();
      }
    };
    void publish();
    const hold = (response: ServerResponse, since: number): void => {
      const answer = (): void => {
        clearTimeout(timer);
        waiting.delete(answer);
        sendJson(response, { last, events: Array.from({ length: last - since }, (_, index) => since + index + 1) });
      };
      const timer = setTimeout(answer, cap);
      waiting.add(answer);
    };
    await run.serve("events", async (request, response) => {
      const [place, id] = segmentsOf(request);
      if (place === queue) {
        const since = Number(targetOf(request).searchParams.get("since"));
        if (since < last) sendJson(response, { last, events: [last] });
        else hold(response, since);
        return;
      }
      await run.work(usual, 0.4);
      sendJson(response, { place, id, text: run.random.text(100) });
    });
  },
  client: async ({ queue, pages, count }, run) => {
    const app = run.actor("app", { userAgent: "app/7" });
    let isOpen = true;
    const person = (async () => {
      for (let seen = 0; isOpen; seen += 1) {
        await pause(run.random.lognormal(600, 0.5));
        await app.ask("GET", "events", `/${run.random.pick(pages)}/${10 + seen}`);
      }
    })();
    let before: Answer | null = null;
    for (let polls = 0; polls < count; polls += 1) {
      const since: number = before?.json().last ?? 0;
      before = await app.ask("GET", "events", `/${queue}?since=${since}`, { needs: before === null ? [] : [before] });
    }
    isOpen = false;
    await person;
  },
});
