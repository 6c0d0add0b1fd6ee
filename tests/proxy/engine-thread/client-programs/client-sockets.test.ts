import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { socketsIn } from "../../../../extensions/proxy/engine-thread/client-programs/client-sockets.ts";
import { describe } from "../../../support/describe.ts";

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

describe("clients' sockets in the system's tables", (test) => {
  test("are the client's own end, open, of this user, from this machine to the proxy", () => {
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

  test("are told to their user alone", () => {
    const mine = [...socketsIn(TCP, clients, 1001)].filter(([, inode]) => inode !== null);
    assert.equal(mine, [[3, 700004]]);
  });

  test("are nobody's where another port, or nothing that can be read, is told", () => {
    assert.equal([...socketsIn(TCP, [{ connection: 1, port: 50_000, proxyPort: 8_080 }], 1000)], []);
    assert.equal([...socketsIn(TCP, [], 1000)], []);
    for (const text of ["", "no table", TCP.slice(0, 200), TCP.replaceAll(" ", "")])
      assert.equal([...socketsIn(text, clients, 1000)], []);
  });

  test("each is found among any others", () => {
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
