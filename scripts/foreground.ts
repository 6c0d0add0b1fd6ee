import { startEngine } from "../extensions/proxy/engine.ts";
import { argumentsOf } from "../extensions/proxy/process/arguments.ts";
import { DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { success, unwrap } from "../src/engine/model/result.ts";
import { openPage } from "./browser-window.ts";
import { announceInBrowser, ECHO, OWN_WORDS, onOrphaned, reportingOf, sayIneffective } from "./terminal.ts";

/*
 * Runs Weir in the process that the terminal waits for. `launch.ts` replaces itself by this script. A second process,
 * which only passed signals and lines on, would take 30 MB. The arguments are as the user typed them; `launch.ts` has
 * checked them.
 */
const typed = process.argv.slice(2);
const words = ["--standalone", ...typed.filter((word) => !OWN_WORDS.includes(word))];
const checked = unwrap(argumentsOf(words));
const reporting = reportingOf(checked);
const isClosed = typed.includes("--no-open");
let show = () => {};

onOrphaned(() => process.kill(process.pid, "SIGTERM"));
await startEngine(success(words), {
  echo: ECHO,
  ready: (ready) => {
    announceInBrowser(reporting, ready, isClosed);
    if (isClosed) return;
    show = () => openPage(ready.ui, ready.dataDir, reporting.say);
    show();
  },
  taken: () => {
    sayIneffective(typed);
    // A caller that waits for the ready line would wait in vain, so the exit code is an error.
    if (checked.json) process.exitCode = DATA_FOLDER_UNUSABLE;
  },
  show: () => show(),
});
