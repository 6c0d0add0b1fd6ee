import { DatabaseSync } from "node:sqlite";

/* Preloaded into Weir: reports once that the data folder's lock is taken, on which Weir waits silently. */

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
