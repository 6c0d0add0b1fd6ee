import WebSocket, { WebSocketServer } from "ws";
import { liveCase, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "A board gets its changes over a WebSocket that stays open, and asks for a card when a person opens one.",
  scheme: "https",
  draw: (draw) => {
    const [board = "", cards = ""] = draw.words(2);
    return { board, cards, opened: draw.int(14, 20), changes: draw.int(150, 500), usual: draw.real(15, 45) };
  },
  causes: () => [],
  service: async ({ usual, changes }, run) => {
    const server = await run.serve("board", async (request, response) => {
      const [, id] = segmentsOf(request);
      await run.work(usual, 0.4);
      sendJson(response, { id, text: run.random.text(200) });
    });
    const sockets = new WebSocketServer({ server });
    const change = async (): Promise<void> => {
      for (let count = 0; ; count += 1) {
        await pause(run.random.lognormal(changes, 0.8));
        for (const socket of sockets.clients) socket.send(JSON.stringify({ change: count, text: run.random.text(40) }));
      }
    };
    void change();
  },
  client: async ({ board, cards, opened }, run) => {
    const page = run.actor("page", { userAgent: "browser/9" });
    const socket = new WebSocket(`wss://board.${run.domain}/${board}/live`, { agent: page.agent });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    for (let card = 0; card < opened; card += 1) {
      await page.ask("GET", "board", `/${cards}/${2_000 + card * 13}`);
      if (run.random.chance(0.3)) socket.send(JSON.stringify({ seen: card }));
      await pause(run.random.lognormal(400, 0.5));
    }
    socket.close();
    await new Promise((resolve) => socket.once("close", resolve));
  },
});
