import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { exchange, message, moment, piece, started } from "./story.ts";

/** Records into the given folder without end, and prints after each flush how many exchanges are written. */
const store = SessionStore.open(process.argv[2] ?? "", 1024 ** 3);
store.startSession(moment(0));
store.append([started(1), piece(1, Buffer.from("a long body")), message(1, Buffer.from("a message"))]);
let number = 1;

function record(): void {
  for (let count = 0; count < 200; count += 1) {
    number += 1;
    store.append(exchange(number));
  }
  const { problem } = store.flush();
  process.send?.(problem ?? number);
}

setInterval(record, 5);
process.on("disconnect", () => process.exit());
