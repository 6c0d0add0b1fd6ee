import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { dnsQuery, type Found } from "../../../../../extensions/proxy/data-thread/network/dns/dns-query.ts";
import { LookupError } from "../../../../../extensions/proxy/data-thread/network/dns/lookup-error.ts";
import { resolvConfOf } from "../../../../../extensions/proxy/data-thread/network/dns/resolv-conf.ts";
import { describe } from "../../../../support/describe.ts";
import { addressBook, type DnsReply, type FakeDns, fakeDns, type RCODES } from "../../../../support/fake-dns.ts";
import { rounds } from "../../../../support/rounds.ts";

type Reply = Parameters<typeof fakeDns>[0];

/** Queries as with this resolv.conf, which needs no server if all are at `address`. */
function query(server: FakeDns, name: string, text = "", signal = new AbortController().signal): Promise<Found> {
  const conf = resolvConfOf(`nameserver 127.0.0.1\n${text}`, "here");
  if (conf === null) throw new Error("the test's resolv.conf is ours");
  return dnsQuery(name, conf, { signal, port: server.port, first: 0 });
}

const addressesOf = ({ addresses }: Found): readonly string[] => addresses.map(({ address }) => address);

/** The addresses of both families, whichever answered first. */
const allOf = async ({ addresses, later }: Found): Promise<ReadonlySet<string>> =>
  new Set([...addresses, ...((await later) ?? [])].map(({ address }) => address));

const codeOf = (error: unknown): string => (error instanceof LookupError ? error.code : String(error));

async function withDns(reply: Reply, body: (server: FakeDns) => Promise<unknown>): Promise<void> {
  const server = await fakeDns(reply);
  try {
    await body(server);
  } finally {
    server.close();
  }
}

/** Both at one port. */
async function withTwo(replies: readonly [Reply, Reply], body: (first: FakeDns, second: FakeDns) => Promise<unknown>) {
  await withDns(replies[0], async (first) => {
    const second = await fakeDns(replies[1], { address: "127.0.0.2", port: first.port });
    await body(first, second).finally(() => second.close());
  });
}

const TWO = "nameserver 127.0.0.2\noptions attempts:1 timeout:1\n";
const twoOnly = process.platform === "linux" ? null : "needs all of 127.0.0.0/8";
const one: Reply = addressBook({ "a.example": ["192.0.2.1", "2001:db8::1"] });
const failing = (rcode: keyof typeof RCODES) => (): DnsReply => ({ rcode });

describe("DNS query", (test) => {
  test("given addresses of both families, finds all", () => {
    const four = fc.uniqueArray(fc.ipV4(), { minLength: 1, maxLength: 20 });
    const six = fc.uniqueArray(
      fc.integer({ min: 1, max: 0xffff }).map((last) => `2001:db8::${last.toString(16)}`),
      { maxLength: 20 },
    );
    let book: Record<string, readonly string[]> = {};
    return withDns(
      (question) => addressBook(book)(question),
      (server) =>
        fc.assert(
          fc.asyncProperty(
            four,
            six,
            fc.constantFrom("a.example", "_x.a_b.example", "a.example."),
            async (v4, v6, name) => {
              book = { [name.replace(/\.$/, "")]: [...v4, ...v6] };
              assert.equal(await allOf(await query(server, name)), new Set([...v4, ...v6]));
            },
          ),
          { numRuns: rounds(30) },
        ),
    );
  });

  test("given a chain of other names, finds the address at its end", () =>
    withDns(
      ({ name, family }) => ({
        records: [
          { name, cname: "b.example" },
          { name: "b.example", cname: "c.other" },
          { name: "c.other", address: family === 4 ? "192.0.2.1" : "2001:db8::1" },
        ],
      }),
      async (server) =>
        assert.equal(await allOf(await query(server, "a.example")), new Set(["192.0.2.1", "2001:db8::1"])),
    ));

  test("given a truncated answer, asks again by TCP", () => {
    const many = Array.from({ length: 200 }, (_, index) => `192.0.2.${index}`);
    return withDns(
      (question) => ({ ...addressBook({ "a.example": many })(question), truncated: question.family === 4 }),
      async (server) => {
        assert.equal(await allOf(await query(server, "a.example")), new Set(many));
        assert.ok(server.questions.some(({ overTcp }) => overTcp));
      },
    );
  });

  test("given an answer without addresses, or no such name, rejects as an unknown name", () =>
    withDns(addressBook({ "empty.example": [] }), async (server) => {
      assert.is(await query(server, "empty.example").catch(codeOf), "ENOTFOUND");
      assert.is(await query(server, "none.example").catch(codeOf), "ENOTFOUND");
      const asked = server.questions.length;
      for (const name of ["a..b", "-a.example", "a/b.example", "a b", `${"x".repeat(64)}.example`])
        assert.is(await query(server, name).catch(codeOf), "ENOTFOUND");
      assert.is(server.questions.length, asked);
    }));

  for (const [rcode, code] of [
    ["serverFailure", "EAI_AGAIN"],
    ["refused", "EAI_AGAIN"],
    ["notImplemented", "EAI_AGAIN"],
    ["formatError", "ENOTFOUND"],
  ] as const)
    test(`given the answer ${rcode}, rejects with ${code}`, () =>
      withDns(failing(rcode), async (server) => {
        assert.is(await query(server, "a.example").catch(codeOf), code);
        // glibc asks again, unless the server did not understand the question.
        assert.is(server.questions.length, code === "EAI_AGAIN" ? 4 : 2);
      }));

  test("given a port where nothing listens, rejects with EAI_AGAIN", async () => {
    const server = await fakeDns(one);
    server.close();
    assert.is(await query(server, "a.example").catch(codeOf), "EAI_AGAIN");
  });

  for (const [title, first] of [
    ["fails", failing("serverFailure")],
    ["refuses", failing("refused")],
    ["is silent", () => null],
  ] as const)
    test(
      `given a first server that ${title}, asks the second one`,
      () =>
        withTwo([first, one], async (server) => {
          assert.equal(await allOf(await query(server, "a.example", TWO)), new Set(["192.0.2.1", "2001:db8::1"]));
        }),
      { skip: twoOnly },
    );

  test(
    "given a first server that does not know the name, asks no other one",
    () =>
      withTwo([addressBook({}), one], async (server, second) => {
        assert.is(await query(server, "a.example", TWO).catch(codeOf), "ENOTFOUND");
        assert.is(second.questions.length, 0);
      }),
    { skip: twoOnly },
  );

  test("given one family that fails, finds the other one's addresses", () =>
    withDns(
      (question) => (question.family === 6 ? { rcode: "serverFailure" } : one(question)),
      async (server) =>
        assert.equal(addressesOf(await query(server, "a.example", "options attempts:1")), ["192.0.2.1"]),
    ));

  for (const silent of [4, 6] as const)
    test(`given silence for IPv${silent}, finds the other family, and that one once it is known`, () => {
      let isSilent = true;
      return withDns(
        (question) => (question.family === silent && isSilent ? null : one(question)),
        async (server) => {
          const found = await query(server, "a.example", "options timeout:1 attempts:2");
          assert.equal(addressesOf(found), [silent === 6 ? "192.0.2.1" : "2001:db8::1"]);
          isSilent = false;
          const later = await found.later;
          assert.equal(
            later?.map(({ address }) => address),
            [silent === 6 ? "2001:db8::1" : "192.0.2.1"],
          );
        },
      );
    });

  test("given no-aaaa, asks for IPv4 alone", () =>
    withDns(one, async (server) => {
      const found = await query(server, "a.example", "options no-aaaa");
      assert.equal(addressesOf(found), ["192.0.2.1"]);
      assert.is(found.later, null);
      assert.ok(server.questions.every(({ family }) => family === 4));
    }));

  test("given an aborted signal, ends at once", () =>
    withDns(
      () => null,
      async (server) => {
        const controller = new AbortController();
        const ended = query(server, "silent.example", "search a.test b.test\noptions ndots:5", controller.signal).catch(
          codeOf,
        );
        await server.asked(2);
        controller.abort(new Error("enough"));
        assert.is(await ended, "EAI_AGAIN");
        assert.is(server.questions.length, 2);
      },
    ));

  /** The names that glibc asks for, in its order (res_nsearch in resolv/res_query.c). */
  for (const [name, text, expected] of [
    ["a", "", ["a"]],
    ["a", "search x.test y.test", ["a.x.test", "a.y.test", "a"]],
    ["a.b", "search x.test", ["a.b", "a.b.x.test"]],
    ["a.b", "search x.test\noptions ndots:2", ["a.b.x.test", "a.b"]],
    ["a.", "search x.test", ["a"]],
    ["a.b.", "search x.test\noptions ndots:5", ["a.b"]],
    ["a", "search x.test .", ["a.x.test", "a"]],
    ["a", "domain x.test", ["a.x.test", "a"]],
    ["a", "options ndots:0\nsearch x.test", ["a", "a.x.test"]],
  ] as const)
    test(`given ${name} and ${JSON.stringify(text)}, asks for ${expected.join(", ")}`, () =>
      withDns(addressBook({}), async (server) => {
        assert.is(await query(server, name, text).catch(codeOf), "ENOTFOUND");
        assert.equal([...new Set(server.questions.map((question) => question.name))], expected);
      }));

  test("given a searched name that exists, asks for no further one", () =>
    withDns(addressBook({ "a.y.test": ["192.0.2.7"], a: ["192.0.2.8"] }), async (server) => {
      assert.equal(addressesOf(await query(server, "a", "search x.test y.test z.test")), ["192.0.2.7"]);
      assert.not(server.questions.some((question) => question.name === "a.z.test"));
    }));

  test("given a server that fails for searched names, reports that, and not an unknown name", () =>
    withDns(
      ({ name }) => ({ rcode: name === "a.x.test" ? "serverFailure" : "noName" }),
      async (server) =>
        assert.is(await query(server, "a", "search x.test\noptions attempts:1").catch(codeOf), "EAI_AGAIN"),
    ));
});
