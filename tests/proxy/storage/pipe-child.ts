import { BodyWriter } from "../../../extensions/proxy/storage/bodies.ts";
import { readBytes } from "../../../extensions/proxy/storage/extents.ts";
import { Log } from "../../../extensions/proxy/storage/log.ts";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SettingsFile } from "../../../extensions/proxy/storage/settings-file.ts";

/* Opens every kind of file of a data folder in which pipes replace the files, and prints each result. */

const [folder = ""] = process.argv.slice(2);
const bytes = Buffer.from("body");

new Log(folder).write("nobody reads this");
const bodies = new BodyWriter(folder, 1024 ** 2);
const extent = bodies.place([bytes]);
const said = {
  settings: SettingsFile.open(folder, false).notices.join(),
  session: SessionReader.open(folder),
  read: readBytes(folder, [extent], 0, bytes.length),
  bodies: refusalOf(() => bodies.write()),
};
process.stdout.write(JSON.stringify(said));

function refusalOf(act: () => unknown): string {
  try {
    act();
    return "";
  } catch (error) {
    return String(error);
  }
}
