import { connect } from "node:net";
import { resolve } from "node:path";
import { exportedFiles } from "../extensions/proxy/certificates/export.ts";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import type { Owner } from "../extensions/proxy/storage/lock.ts";
import { problemOf, SAMPLE } from "../src/engine/hub/target.ts";
import { TERMINAL_VARIABLES } from "../src/engine/hub/targets/terminal.ts";
import { localAddress } from "../src/engine/model/host-port.ts";
import { SHELLS } from "../src/engine/quoting/shell.ts";
import { complain, emptyAmong, writeText } from "./command.ts";
import type { ParsedFor } from "./command-table.ts";
import { runningOwner } from "./running-owner.ts";

/** Prints the variables that route a terminal's requests through the running Weir. Starts and changes nothing. */
export async function main({ values }: ParsedFor<"env">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const wanted = values.shell ?? (process.platform === "win32" ? "powershell" : "sh");
  const form = TERMINAL_VARIABLES.find(({ shell }) => shell === wanted);
  if (form === undefined) return complain(BAD_USAGE, `--shell takes ${SHELLS.join(", ")}, not "${wanted}".`);

  const folder = resolve(values["data-dir"] ?? defaultDataFolder());
  const owner = runningOwner(folder);
  if (owner === null)
    return complain(DATA_FOLDER_UNUSABLE, `No Weir runs with the data folder ${folder}. Start Weir first: weir start.`);
  const proxy = addressOf(owner);
  if (proxy === null) return complain(DATA_FOLDER_UNUSABLE, "Weir is still starting. Try again in a moment.");
  if (!(await answers(proxy)))
    return complain(
      DATA_FOLDER_UNUSABLE,
      `Weir's proxy no longer listens on port ${proxy.port}. Start the proxy in the window.`,
    );

  const { pem, bundle, der } = exportedFiles(folder);
  const live = { ...proxy, lan: null, ca: pem, bundle, der, keyHash: "", url: SAMPLE, reverse: 0, transparent: 0 };
  const problem = problemOf(form, live);
  if (problem !== null) return complain(BAD_USAGE, problem);
  return (await writeText([`${form.text(live)}\n`], null)) ?? 0;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The proxy's address for programs on this computer, as announced at the start; `null`: not announced yet. */
function addressOf({ proxy }: Owner): Address | null {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(proxy ?? "") ?? [];
  return host === undefined ? null : { host: localAddress(host), port: Number(port) };
}

function answers({ host, port }: Address): Promise<boolean> {
  return new Promise((answered) => {
    const socket = connect({ host, port });
    const end = (value: boolean) => {
      socket.destroy();
      answered(value);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
