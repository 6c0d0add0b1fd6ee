import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { EngineState, Notices } from "../../../../extensions/proxy/engine-thread/commands/engine-state.ts";
import type { ProxyState } from "../../../../src/engine/messages/status-messages.ts";
import { describe } from "../../../support/describe.ts";

const listening = (address: string, port: number): ProxyState => ({
  running: true,
  address,
  port,
  wantedPort: null,
  problem: null,
});

const stateOf = () => new EngineState({ notices: [], handoff: null } as never, {} as never);

/** The proxy of the environment that the window offers, given what the environment names. */
function offered(state: EngineState, named: string | null): string | null {
  const parts = { hub: { files: {} }, root: { certificate: {} }, experiments: { state: null } };
  return state.status({ ...parts, settings: { shown: {}, shownEnvironmentProxy: named } } as never).environmentProxy;
}

describe("engine state", (test) => {
  test("given a proxy of the environment, it is offered unless it is Weir itself", () => {
    const drawn = fc.record({
      host: fc.constantFrom("localhost", "127.0.0.1", "[::1]", "proxy.test", "10.1.2.3"),
      port: fc.integer({ min: 1, max: 65_535 }),
      isOurs: fc.boolean(),
    });
    fc.assert(
      fc.property(drawn, ({ host, port, isOurs }) => {
        const state = stateOf();
        state.proxy = listening("127.0.0.1", isOurs ? port : (port % 65_535) + 1);
        const isItself = isOurs && host !== "proxy.test" && host !== "10.1.2.3";
        const named = `http://${host}:${port}`;
        assert.is(offered(state, named), isItself ? null : named);
        assert.is(offered(state, null), null);
      }),
    );
  });

  test("given a proxy that other devices reach, a notice says so until it ends", () => {
    const state = stateOf();
    const ids = () => state.notices.all.map(({ id }) => id);
    state.proxy = listening("127.0.0.1", 8080);
    assert.equal(ids(), []);
    state.proxy = listening("0.0.0.0", 8080);
    assert.equal(ids(), ["lan"]);
    state.proxy = { ...listening("0.0.0.0", 8080), running: false };
    assert.equal(ids(), []);
  });

  test("given ports that cannot be opened, a notice names each until they are open", () => {
    const state = stateOf();
    state.localPorts = { reverse: [], transparent: [], problems: ["Port 1 is taken.", "Port 2 is taken."] };
    assert.equal(
      state.notices.all.map(({ text }) => text),
      ["Port 1 is taken. Port 2 is taken."],
    );
    state.localPorts = { reverse: [], transparent: [], problems: [] };
    assert.equal(state.notices.all, []);
  });
});

const textsOf = (notices: Notices): readonly string[] => notices.all.map(({ text }) => text);

describe("engine notices", (test) => {
  test("given a notice from the start, lists it first and the others in the order they arose", () => {
    const notices = new Notices([{ id: "found", severity: "error", text: "found at the start", advice: null }]);
    notices.set("disk", "the disk is full");
    notices.set("lan", "others can reach it");
    assert.equal(textsOf(notices), ["found at the start", "the disk is full", "others can reach it"]);
    assert.equal(
      notices.all.map(({ severity }) => severity),
      ["error", "warning", "warning"],
    );
  });

  test("given a new text for a notice, replaces it in place; given null, removes it", () => {
    const notices = new Notices([]);
    notices.set("disk", "1 exchange could not be kept");
    notices.set("lan", "others can reach it");
    notices.set("disk", "2 exchanges could not be kept");
    assert.equal(textsOf(notices), ["2 exchanges could not be kept", "others can reach it"]);
    notices.set("disk", null);
    notices.set("never there", null);
    assert.equal(textsOf(notices), ["others can reach it"]);
  });

  test("given a list of notices handed out earlier, does not change it", () => {
    const notices = new Notices([]);
    notices.set("disk", "the disk is full");
    const before = notices.all;
    notices.set("disk", null);
    assert.is(before.length, 1);
  });
});
