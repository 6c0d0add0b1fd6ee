import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { LocalClient } from "../../../../extensions/proxy/data-thread/network/network-options.ts";
import {
  ProgramSearch,
  programNameOf,
  SocketOwners,
  socketsIn,
} from "../../../../extensions/proxy/engine-thread/client-programs/socket-owners.ts";
import type { ClientNamed } from "../../../../src/engine/capture/event.ts";
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
    for (const [index, inode] of inodes.entries())
      symlinkSync(`socket:[${inode}]`, join(folder, `${pid}/fd/${index + 3}`));
  };
}

describe("owners of client sockets", (test) => {
  const skip = process.getuid === undefined ? "needs users as Unix has them" : null;

  test(
    "given several connections in both tables, names the program of each",
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
    "given another user's socket or one without a process, names no program",
    () =>
      withFolder(async (folder) => {
        const add = procIn(folder, line(50_001, 11, UID + 1) + line(50_002, 12));
        add(20, "curl", 11);
        assert.equal([...(await new SocketOwners(folder).programsOf(asked(50_001, 50_002)))], []);
      }),
    { skip },
  );

  test(
    "given a process of another user, does not look into it, even as root",
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
    "given a process that had a client's socket before, looks into that process first",
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

  test("given a missing folder, names no program", async () => {
    assert.equal([...(await new SocketOwners("/nowhere/at/all").programsOf(asked(50_001)))], []);
  });

  test(
    "given a socket of our own process, names Weir",
    () =>
      withFolder(async (folder) => {
        procIn(folder, line(50_001, 11))(process.pid, "node", 11);
        assert.equal([...(await new SocketOwners(folder).programsOf(asked(50_001)))], [[1, "Weir"]]);
      }),
    { skip },
  );
});

/*
 * Real lines: curl over IPv4 (inode 700001), a proxy's own end of it, a closed socket, another user's, and one to
 * another address.
 */
const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     
   0: 0100007F:21EE 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 605532 1 00000000e67a8d66 100 0 0 10 0                    
   1: 0100007F:C350 0100007F:21EE 01 00000000:00000000 00:00000000 00000000  1000        0 700001 1 000000002a63854f 20 4 30 10 -1                   
   2: 0100007F:21EE 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 700002 1 00000000dd5b7773 20 4 30 10 -1                   
   3: 0100007F:C351 0100007F:21EE 06 00000000:00000000 03:00001770 00000000     0        0 0 3 00000000b5dd7773                                       
   4: 0100007F:C352 0100007F:21EE 01 00000000:00000000 00:00000000 00000000  1001        0 700004 1 00000000b5dd7774 20 4 30 10 -1                   
   5: 0501A8C0:C353 0701A8C0:21EE 01 00000000:00000000 00:00000000 00000000  1000        0 700005 1 00000000b5dd7775 20 4 30 10 -1                   
1234: 0200007F:C354 0100007F:21EE 08 00000000:00000001 00:00000000 00000000  1000        0 700006 1 00000000b5dd7776 20 4 30 10 -1                   
`;

/* ::1, an IPv4-mapped address as Java uses, and a client on another machine. */
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:C350 00000000000000000000000001000000:21EE 01 00000000:00000000 00:00000000 00000000  1000        0 800001 1 00000000e67a8d66 20 4 30 10 -1
   1: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000100007F:21EE 01 00000000:00000000 02:000004A0 00000000  1000        0 800002 2 00000000e67a8d67 20 4 30 10 -1
   2: B80D0120000000000000000001000000:C352 B80D0120000000000000000002000000:21EE 01 00000000:00000000 00:00000000 00000000  1000        0 800003 1 00000000e67a8d68 20 4 30 10 -1
`;

/** From ports 50000 (C350) on, as connections 1, 2 … */
const clients = [0, 1, 2, 3, 4].map((number) => ({ connection: number + 1, port: 50_000 + number, proxyPort: 0x21ee }));

const hex = (value: number, length: number): string => value.toString(16).toUpperCase().padStart(length, "0");

describe("client sockets in /proc/net/tcp", (test) => {
  test("given the system's tables, finds only this user's open sockets from this machine to the proxy", () => {
    assert.equal(
      [...socketsIn(TCP, clients, 1000)],
      [
        [1, 700001],
        [2, null],
        [3, null],
        [5, 700006],
      ],
    );
    assert.equal(
      [...socketsIn(TCP6, clients, 1000)],
      [
        [1, 800001],
        [2, 800002],
      ],
    );
  });

  test("given a user, returns only sockets of that user", () => {
    const mine = [...socketsIn(TCP, clients, 1001)].filter(([, inode]) => inode !== null);
    assert.equal(mine, [[3, 700004]]);
  });

  test("given another port or an unreadable table, returns nothing", () => {
    assert.equal([...socketsIn(TCP, [{ connection: 1, port: 50_000, proxyPort: 8_080 }], 1000)], []);
    assert.equal([...socketsIn(TCP, [], 1000)], []);
    for (const text of ["", "no table", TCP.slice(0, 200), TCP.replaceAll(" ", "")])
      assert.equal([...socketsIn(text, clients, 1000)], []);
  });

  test("given any table, finds each wanted socket in it", () => {
    const port = fc.integer({ min: 1, max: 65_535 });
    const pairs = fc.uniqueArray(fc.record({ port, proxyPort: port }), {
      selector: (pair) => `${pair.port} ${pair.proxyPort}`,
      maxLength: 30,
    });
    fc.assert(
      fc.property(pairs, fc.nat(), (all, some) => {
        const lines = all.map(
          (pair, index) =>
            `${String(index).padStart(4)}: 0100007F:${hex(pair.port, 4)} 0100007F:${hex(pair.proxyPort, 4)} 01 ` +
            `00000000:00000000 00:00000000 00000000  1000        0 ${index + 1} 1 0000000000000000 20 4 30 10 -1`,
        );
        const wanted = all.flatMap((pair, index) =>
          (some >> (index % 30)) & 1 ? [{ ...pair, connection: index }] : [],
        );
        const found = new Map(wanted.map(({ connection }) => [connection, connection + 1]));
        assert.equal(new Map(socketsIn(`head\n${lines.join("\n")}\n`, wanted, 1000)), found);
      }),
    );
  });
});

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

describe("process name", (test) => {
  test("given a running executable or script, returns the name of what was started, whatever its comm", () => {
    for (const [name, comm, argv, exe] of TABLE) {
      const cmdline = argv.map((word) => `${word}\0`).join("");
      assert.is(programNameOf({ comm: comm === "" ? "" : `${comm}\n`, cmdline, exe }), name, comm);
    }
  });
});

const client = (connection: number): LocalClient => ({ connection, port: 50_000 + connection, proxyPort: 8_686 });

/** Scans that take this many ms each and find every even connection, with a clock set by the test. */
function searching(length: number) {
  const looks: number[][] = [];
  const found: ClientNamed[] = [];
  const time = { now: 0, used: 0 };
  let between = (): void => {};
  const search = new ProgramSearch({
    now: () => time.now,
    used: () => time.used,
    onFound: (named) => found.push(...named),
    find: async (clients) => {
      looks.push(clients.map(({ connection }) => connection));
      // Another process had the CPU for half as long again.
      time.now += 1.5 * length;
      time.used += length;
      between();
      return new Map(clients.flatMap(({ connection }) => (connection % 2 === 0 ? [[connection, "curl"]] : [])));
    },
  });
  return {
    search,
    looks,
    found,
    time,
    /** Runs `body` during each scan. */
    during: (body: () => void) => {
      between = body;
    },
  };
}

describe("search for client programs", (test) => {
  test("given clients that wait together, looks once for all of them", async () => {
    const { search, looks, found } = searching(1);
    for (const connection of [1, 2, 3]) search.add(client(connection));
    await search.look();
    await search.look();
    assert.equal(looks, [[1, 2, 3]]);
    assert.equal(found, [{ type: "client-named", connection: 2, program: "curl" }]);
  });

  test("given a client that arrives during a look, looks for it right afterwards", async () => {
    const stage = searching(1);
    stage.during(() => {
      if (stage.looks.length > 1) return;
      stage.search.add(client(2));
      void stage.search.look();
    });
    stage.search.add(client(1));
    await stage.search.look();
    assert.equal(stage.looks, [[1], [2]]);
  });

  test("given clients that come one by one after a quiet minute, looks for each while it is there", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 59 }), async (pauses) => {
        const { search, looks, time } = searching(10);
        for (const [connection, pause] of pauses.entries()) {
          time.now += pause;
          search.add(client(connection));
          await search.look();
        }
        assert.equal(
          looks,
          pauses.map((_, connection) => [connection]),
        );
      }),
    );
  });

  test("given a steady stream of clients, spends 1 % of the time on looks", async () => {
    const { search, looks, time } = searching(10);
    for (let connection = 0; time.now < 12_000_000; connection += 1) {
      search.add(client(connection));
      await search.look();
      time.now += 50;
    }
    const share = (10 * looks.length) / time.now;
    assert.ok(share > 0.009 && share < 0.0102, String(share));
  });

  test("given 1,500 waiting clients, looks only for the latest 1,000", async () => {
    const { search, looks } = searching(1);
    for (let connection = 0; connection < 1_500; connection += 1) search.add(client(connection));
    await search.look();
    assert.equal([looks[0]?.length, looks[0]?.[0], looks[0]?.at(-1)], [1_000, 500, 1_499]);
  });
});
