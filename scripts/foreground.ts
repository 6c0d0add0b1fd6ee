import { startEngine } from "../extensions/proxy/engine.ts";
import { argumentsOf } from "../extensions/proxy/process/arguments.ts";
import { DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { success, unwrap } from "../src/engine/model/result.ts";
import { openPage } from "./browser-window.ts";
import { ECHO } from "./child-end.ts";
import { announceInBrowser, OWN_WORDS, reportingOf, sayIneffective } from "./terminal.ts";

/*
 * Runs Weir for a terminal that waits for it, in a process that `supervisor.ts` starts again when it was killed. The
 * arguments are as the user typed them; `launch.ts` has checked them.
 */
const typed = process.argv.slice(2);
const words = ["--standalone", ...typed.filter((word) => !OWN_WORDS.includes(word))];
const checked = unwrap(argumentsOf(words));
const reporting = reportingOf(checked);
const isClosed = typed.includes("--no-open");
let show = () => {};

await startEngine(success(words), {
  echo: ECHO,
  continues: process.env["WEIR_RUN"] === "restarted",
  ready: (ready, hasContinued) => {
    if (!hasContinued) announceInBrowser(reporting, ready, isClosed);
    if (isClosed) return;
    show = () => openPage(ready.ui, ready.dataDir, reporting.say);
    // Pages of a killed engine connect to this one.
    if (!hasContinued) show();
  },
  taken: () => {
    sayIneffective(typed);
    // A caller that waits for the ready line would wait in vain, so the exit code is an error.
    if (checked.json) process.exitCode = DATA_FOLDER_UNUSABLE;
  },
  show: () => show(),
});
