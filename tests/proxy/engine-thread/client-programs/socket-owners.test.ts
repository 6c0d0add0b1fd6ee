import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { SocketOwners } from "../../../../extensions/proxy/engine-thread/client-programs/socket-owners.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

const UID = process.getuid?.() ?? 0;
const PROXY = 8_686;

const line = (port: number, inode: number, uid = UID): string =>
  `   0: 0100007F:${port.toString(16).toUpperCase()} 0100007F:${PROXY.toString(16).toUpperCase()} 01 ` +
  `00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 0 20 4 30 10 -1\n`;

const asked = (...ports: number[]) => ports.map((port) => ({ connection: port - 50_000, port, proxyPort: PROXY }));

/** A folder like /proc with these IPv4 and IPv6 sockets. */
function procIn(folder: string, tcp: string, tcp6 = "") {
  mkdirSync(join(folder, "net"));
  writeFileSync(join(folder, "net/tcp"), `head\n${tcp}`);
  writeFileSync(join(folder, "net/tcp6"), `head\n${tcp6}`);
  return (pid: number, comm: string, ...inodes: number[]): void => {
    mkdirSync(join(folder, `${pid}/fd`), { recursive: true });
    writeFileSync(join(folder, `${pid}/comm`), `${comm}\n`);
    writeFileSync(join(folder, `${pid}/cmdline`), `/usr/bin/${comm}\0--option\0`);
    symlinkSync(`/usr/bin/${comm}`, join(folder, `${pid}/exe`));
    symlinkSync("/dev/null", join(folder, `${pid}/fd/0`));
    symlinkSync("pipe:[9]", join(folder, `${pid}/fd/1`));
    for (const [place, inode] of inodes.entries())
      symlinkSync(`socket:[${inode}]`, join(folder, `${pid}/fd/${place + 3}`));
  };
}

describe("who has clients' sockets", (test) => {
  const skip = process.getuid === undefined ? "needs users as Unix has them" : null;

  test(
    "each connection is told its program, several at once, from both tables",
    () =>
      withFolder(async (folder) => {
        const add = procIn(
          folder,
          line(50_001, 11) + line(50_002, 12),
          line(50_003, 13).replaceAll("0100007F", "00000000000000000000000001000000"),
        );
        add(20, "curl", 11);
        add(3_000, "wget", 7, 12, 13);
        add(400, "idle");
        const found = await new SocketOwners(folder).programsOf(asked(50_001, 50_002, 50_003, 50_004));
        assert.equal(
          [...found].sort(([a], [b]) => a - b),
          [
            [1, "curl"],
            [2, "wget"],
            [3, "wget"],
          ],
        );
      }),
    { skip },
  );

  test(
    "another user's is not looked for, and what has ended is not known",
    () =>
      withFolder(async (folder) => {
        const add = procIn(folder, line(50_001, 11, UID + 1) + line(50_002, 12));
        add(20, "curl", 11);
        assert.equal([...(await new SocketOwners(folder).programsOf(asked(50_001, 50_002)))], []);
      }),
    { skip },
  );

  test(
    "nothing is asked of another user's process, even where it could be",
    () =>
      withFolder(async (folder) => {
        const add = procIn(folder, line(50_001, 11));
        add(20, "curl", 11);
        chownSync(join(folder, "20"), UID + 1, UID + 1);
        assert.equal([...(await new SocketOwners(folder).programsOf(asked(50_001)))], []);
      }),
    { skip: UID === 0 && skip === null ? null : "needs root, to give a folder away" },
  );

  test(
    "a process that had one before is looked at first, but only as long as it has it",
    () =>
      withFolder(async (folder) => {
        const add = procIn(folder, line(50_001, 11) + line(50_002, 12));
        const owners = new SocketOwners(folder);
        for (let pid = 100; pid < 110; pid += 1) add(pid, "idle");
        add(20, "browser", 11);
        assert.equal([...(await owners.programsOf(asked(50_001)))], [[1, "browser"]]);
        // Two processes hold the socket, as after a fork, and neither has just started.
        add(30, "later", 12);
        symlinkSync("socket:[12]", join(folder, "20/fd/9"));
        assert.equal([...(await owners.programsOf(asked(50_002)))], [[2, "browser"]]);
        assert.equal([...(await new SocketOwners(folder).programsOf(asked(50_002)))], [[2, "later"]]);
      }),
    { skip },
  );

  test(
    "given a program that has just started, looks it up first, also after the highest process id, and names it even if it exits meanwhile",
    () =>
      withFolder(async (folder) => {
        const add = procIn(folder, line(50_001, 11));
        writeFileSync(join(folder, "loadavg"), "0.00 0.00 0.00 1/100 25\n");
        for (let pid = 900; pid < 910; pid += 1) add(pid, "older", 11);
        add(25, "curl", 11);
        const found = new SocketOwners(folder).programsOf(asked(50_001));
        rmSync(join(folder, "25"), { recursive: true });
        assert.equal([...(await found)], [[1, "curl"]]);
      }),
    { skip },
  );

  test("where there is no such folder nothing is known", async () => {
    assert.equal([...(await new SocketOwners("/nowhere/at/all").programsOf(asked(50_001)))], []);
  });

  test(
    "our own is Weir, whatever runs it",
    () =>
      withFolder(async (folder) => {
        procIn(folder, line(50_001, 11))(process.pid, "node", 11);
        assert.equal([...(await new SocketOwners(folder).programsOf(asked(50_001)))], [[1, "Weir"]]);
      }),
    { skip },
  );
});
