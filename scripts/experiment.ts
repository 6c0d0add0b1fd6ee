import { resolve } from "node:path";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE, INTERNAL_ERROR, TOO_FEW } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import {
  type ExperimentState,
  experimentResultText,
  FEWEST_UNITS,
  LEVELS,
  LONGEST_LEVEL,
  MOST_UNITS,
  USUAL_UNITS,
} from "../src/engine/messages/experiment-messages.ts";
import { DEFAULT_LEVELS } from "../src/engine/model/experiment.ts";
import { failure, type Result, success } from "../src/engine/model/result.ts";
import type { Milliseconds } from "../src/engine/model/units.ts";
import { complain, emptyAmong } from "./command.ts";
import type { ParsedFor } from "./command-table.ts";
import { runningOwner } from "./running-owner.ts";
import { RunningWeir } from "./running-weir.ts";

/**
 * Holds back an endpoint's responses in the running Weir, and prints the progress and the verdict. The experiment ends
 * with this process, since the running Weir then loses the connection.
 */
export async function main({ values, positionals }: ParsedFor<"experiment">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const [target, more] = positionals;
  if (target === undefined || more !== undefined)
    return complain(BAD_USAGE, `weir experiment takes one endpoint, such as "GET /v1/prices".`);
  const levels = levelsOf(values.levels);
  if (!levels.ok) return complain(BAD_USAGE, levels.problem);
  const units = unitsOf(values.loads);
  if (!units.ok) return complain(BAD_USAGE, units.problem);

  const folder = resolve(values["data-dir"] ?? defaultDataFolder());
  const owner = runningOwner(folder);
  if (owner === null)
    return complain(DATA_FOLDER_UNUSABLE, `No Weir runs with the data folder ${folder}. Start Weir first: weir start.`);
  const states = new States();
  const weir = await RunningWeir.connect(owner, ({ experiment }) => states.take(experiment));
  if (weir === null) return complain(DATA_FOLDER_UNUSABLE, "The running Weir does not answer. Try again in a moment.");
  const [client, confirmed] = [values.client ?? null, values.confirm === true];
  const before = await states.first;
  const command = { type: "start-experiment", target, client, levels: levels.value, units: units.value } as const;
  const refusal = await weir.send({ ...command, confirmed });
  if (refusal !== null) {
    weir.close();
    return complain(BAD_USAGE, confirmed ? refusal : refusal.replace("Confirm the experiment.", "Add --confirm."));
  }
  const ended = await Promise.race([states.follow(before?.number ?? 0), weir.over.then(() => null)]);
  weir.close();
  if (ended === null) return complain(INTERNAL_ERROR, "The connection to Weir is lost, which ends the experiment.");
  return ended.verdict.kind === "unknown" ? TOO_FEW : 0;
}

/** The states of experiments that the running Weir tells. */
class States {
  readonly first: Promise<ExperimentState | null>;
  #onState: (state: ExperimentState | null) => void = () => {};

  constructor() {
    this.first = new Promise((resolve) => {
      this.#onState = resolve;
    });
  }

  take(state: ExperimentState | null): void {
    this.#onState(state);
  }

  /** Prints the progress of the experiment after this number, and resolves with its result. */
  async follow(before: number): Promise<NonNullable<ExperimentState["result"]>> {
    let said = "";
    return await new Promise((resolve) => {
      this.#onState = (state) => {
        if (state === null || state.number <= before) return;
        const line = state.result === null ? progressText(state) : experimentResultText(state.result);
        if (line !== said) process.stdout.write(`${line}\n`);
        said = line;
        if (state.result !== null) resolve(state.result);
      };
    });
  }
}

function progressText({ counted, planned, unit, leftOut }: ExperimentState): string {
  const others = leftOut === 0 ? "" : `, ${leftOut} left out`;
  return `${counted} of ${planned} ${counted === 0 ? "loads or walks" : `${unit}s`}${others}`;
}

function levelsOf(text: string | undefined): Result<readonly Milliseconds[]> {
  if (text === undefined) return success(DEFAULT_LEVELS);
  const levels = text.split(",").map((part) => (/^\d{1,4}$/.test(part) ? Number(part) : Number.NaN));
  return levels.length === LEVELS && levels.every((one) => one <= LONGEST_LEVEL)
    ? success(levels)
    : failure(`--levels takes ${LEVELS} whole numbers of ms from 0 to ${LONGEST_LEVEL}, such as 0,100,300.`);
}

function unitsOf(text: string | undefined): Result<number> {
  const units = Number(text ?? USUAL_UNITS);
  return Number.isInteger(units) && units >= FEWEST_UNITS && units <= MOST_UNITS
    ? success(units)
    : failure(`--loads takes a number from ${FEWEST_UNITS} to ${MOST_UNITS}, not "${text}".`);
}
