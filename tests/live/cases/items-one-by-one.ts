import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";
import { answersOrdinary, browse } from "../ordinary.ts";

export const live = liveCase({
  story: "After each list the client asks for every item by itself, although the list can hold them.",
  draw: (draw) => {
    const [list = "", ...others] = draw.words(4);
    return {
      list,
      others,
      items: draw.int(8, 14),
      lists: draw.int(5, 7),
      usual: draw.real(28, 55),
      sockets: draw.pick([4, 6, 8]),
    };
  },
  causes: ({ list }) => [{ name: "items", accepts: [{ kind: "n-plus-one" }], at: [`GET /${list}/*`], unlogged: true }],
  // The items wait for each other in the client's agent too.
  admits: () => [{ accepts: [{ kind: "connection-queueing" }], at: ["api"] }],
  service: async ({ items, usual, others }, run) => {
    const item = (id: string) => ({ id, owner: run.random.text(12), total: run.random.int(1, 9_999) });
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [, id = ""] = segmentsOf(request);
      await run.work(usual, 0.3);
      const { searchParams } = targetOf(request);
      if (id !== "") return sendJson(response, item(id));
      const from = Number(searchParams.get("page")) * 100;
      const ids = Array.from({ length: items }, (_, index) => `i${from + index * 3}`);
      sendJson(response, { items: searchParams.has("full") ? ids.map(item) : ids });
    });
  },
  client: async ({ list, lists, sockets, others }, run) => {
    const app = run.actor("app", { userAgent: "backoffice/1.4", sockets });
    const looking = (async () => {
      for (let page = 1; page <= lists; page += 1) {
        const path = `/${list}?page=${page}`;
        const listed = await app.ask("GET", "api", run.isOn("items") ? path : `${path}&full=1`);
        if (run.isOn("items")) {
          const ids: string[] = listed.json().items;
          await Promise.all(ids.map((id) => app.ask("GET", "api", `/${list}/${id}`, { needs: [listed] })));
        }
        await pause(run.random.real(900, 1_500));
      }
    })();
    await Promise.all([browse(run, "api", others, 20), looking]);
  },
});
