import { costAfter, costBefore } from "../cost.ts";
import { median } from "../figures.ts";
import { ask, type Field, type Figures, type Part } from "../part.ts";
import type { Outcome } from "../programs/job.ts";
import { mediansOf } from "../rounds.ts";
import { atMost } from "../verdict.ts";
import { secureTarget } from "./requests.ts";

/** As in the scenarios with the most requests. */
const CONNECTIONS = 64;
/** Recording is turned on and off back to back, several times, because the machine's load varies between seconds. */
const SECONDS = 1.5;
const TURNS_A_ROUND = 2;

/**
 * The cost of recording, per thread: the difference between the same traffic with recording on and off, turn by turn.
 * The UI client stays connected.
 */
export const engine: Part = {
  name: "engine",
  title: "the engine's share of an exchange (HTTPS, 64 connections)",
  measure: async (field) => {
    const taken: Record<"on" | "off", Figures[]> = { on: [], off: [] };
    for (let turn = 0; turn < TURNS_A_ROUND * field.rounds; turn += 1) {
      // Alternates which of the two comes first.
      for (const state of turn % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const)) {
        taken[state].push(await busy(field, state === "on"));
      }
    }
    await field.weir.page.command({ type: "set-recording", on: true });
    const rows = [
      { subject: "recording", figures: mediansOf(taken.on) },
      { subject: "not recording", figures: mediansOf(taken.off) },
    ];
    const [on, off] = ["data thread µs", "other threads µs"].map((name) =>
      median(taken.on.map((figures, turn) => (figures[name] ?? Number.NaN) - (taken.off[turn]?.[name] ?? Number.NaN))),
    ) as [number, number];
    return {
      rows,
      verdicts: [
        atMost("≤ 5 µs on the data thread", 5, on, `${on.toFixed(1)} µs`),
        atMost("≤ 10 µs off it, page included", 10, off, `${off.toFixed(1)} µs`),
      ],
    };
  },
};

async function busy(field: Field, recording: boolean): Promise<Figures> {
  const { page, pids, secure: way } = field.weir;
  await page.command({ type: "set-recording", on: recording });
  await ask(field, { do: "prepare", way, target: secureTarget(field), connections: CONNECTIONS });
  const before = await costBefore(pids);
  page.reset();
  const { operations, seconds } = await ask<Outcome>(field, { do: "run", seconds: SECONDS, rate: null });
  const { messages, largest } = page;
  const after = await costAfter(pids);
  await ask(field, { do: "release" });
  const data = after.firstThread - before.firstThread;
  return {
    "req/s": operations / seconds,
    "data thread µs": (data * 1_000) / operations,
    "other threads µs": ((after.cpu - before.cpu - data) * 1_000) / operations,
    "page messages/s": messages / seconds,
    "largest message KiB": largest / 1_024,
  };
}
