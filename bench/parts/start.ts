import type { Part } from "../part.ts";
import { mediansOf } from "../rounds.ts";
import { atMost } from "../verdict.ts";
import { startTime } from "../weir.ts";

const STARTS = 3;

export const start: Part = {
  name: "start",
  title: "start of the bundle until it listens, with an existing certificate",
  measure: async ({ environment }) => {
    await startTime(environment, "start");
    const times: number[] = [];
    for (let count = 0; count < STARTS; count += 1) times.push((await startTime(environment, "start")) / 1_000);
    const rows = [{ subject: "Weir", figures: mediansOf(times.map((time) => ({ "listens after s": time }))) }];
    const took = rows[0]?.figures["listens after s"] ?? Number.NaN;
    return { rows, verdicts: [atMost("≤ 0.3 s", 0.3, took, `${took.toFixed(3)} s`)] };
  },
};
