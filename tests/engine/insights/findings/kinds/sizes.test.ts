import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type Asked, Scene, times } from "../../../../support/scene.ts";

const asked = (count: number, sketch: (index: number) => Partial<Asked>) => {
  const scene = new Scene();
  for (const index of times(count))
    scene.ask({ at: index * 9_000 + (index % 3) * 1_000, target: `/a?n=${index}`, ...sketch(index) });
  return scene;
};
const OFFERED = { "accept-encoding": "gzip, br" };

describe("uncompressed-responses", (test) => {
  const plain = { bytes: 100_000, compressed: 20_000, transfer: 200, request: OFFERED };

  test("given text without a coding, measured savings are the bytes and their share of the transfer the time", () => {
    const finding = asked(10, () => plain).only();
    assert.is(finding.kind, "uncompressed-responses");
    assert.is(finding.bytes, 800_000);
    assert.is(Math.round(finding.time ?? 0), 10 * 160);
  });

  test("given bodies that fit into one packet, nothing is said however many they are", () => {
    assert.equal(asked(400, () => ({ ...plain, bytes: 1_300, compressed: 300, transfer: 1 })).kinds(), []);
    assert.equal(asked(400, () => ({ ...plain, bytes: 1_400, compressed: 300, transfer: 1 })).kinds(), [
      "uncompressed-responses",
    ]);
  });

  test("given clients that offer no coding, small bodies or unknown savings, nothing is said", () => {
    const cases: readonly Partial<Asked>[] = [
      { ...plain, request: {} },
      { ...plain, request: { "accept-encoding": "identity, gzip;q=0" } },
      { ...plain, bytes: 1_300, compressed: 300, transfer: 1 },
      { bytes: 100_000, transfer: 30, request: OFFERED },
    ];
    for (const sketch of cases)
      assert.not.ok(
        asked(10, () => sketch)
          .kinds()
          .includes("uncompressed-responses"),
      );
  });
});

describe("large-responses", (test) => {
  test("given large bodies whose transfer dominates, the transfer is the cost", () => {
    const finding = asked(8, () => ({ bytes: 900_000, transfer: 300 })).only();
    assert.is(finding.kind, "large-responses");
    assert.is(finding.time, 8 * 300);
  });

  test("given a body of less than 500 KB whose transfer dominates, it is large where it came at the usual rate", () => {
    const scene = new Scene();
    for (const index of times(20)) scene.ask({ at: index * 4_000, target: `/b${index}`, bytes: 40_000, transfer: 80 });
    scene.ask({ at: 90_000, target: "/hero", bytes: 400_000, transfer: 820 });
    const finding = scene.only();
    assert.equal([finding.kind, finding.count, finding.endpoint?.path], ["large-responses", 1, "/hero"]);
    assert.match(finding.summary, /returned 1 large response \(391 KB\); the transfer took 820 ms/);
  });

  test("given some far above the usual, these alone are named", () => {
    const finding = asked(30, (index) =>
      index % 6 === 0 ? { bytes: 200_000, transfer: 150 } : { bytes: 20_000, transfer: 15 },
    ).only();
    assert.is(finding.kind, "large-responses");
    assert.is(finding.count, 5);
  });

  test("given large bodies of which some wait longer for the server, these are not counted", () => {
    const finding = asked(16, (index) => ({
      bytes: 900_000,
      ...(index % 2 === 0 ? { transfer: 300 } : { transfer: 200, server: 260 }),
    }));
    assert.is(finding.report().findings.find(({ kind }) => kind === "large-responses")?.count, 8);
  });

  test("given bodies of the same size that come in half the time, the size is not the cause", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60_000, max: 900_000 }),
        fc.double({ min: 3, max: 8, noNaN: true }),
        (bytes, slower) => {
          const scene = asked(40, (index) => ({
            bytes: bytes + (index % 5) * 1_000,
            target: `/export?plan=${index % 4 === 0 ? "free" : "paid"}`,
            path: "/export",
            server: 150,
            transfer: index % 4 === 0 ? 120 * slower : 120,
          }));
          const kinds = scene.kinds();
          assert.ok(kinds.includes("slow-when"), kinds.join());
          assert.not.ok(kinds.includes("large-responses"), kinds.join());
        },
      ),
      { numRuns: rounds(30) },
    );
  });

  test("given films, downloads, ranges, or a server that takes longer, nothing is said", () => {
    const large = { bytes: 900_000, transfer: 300 };
    const cases: readonly Partial<Asked>[] = [
      { ...large, type: "video/mp4" },
      { ...large, response: { "content-disposition": 'attachment; filename="a.zip"' } },
      { ...large, type: "application/zip" },
      { ...large, type: "application/octet-stream" },
      { ...large, status: 206, request: { range: "bytes=0-" } },
      { ...large, transfer: 60, server: 100 },
    ];
    for (const sketch of cases) assert.equal(asked(8, () => sketch).kinds(), []);
  });

  test("given text that could be compressed, that is the one cause", () => {
    const finding = asked(8, () => ({ bytes: 900_000, compressed: 90_000, transfer: 300, request: OFFERED })).only();
    assert.is(finding.kind, "uncompressed-responses");
  });
});

describe("large-requests", (test) => {
  test("given uploads that dominate, their time is the cost, at the endpoint", () => {
    const finding = asked(8, () => ({ method: "POST", sentBytes: 600_000, upload: 400 })).only();
    assert.is(finding.kind, "large-requests");
    assert.is(finding.time, 8 * 400);
    assert.is(finding.endpoint?.path, "/a");
  });

  test("given large cookies with every request, client and origin are named, and the header", () => {
    const finding = asked(60, () => ({ request: { cookie: "c".repeat(6_000), accept: "*/*" } })).only();
    assert.is(finding.kind, "large-requests");
    assert.equal([finding.endpoint, finding.origin, finding.client], [null, "https://api.test", "10.0.0.1 test/1.0"]);
    assert.match(finding.advice, /cookie/);
    assert.is(finding.bytes, 60 * (6_000 + 6 + 4 + 6 + 3 + 4));
  });

  test("given a client that only uploads, each file to a place of its own, nothing is said: that is its work", () => {
    const backup = (index: number) => ({
      method: "PUT",
      target: `/files/${index}`,
      path: "/files/{id}",
      sentBytes: 200_000 + 20_000 * index,
      upload: 200 + 20 * index,
    });
    assert.equal(asked(30, backup).kinds(), []);
    const again = asked(30, (index) => ({ ...backup(index), target: `/files/${index % 15}` }));
    assert.equal(again.kinds(), ["large-requests"], "files that it sends again");
    const among = asked(30, (index) => (index % 3 === 0 ? { target: `/list?page=${index}` } : backup(index)));
    assert.equal(among.kinds(), ["large-requests"], "uploads among other requests");
  });

  test("given small bodies, or large headers now and then, nothing is said", () => {
    assert.equal(asked(30, () => ({ method: "POST", sentBytes: 900, upload: 60 })).kinds(), []);
    assert.equal(asked(60, (index) => ({ request: { cookie: "c".repeat(index % 3 === 0 ? 6_000 : 10) } })).kinds(), []);
  });
});
