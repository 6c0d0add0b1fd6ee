import { resolve } from "node:path";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { CHANGE_MARKS } from "../src/engine/model/experiment.ts";
import { complain, emptyAmong, writeText } from "./command.ts";
import type { ParsedFor } from "./command-table.ts";
import { runningOwner } from "./running-owner.ts";
import { RunningWeir } from "./running-weir.ts";

/** Tells the running Weir that A or B runs from now on. */
export async function main({ values, positionals }: ParsedFor<"mark">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const mark = CHANGE_MARKS.find((one) => one === positionals[0]);
  if (mark === undefined || positionals.length > 1)
    return complain(
      BAD_USAGE,
      "weir mark takes A or B: weir mark A before your program runs as A, weir mark B before B.",
    );
  const folder = resolve(values["data-dir"] ?? defaultDataFolder());
  const owner = runningOwner(folder);
  if (owner === null)
    return complain(DATA_FOLDER_UNUSABLE, `No Weir runs with the data folder ${folder}. Start Weir first: weir start.`);
  const weir = await RunningWeir.connect(owner, () => {});
  if (weir === null) return complain(DATA_FOLDER_UNUSABLE, "The running Weir does not answer. Try again in a moment.");
  const refusal = await weir.send({ type: "mark-change", mark });
  weir.close();
  if (refusal !== null) return complain(BAD_USAGE, refusal);
  return (
    (await writeText([`Marked ${mark} from now on: requests that start from here count to ${mark}.\n`], null)) ?? 0
  );
}
