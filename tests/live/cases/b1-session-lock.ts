import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story:
    "The session file is locked during a request, so that a board's tiles come one by one; a report loads each row lazily while it is sent.",
  draw: (draw) => {
    const [board = "", tiles = "", reports = "", session = ""] = draw.words(4);
    return {
      board,
      tiles,
      reports,
      session,
      loads: draw.int(11, 13),
      width: draw.int(5, 6),
      tile: draw.real(45, 75),
      rows: draw.int(28, 40),
      row: draw.real(7, 11),
    };
  },
  causes: ({ tiles, reports }) => [
    { name: "lock", accepts: [{ kind: "one-at-a-time" }], at: [`GET /${tiles}/*`, "app"] },
    { name: "lazy", accepts: [{ kind: "slow-transfer" }], at: [`GET /${reports}/*`] },
  ],
  service: async ({ tiles, reports, tile, rows, row }, run) => {
    let session = Promise.resolve();
    await run.serve("app", async (request, response) => {
      const [place = ""] = segmentsOf(request);
      if (place === tiles) {
        const arrived = now();
        const before = session;
        let release = (): void => undefined;
        session = new Promise((resolve) => {
          release = resolve;
        });
        if (run.isOn("lock")) await before;
        const started = now();
        await run.work(tile, 0.12);
        // Without the lock, its own work would have begun on arrival.
        if (run.isOn("lock") && started - arrived > 3) run.added("lock", now() - (started - arrived));
        sendJson(response, { value: run.random.int(0, 1_000_000) });
        release();
      } else if (place === reports) {
        await run.work(25, 0.3);
        response.writeHead(200, { "Content-Type": "text/html" });
        response.write("<table>");
        const from = now();
        for (let count = 0; count < rows; count += 1) {
          if (run.isOn("lazy")) await run.work(row, 0.3);
          response.write(`<tr><td>${run.random.int(0, 1_000_000)}</td></tr>`);
        }
        if (run.isOn("lazy")) run.added("lazy", from);
        response.end("</table>");
      } else {
        await run.work(20, 0.3);
        sendJson(response, { title: run.random.text(20), seen: run.random.int(1, 1_000_000) });
      }
    });
  },
  client: async ({ board, tiles, reports, session, loads, width }, run) => {
    const user = run.actor("user", { userAgent: "board/12" });
    const headers = { Cookie: `${session}=${run.random.text(24)}` };
    const names = run.random.words(width);
    for (let count = 0; count < loads; count += 1) {
      await user.ask("GET", "app", `/${board}`, { headers });
      await Promise.all(names.map((name) => user.ask("GET", "app", `/${tiles}/${name}`, { headers })));
      await pause(run.random.real(320, 460));
      await user.ask("GET", "app", `/${reports}/${run.random.int(10_000, 99_999)}`, { headers });
      await pause(run.random.real(320, 460));
    }
  },
});
