import { DatabaseSync } from "node:sqlite";

/*
 * Loaded into a start of Weir: says once when it has found its data folder's lock taken, which it tells nobody while it waits.
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
