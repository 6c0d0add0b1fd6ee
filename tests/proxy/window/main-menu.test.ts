import * as assert from "uvu/assert";
import { mainMenu, OPEN_HUB } from "../../../extensions/proxy/window/main-menu.ts";
import { intentOfMenu } from "../../../src/ui/views/shell/keyboard.ts";
import { describe } from "../../support/describe.ts";

const VIEWS = (["traffic", "performance", "timeline", "sessions", "settings"] as const).map((name) => ({ name }));

function entriesOf(platform: NodeJS.Platform) {
  return mainMenu(platform).flatMap(({ menuItems = [] }) => menuItems.filter(({ text }) => text !== "-"));
}

describe("the native window's menu", (test) => {
  for (const platform of ["linux", "darwin", "win32"] as const) {
    test(`on ${platform} every entry is carried out by the engine, the page or the system`, () => {
      const dead = entriesOf(platform).filter(
        ({ id = "", action }) => action === undefined && id !== OPEN_HUB && intentOfMenu(id, VIEWS) === null,
      );
      assert.equal(dead, []);
    });
  }

  test("on macOS there is an Edit menu with the system's own actions, without which no text could be copied", () => {
    const actions = entriesOf("darwin").map(({ action }) => action);
    for (const action of ["cut:", "copy:", "paste:", "selectAll:", "undo:"])
      assert.ok(actions.includes(action), action);
    assert.equal(
      entriesOf("linux").filter(({ action }) => action !== undefined),
      [],
    );
  });

  test("ids are one to an entry", () => {
    const ids = entriesOf("darwin").map(({ id }) => id);
    assert.is(new Set(ids).size, ids.length);
  });
});
