import * as assert from "uvu/assert";
import { programNameOf } from "../../../../extensions/proxy/engine-thread/client-programs/program-name.ts";
import { describe } from "../../../support/describe.ts";

/** What Linux reports about real processes, and the names that users know. */
const TABLE: readonly (readonly [name: string | null, comm: string, argv: readonly string[], exe: string])[] = [
  ["curl", "curl", ["curl", "-sS", "http://a.test/"], "/usr/bin/curl"],
  ["node", "node-MainThread", ["node", "client.mjs"], "/opt/node/bin/node"],
  ["node", "MainThread", ["/usr/bin/node"], "/usr/bin/node (deleted)"],
  ["python3", "python3", ["python3", "get.py"], "/usr/bin/python3.12"],
  ["http", "http", ["/usr/bin/python3", "/usr/bin/http", "GET", "a.test"], "/usr/bin/python3.12"],
  ["chrome", "chrome", ["/opt/google/chrome/chrome --type=utility --enable=a/b"], "/opt/google/chrome/chrome"],
  ["firefox-bin", "Socket Process", ["/usr/lib/firefox/firefox-bin", "-contentproc"], "/usr/lib/firefox/firefox-bin"],
  [
    "a-program-with-a-long-name",
    "a-program-with-",
    ["./a-program-with-a-long-name"],
    "/home/me/a-program-with-a-long-name",
  ],
  [
    "a-script-with-a-long-name.sh",
    "a-script-with-a",
    ["/bin/sh", "/tmp/a-script-with-a-long-name.sh"],
    "/usr/bin/dash",
  ],
  ["wget", "wget", ["wget"], "/bin/busybox"],
  ["renamed", "renamed", [], ""],
  ["evil", "x", ["\u001b[2Jy"], "/tmp/ev\u202eil"],
  [null, "", [], ""],
];

describe("what a process is called", (test) => {
  test("is what was started, executable or script, whatever became of its comm", () => {
    for (const [name, comm, argv, exe] of TABLE) {
      const cmdline = argv.map((word) => `${word}\0`).join("");
      assert.is(programNameOf({ comm: comm === "" ? "" : `${comm}\n`, cmdline, exe }), name, comm);
    }
  });
});
