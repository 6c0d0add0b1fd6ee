import type { ServerResponse } from "node:http";
import { liveCase, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "A few people chat: each has an event stream open, on which messages come when somebody writes one.",
  draw: (draw) => {
    const [room = "", messages = ""] = draw.words(2);
    return { room, messages, people: draw.int(3, 4), sent: draw.int(6, 9), usual: draw.real(10, 30) };
  },
  causes: () => [],
  service: async ({ room, usual }, run) => {
    const streams = new Set<ServerResponse>();
    let last = 0;
    await run.serve("chat", async (request, response) => {
      if (segmentsOf(request)[1] === "events") {
        response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
        response.write(`event: joined\ndata: ${room}\n\n`);
        streams.add(response);
        response.on("close", () => streams.delete(response));
        return;
      }
      const { text } = JSON.parse((await bodyOf(request)).toString()) as { text: string };
      await run.work(usual, 0.4);
      last += 1;
      for (const stream of streams) stream.write(`id: ${last}\ndata: ${JSON.stringify({ text })}\n\n`);
      sendJson(response, { id: last });
    });
  },
  client: async ({ room, messages, people, sent }, run) => {
    const streams: Promise<unknown>[] = [];
    let isOver = false;
    const chats = Array.from({ length: people }, async (_, index) => {
      const person = run.actor(`person ${index}`, { address: `127.0.0.${20 + index}`, userAgent: "chat/5" });
      streams.push(person.ask("GET", "chat", `/${room}/events`, { onData: () => !isOver }));
      for (let count = 0; count < sent; count += 1) {
        await pause(run.random.lognormal(900, 0.6));
        const text = run.random.text(run.random.int(10, 80));
        await person.ask("POST", "chat", `/${room}/${messages}`, { body: JSON.stringify({ text }) });
      }
    });
    await Promise.all(chats);
    isOver = true;
    // The last message ends the streams.
    const last = run.actor("last", { address: "127.0.0.20", userAgent: "chat/5" });
    await last.ask("POST", "chat", `/${room}/${messages}`, { body: JSON.stringify({ text: "bye" }) });
    await Promise.all(streams);
  },
});
