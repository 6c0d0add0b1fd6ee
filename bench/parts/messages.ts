import { costAfter, costBefore } from "../cost.ts";
import { ask, type Part } from "../part.ts";
import type { Outcome } from "../programs/job.ts";
import { figure, interleaved } from "../rounds.ts";
import { atLeast } from "../verdict.ts";
import { secureTarget } from "./requests.ts";

const CONNECTIONS = 32;
/** Messages in flight on a connection. With 1, each message is a packet of its own, as in real use. */
const AHEAD = 1;
const SECONDS = 1.2;

export const messages: Part = {
  name: "wss",
  title: "WebSocket over TLS, 32 connections, messages of 100 bytes and their echoes",
  measure: async (field) => {
    const target = secureTarget(field);
    const rows = await interleaved(field, "websocket", async ({ pids, secure: route }) => {
      const before = await costBefore(pids);
      const { operations, seconds } = await ask<Outcome>(field, {
        do: "messages",
        route,
        target,
        connections: CONNECTIONS,
        ahead: AHEAD,
        seconds: SECONDS,
      });
      const after = await costAfter(pids);
      return {
        "messages/s": operations / seconds,
        "CPU µs": ((after.cpu - before.cpu) * 1_000) / operations,
        "of it first thread": ((after.firstThread - before.firstThread) * 1_000) / operations,
      };
    });
    const ratio = figure(rows, "Weir", "messages/s") / figure(rows, "mockttp", "messages/s");
    return { rows, verdicts: [atLeast("≥ 1.2x mockttp messages/s", 1.2, ratio, `${ratio.toFixed(2)}x`)] };
  },
};
