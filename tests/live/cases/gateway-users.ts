import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "Users behind one gateway, told apart by their cookies alone, open the same pages; some have equal answers.",
  draw: (draw) => {
    const [cookie = "", ...pages] = draw.words(5);
    return { cookie, pages, users: draw.int(6, 10), visits: draw.int(3, 4), usual: draw.real(20, 50) };
  },
  causes: () => [],
  service: async ({ cookie, pages, usual }, run) => {
    await run.serve("intranet", async (request, response) => {
      const [page] = segmentsOf(request);
      const user = new RegExp(`${cookie}=(\\w+)`).exec(request.headers.cookie ?? "")?.[1] ?? "nobody";
      await run.work(usual, 0.4);
      // The last page is empty for nearly everybody: nothing is in the basket.
      const value = page === pages[3] ? { entries: [] } : { page, of: user, notes: run.random.text(80) };
      sendJson(response, value, { "Cache-Control": "private, no-store" });
    });
  },
  client: async ({ cookie, pages, users, visits }, run) => {
    await Promise.all(
      Array.from({ length: users }, async (_, index) => {
        const user = run.actor(`user ${index}`, { userAgent: "gateway/2.0" });
        const headers = { Cookie: `${cookie}=${run.random.text(16)}` };
        for (let visit = 0; visit < visits; visit += 1) {
          await pause(run.random.lognormal(1_200, 0.5));
          for (const page of pages) {
            await user.ask("GET", "intranet", `/${page}`, { headers });
            // A person reads each page.
            await pause(run.random.lognormal(500, 0.4));
          }
        }
      }),
    );
  },
});
