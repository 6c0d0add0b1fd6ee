import { DatabaseSync } from "node:sqlite";

/*
 * Loaded into Weir before it starts: reports once that the data folder's lock is taken; Weir waits for the lock without
 * a message.
 */

const { exec } = DatabaseSync.prototype;
let isSaid = false;

DatabaseSync.prototype.exec = function (sql) {
  try {
    exec.call(this, sql);
  } catch (error) {
    if (!isSaid && sql.includes("EXCLUSIVE")) process.stderr.write("the lock is taken\n");
    isSaid = true;
    throw error;
  }
};
