import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Admission, OneUseCodes, oneUseCode } from "../../../../extensions/proxy/engine-thread/channel/admission.ts";
import { WindowKeys } from "../../../../extensions/proxy/storage/window-keys.ts";
import { drawnNonce, keyFrom, type PageKey, proofFor, ticketFrom } from "../../../../src/ui/channel/window-key.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

const ORIGIN = "http://127.0.0.1:8687";
const DAY = 24 * 60 * 60 * 1_000;

let starts = 0;

/** A start of Weir with this data folder. */
function started(folder: string, now = 1_000) {
  starts += 1;
  const ticket = `ticket-of-start-${starts}`;
  const keys = new WindowKeys(folder, (problem) => assert.is(problem, null));
  return { ticket, admission: new Admission({ ticket, keys, version: "1", now: () => now }) };
}

type Weir = ReturnType<typeof started>;

/** Everything that was sent, by both sides. */
const wire: string[] = [];

function say(next: (text: string) => { kind: string; reply?: string | null }, message: object) {
  const text = JSON.stringify(message);
  const result = next(text);
  wire.push(text, result.reply ?? "");
  return { kind: result.kind, reply: JSON.parse(result.reply ?? "null") };
}

/** A page that Weir opened with its ticket, and the key that both have derived. */
async function openedPage({ admission, ticket }: Weir, origin = ORIGIN): Promise<PageKey> {
  const { kind, reply } = say(admission.visitFrom(origin, origin === ORIGIN), { type: "hello", ticket, keyed: true });
  assert.is(kind, "admitted");
  return keyFrom(ticket, reply.salt, origin);
}

/**
 * What comes of a page's attempt to reconnect. `origin`: that of the connection; `own`: what the page takes for its.
 */
async function reconnected({ admission }: Weir, key: PageKey, origin = ORIGIN, own = origin) {
  const next = admission.visitFrom(origin, origin === ORIGIN);
  const pageNonce = drawnNonce();
  const challenge = say(next, { type: "hello", key: key.id, nonce: pageNonce });
  if (challenge.kind !== "asked") return { kind: challenge.kind, salt: "", proof: "" };
  const encounter = { origin: own, key: key.id, pageNonce, engineNonce: challenge.reply.nonce };
  const proof = await proofFor(key, encounter, challenge.reply.proof);
  if (proof === null) return { kind: "no proof", salt: "", proof: "" };
  const result = say(next, { type: "proof", proof });
  return { kind: result.kind, salt: result.reply?.salt ?? "", proof };
}

describe("page admission", (test) => {
  test("given a page of an earlier start, admits it, and then its ticket after a reload", () =>
    withFolder(async (folder) => {
      const first = started(folder);
      const key = await openedPage(first);
      const second = started(folder);
      const { kind, salt } = await reconnected(second, key);
      assert.is(kind, "admitted");
      const hello = (ticket: string) => say(second.admission.visitFrom(ORIGIN, true), { type: "hello", ticket }).kind;
      assert.is(hello(await ticketFrom(key, salt)), "admitted");
      assert.is(hello(first.ticket), "refused", "the earlier start's ticket is over");
      const third = started(folder);
      assert.is((await reconnected(third, key)).kind, "admitted", "the key outlives that start too");
      assert.is(
        say(third.admission.visitFrom(ORIGIN, true), { type: "hello", ticket: await ticketFrom(key, salt) }).kind,
        "refused",
      );
    }));

  test("given the ticket that a page keeps for its reload, admits it in this start, and no key is derived from it", () =>
    withFolder(async (folder) => {
      const weir = started(folder);
      const next = weir.admission.visitFrom(ORIGIN, true);
      const { salt } = say(next, { type: "hello", ticket: weir.ticket, keyed: true }).reply;
      const key = await keyFrom(weir.ticket, salt, ORIGIN);
      const kept = await ticketFrom(key, salt);
      assert.is(say(weir.admission.visitFrom(ORIGIN, true), { type: "hello", ticket: kept }).kind, "admitted");
      const later = started(folder);
      const forged = await keyFrom(kept, salt, ORIGIN);
      assert.is((await reconnected(later, { ...forged, id: key.id })).kind, "no proof");
      assert.is(say(later.admission.visitFrom(ORIGIN, true), { type: "hello", ticket: kept }).kind, "refused");
    }));

  test("given a key, sends it over no connection, and stores it where only the user can read", () =>
    withFolder(async (folder) => {
      const key = await openedPage(started(folder));
      await reconnected(started(folder), key);
      assert.ok(wire.length > 0 && !wire.some((text) => text.includes(key.secret)));
      const file = join(folder, "window-keys.json");
      assert.ok(readFileSync(file, "utf8").includes(key.secret));
      if (process.platform !== "win32") assert.is(statSync(file).mode & 0o777, 0o600);
    }));

  test("given two users' Weirs at one address, one refuses the other's page", () =>
    withFolder(async (folder) => {
      const [mine, theirs] = ["mine", "theirs"].map((name) => {
        mkdirSync(join(folder, name));
        return started(join(folder, name));
      }) as [Weir, Weir];
      const key = await openedPage(theirs);
      await openedPage(mine);
      assert.is((await reconnected(mine, key)).kind, "refused");
      assert.is(say(mine.admission.visitFrom(ORIGIN, true), { type: "hello", ticket: theirs.ticket }).kind, "refused");
    }));

  test("given a key of another origin, refuses it", () =>
    withFolder(async (folder) => {
      const weir = started(folder);
      const key = await openedPage(weir);
      for (const origin of [
        "http://127.0.0.1:8688",
        "http://localhost:8687",
        "http://[::1]:8687",
        "https://127.0.0.1:8687",
        "http://evil.test",
        "null",
      ])
        assert.is((await reconnected(weir, key, origin)).kind, "refused", origin);
    }));

  test("given a program that relays a challenge to a page at its own port, gets no proof from the page", () =>
    withFolder(async (folder) => {
      const weir = started(folder);
      const key = await openedPage(weir);
      // The program forges the Origin towards Weir; the page computes with where it really is.
      assert.is((await reconnected(weir, key, ORIGIN, "http://127.0.0.1:9999")).kind, "no proof");
    }));

  test("given a program that does not know the key, gets no proof from the page", () =>
    fc.assert(
      fc.asyncProperty(fc.base64String({ maxLength: 60 }), async (proof) => {
        const key = { id: "id", secret: "secret" };
        const encounter = { origin: ORIGIN, key: "id", pageNonce: drawnNonce(), engineNonce: drawnNonce() };
        assert.is(await proofFor(key, encounter, proof), null);
      }),
    ));

  test("given a proof that was seen before, refuses it", () =>
    withFolder(async (folder) => {
      const weir = started(folder);
      const key = await openedPage(weir);
      const { proof } = await reconnected(weir, key);
      for (const one of [weir, started(folder)]) {
        const next = one.admission.visitFrom(ORIGIN, true);
        assert.is(say(next, { type: "hello", key: key.id, nonce: drawnNonce() }).kind, "asked");
        assert.is(say(next, { type: "proof", proof }).kind, "refused");
      }
    }));

  test("given a wrong proof, ends its challenge, so that a second guess counts for nothing", () =>
    withFolder(async (folder) => {
      const weir = started(folder);
      const key = await openedPage(weir);
      const next = weir.admission.visitFrom(ORIGIN, true);
      const pageNonce = drawnNonce();
      const { reply } = say(next, { type: "hello", key: key.id, nonce: pageNonce });
      const encounter = { origin: ORIGIN, key: key.id, pageNonce, engineNonce: reply.nonce };
      const right = await proofFor(key, encounter, reply.proof);
      // The engine's own proof, sent back, proves nothing either.
      assert.is(say(next, { type: "proof", proof: reply.proof }).kind, "refused");
      assert.is(say(next, { type: "proof", proof: right }).kind, "refused");
    }));

  test("given any other messages, refuses them", () =>
    withFolder(async (folder) => {
      const weir = started(folder);
      const key = await openedPage(weir);
      const value = fc.oneof(fc.constant(key.id), fc.constant(weir.ticket.slice(1)), fc.string(), fc.constant(null));
      const message = fc.record(
        { type: fc.constantFrom("hello", "proof", "key"), ticket: value, key: value, nonce: value, proof: value },
        { requiredKeys: ["type"] },
      );
      fc.assert(
        fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), (messages) => {
          const next = weir.admission.visitFrom(ORIGIN, true);
          for (const one of messages) assert.is.not(next(JSON.stringify(one)).kind, "admitted");
          assert.is(weir.admission.visitFrom(ORIGIN, true)("not json").kind, "refused");
        }),
      );
    }));

  test("given a key that was unused for a week, or whose file is gone, refuses it", () =>
    withFolder(async (folder) => {
      const key = await openedPage(started(folder, 0));
      assert.is((await reconnected(started(folder, 6 * DAY), key)).kind, "admitted");
      assert.is((await reconnected(started(folder, 12 * DAY), key)).kind, "admitted", "the use counts");
      assert.is((await reconnected(started(folder, 19 * DAY), key)).kind, "refused");
      const other = await openedPage(started(folder, 19 * DAY));
      rmSync(join(folder, "window-keys.json"));
      assert.is((await reconnected(started(folder, 19 * DAY), other)).kind, "refused");
    }));

  test("given a page at a name instead of the numeric address, keeps its key for this start alone", () =>
    withFolder(async (folder) => {
      for (const origin of ["http://localhost:8687", "https://box.example"]) {
        const weir = started(folder);
        const key = await openedPage(weir, origin);
        assert.is((await reconnected(weir, key, origin)).kind, "admitted");
        assert.is((await reconnected(started(folder), key, origin)).kind, "refused", origin);
      }
    }));

  test("given more pages than it keeps, forgets the one unused for longest", () =>
    withFolder(async (folder) => {
      const first = await openedPage(started(folder, 1));
      const weir = started(folder, 2);
      const others = await Promise.all(Array.from({ length: 32 }, () => openedPage(weir)));
      assert.is((await reconnected(weir, first)).kind, "refused");
      for (const key of others) assert.is((await reconnected(weir, key)).kind, "admitted");
    }));

  test("given a stored key, refuses it where its origin is no longer the server's own, such as a forwarded port", () =>
    withFolder(async (folder) => {
      const key = await openedPage(started(folder));
      const next = started(folder).admission.visitFrom(ORIGIN, false);
      assert.is(say(next, { type: "hello", key: key.id, nonce: drawnNonce() }).kind, "refused");
    }));
});

const NOW = 1_800_000_000_000;

describe("one-time codes", (test) => {
  test("given a code, it is good once within 60 s, for its own ticket", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(120_000), (ticket, later) => {
        const code = oneUseCode(ticket, NOW);
        assert.match(code, /^[\w-]+$/, "fits into the address's fragment");
        assert.is(new OneUseCodes(`${ticket}x`).use(code, NOW), false);
        const codes = new OneUseCodes(ticket);
        assert.is(codes.use(code, NOW + later), later <= 60_000);
        assert.is(codes.use(code, NOW + later), false);
        assert.is(codes.use(oneUseCode(ticket, NOW + later), NOW + later), true, "another code of the ticket");
      }),
    );
  });

  test("given a code with another end, or any other text, it is refused", () => {
    const codes = new OneUseCodes("t");
    const code = oneUseCode("t", NOW);
    const longer = code.replace(String(NOW + 60_000), String(NOW + 90_000));
    assert.is.not(longer, code);
    for (const text of [longer, `${code}A`, "", "open", "t"]) assert.is(codes.use(text, NOW + 70_000), false, text);
    fc.assert(fc.property(fc.string(), (text) => assert.is(codes.use(text, NOW), false)));
  });
});
