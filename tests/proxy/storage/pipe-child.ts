import { ProgramLog } from "../../../extensions/proxy/storage/program-log.ts";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SettingsFile } from "../../../extensions/proxy/storage/settings-file.ts";

/* Opens every kind of file of a data folder in which pipes replace the files, and prints each result. */

const [folder = ""] = process.argv.slice(2);

new ProgramLog(folder).write("nobody reads this");
const said = {
  settings: SettingsFile.open(folder, false).notices.join(),
  session: SessionReader.open(folder),
};
process.stdout.write(JSON.stringify(said));
