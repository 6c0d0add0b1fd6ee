import { type Answer, liveCase, pause } from "../contract.ts";
import { sendJson, targetOf } from "../http.ts";
import { answersOrdinary, browse } from "../ordinary.ts";

/** The first page tells how many there are, so that the others could be asked at once. */
export const live = liveCase({
  story: "The client asks for numbered pages one after the other, although the first tells how many there are.",
  draw: (draw) => {
    const [path = "", ...others] = draw.words(4);
    return {
      path,
      others,
      parameter: draw.pick(["page", "p", "offset"]),
      pages: draw.int(9, 13),
      lists: draw.int(4, 5),
      usual: draw.real(60, 110),
    };
  },
  causes: ({ path }) => [
    {
      name: "in-turn",
      accepts: [{ kind: "sequential-requests" }],
      at: ["api", `GET /${path}`],
      unlogged: true,
    },
  ],
  service: async ({ path, parameter, pages, usual, others }, run) => {
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const { searchParams } = targetOf(request);
      await run.work(usual, 0.25);
      const page = Number(searchParams.get(parameter));
      const rows = Array.from({ length: 20 }, (_, index) => ({ [path]: page * 20 + index, text: run.random.text(24) }));
      sendJson(response, { of: pages, rows });
    });
  },
  client: async ({ path, parameter, lists, others }, run) => {
    const report = run.actor("report", { userAgent: "report/3.5", sockets: 16 });
    const reading = (async () => {
      for (let list = 0; list < lists; list += 1) {
        const ask = (page: number, needs: Answer[]) =>
          report.ask("GET", "api", `/${path}?month=${list + 1}&${parameter}=${page}`, { needs });
        const first = await ask(0, []);
        const left = Array.from({ length: first.json().of - 1 }, (_, index) => index + 1);
        if (run.isOn("in-turn")) for (const page of left) await ask(page, [first]);
        else await Promise.all(left.map((page) => ask(page, [first])));
        await pause(run.random.real(900, 1_400));
      }
    })();
    await Promise.all([browse(run, "api", others, 20), reading]);
  },
});
