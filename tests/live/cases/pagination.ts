import { type Answer, liveCase, pause } from "../contract.ts";

export const live = liveCase({
  story: "An export reads a table page by page; each page's cursor comes with the page before.",
  draw: (draw) => {
    const [table = "", cursor = "", column = ""] = draw.words(3);
    return {
      table,
      cursor,
      column,
      rows: draw.int(1_200, 2_000),
      page: draw.pick([50, 80, 100]),
      usual: draw.real(60, 160),
    };
  },
  causes: () => [],
  service: { python: "pagination.py" },
  client: async ({ table, cursor, page }, run) => {
    const exporter = run.actor("export", { userAgent: "export/2" });
    let [after, before]: [string | null, Answer | null] = ["", null];
    while (after !== null) {
      const query = after === "" ? "" : `&${cursor}=${after}`;
      const answer: Answer = await exporter.ask("GET", "data", `/v1/${table}?limit=${page}${query}`, {
        needs: before === null ? [] : [before],
      });
      after = answer.json()[`next_${cursor}`];
      before = answer;
      await pause(run.random.real(2, 12));
    }
  },
});
