import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "A dashboard asks steadily for figures that have changed each time, while a person looks at other pages.",
  draw: (draw) => {
    const [board = "", ...pages] = draw.words(5);
    return { board, pages, every: draw.int(350, 700), polls: draw.int(18, 26), usual: draw.real(10, 30) };
  },
  causes: () => [],
  service: async ({ board, usual }, run) => {
    // Orders come in all the time.
    const counts = { open: 0, done: 0 };
    setInterval(() => {
      counts.open += run.random.int(1, 3);
      counts.done += run.random.int(0, 2);
    }, 60);
    await run.serve("admin", async (request, response) => {
      const [place, id] = segmentsOf(request);
      await run.work(usual, 0.4);
      sendJson(response, place === board ? counts : { place, id, text: run.random.text(150) });
    });
  },
  client: async ({ board, pages, every, polls }, run) => {
    const page = run.actor("page", { userAgent: "browser/9" });
    let isOpen = true;
    const person = (async () => {
      for (let count = 0; isOpen; count += 1) {
        await pause(run.random.lognormal(700, 0.5));
        await page.ask("GET", "admin", `/${run.random.pick(pages)}/${100 + count}`);
      }
    })();
    for (let count = 0; count < polls; count += 1) {
      await page.ask("GET", "admin", `/${board}`);
      await pause(every);
    }
    isOpen = false;
    await person;
  },
});
