import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse } from "../ordinary.ts";

/** The agent of the client allows a few connections; the service could answer all requests at once. */
export const live = liveCase({
  story: "A client asks for the widgets of a dashboard at once, but its pool has only a few connections.",
  draw: (draw) => {
    const [board = "", ...rest] = draw.words(36);
    return {
      board,
      others: rest.slice(0, 3),
      widgets: rest.slice(3, 3 + draw.int(12, 16)),
      parts: rest.slice(19),
      sockets: draw.int(2, 3),
      usual: draw.real(60, 100),
      boards: draw.int(6, 8),
    };
  },
  causes: ({ board }) => [
    {
      name: "pool",
      accepts: [{ kind: "connection-queueing" }],
      at: ["app", `GET /${board}/*`],
      unlogged: true,
    },
  ],
  service: async ({ board, usual, widgets, parts, others }, run) => {
    await run.serve("app", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [first, id] = segmentsOf(request);
      await run.work(usual, 0.25);
      const body = { id, text: run.random.text(200) };
      sendJson(
        response,
        first === board ? { ...body, widgets: widgets.map((one, index) => `/${one}/${id}/${parts[index]}`) } : body,
      );
    });
  },
  client: async ({ board, sockets, boards, others }, run) => {
    const user = run.actor("user", { userAgent: "board/2.8", sockets: run.isOn("pool") ? sockets : 64 });
    const looking = (async () => {
      for (let count = 0; count < boards; count += 1) {
        const page = await user.ask("GET", "app", `/${board}/${81 + count * 7}`);
        const urls: string[] = page.json().widgets;
        await Promise.all(urls.map((url) => user.ask("GET", "app", url, { needs: [page] })));
        await pause(run.random.real(700, 1_300));
      }
    })();
    await Promise.all([browse(run, "app", others, 20), looking]);
  },
});
