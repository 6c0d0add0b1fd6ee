import * as assert from "uvu/assert";
import { nativeMenu, OPEN_HUB, QUIT } from "../../../extensions/proxy/window/native-menu.ts";
import { intentOf, intentOfMenu } from "../../../src/ui/views/shell/ui-intents.ts";
import { describe } from "../../support/describe.ts";

const VIEWS = (["traffic", "performance", "timeline", "sessions", "settings"] as const).map((name) => ({ name }));

function entriesOf(platform: NodeJS.Platform) {
  return nativeMenu(platform).flatMap(({ menuItems = [] }) => menuItems.filter(({ text }) => text !== "-"));
}

describe("menu of the native window", (test) => {
  for (const platform of ["linux", "darwin", "win32"] as const) {
    test(`given ${platform}, every entry is executed by the engine, the page or the system`, () => {
      const dead = entriesOf(platform).filter(
        ({ id = "", action }) =>
          action === undefined && ![OPEN_HUB, QUIT].includes(id) && intentOfMenu(id, VIEWS) === null,
      );
      assert.equal(dead, []);
    });
  }

  test("given macOS, has the system's own actions such as copy and paste; given Linux, has none", () => {
    const actions = entriesOf("darwin").map(({ action }) => action);
    for (const action of ["cut:", "copy:", "paste:", "selectAll:", "undo:"])
      assert.ok(actions.includes(action), action);
    assert.equal(
      entriesOf("linux").filter(({ action }) => action !== undefined),
      [],
    );
  });

  test("given a shortcut that is only text, the page acts on its key", () => {
    const shortcuts = entriesOf("linux").flatMap(({ id, shortcut }) =>
      shortcut === undefined ? [] : [[id, shortcut]],
    );
    assert.equal(
      shortcuts.map(([id]) => id),
      [QUIT, "new-session", "import", "export"],
    );
    for (const [id, shortcut = ""] of shortcuts) {
      const press = { key: shortcut.replace("Ctrl+", "").toLowerCase(), ctrlKey: true } as KeyboardEvent;
      assert.is(intentOf(press, [], true)?.kind, id);
    }
  });

  test("given all entries, each has its own id", () => {
    const ids = entriesOf("darwin").map(({ id }) => id);
    assert.is(new Set(ids).size, ids.length);
  });
});
