// Must stay first: it dials while the rest is read.
import "./connection.ts";
import { Alpine } from "./alpine.ts";
import { isNative } from "./channel/host.ts";
import { hubOpener } from "./channel/hub-window.ts";
import { channel } from "./connection.ts";
import { readGlobals } from "./globals.ts";
import { copyText } from "./parts/clipboard.ts";
import { MountedRows } from "./parts/mounted-rows.ts";
import { DrawnCells } from "./parts/row-cells.ts";
import { spoken } from "./parts/spoken.ts";
import { startView } from "./start.ts";
import { Commands } from "./state/commands.ts";
import { Downloads } from "./state/downloads.ts";
import { engineClock } from "./state/engine-clock.ts";
import { oncePerFrame } from "./state/frame.ts";
import { rememberArrangement } from "./state/remembered.ts";
import { Searches } from "./state/searches.ts";
import { Selection } from "./state/selection.ts";
import { Windows } from "./state/windows.ts";
import type { Matches, MenuWish, ViewDependencies } from "./views/dependencies.ts";
import { shownSession } from "./views/sessions/shown.ts";
import { exchangeMenu } from "./views/shell/exchange-menu.ts";
import { exportDialog } from "./views/shell/export.ts";
import { filterBox } from "./views/shell/filter-box.ts";
import { hostTree } from "./views/shell/host-tree.ts";
import type { Wish } from "./views/shell/keyboard.ts";
import { palette } from "./views/shell/palette.ts";
import { searchDialog } from "./views/shell/search.ts";
import { shell } from "./views/shell/shell.ts";
import { columnMenu } from "./views/traffic/column-menu.ts";
import { trafficView } from "./views/traffic/traffic.ts";
import { firstQueryOf } from "./views/traffic/traffic-list.ts";

/** A page that is not connected after so long, in ms, shows itself without. Our choice. */
const LONGEST_WAIT = 100;

/** A page that has heard of no list after so long, in ms, reads the rest of its views all the same. Our choice. */
const LATEST = 1_000;

const commands = new Commands(channel);
const announcements = spoken<string>();
const matches = spoken<Matches | null>();
const wishes = spoken<Wish>();
const menus = spoken<MenuWish>();
const opener = hubOpener((target) => void commands.send({ type: "open-hub", target }));

const searches = new Searches(channel, commands);

const deps: ViewDependencies = {
  windows: new Windows(channel, oncePerFrame),
  commands,
  selection: new Selection(),
  downloads: new Downloads(channel, commands),
  now: engineClock(channel),
  announce: announcements.say,
  copy: async (text, done) => {
    announcements.say((await copyText(text)) ? done : "This page may not copy. Select the text and copy it by hand.");
  },
  showMatches: matches.say,
  openMenu: menus.say,
  openHub: (target) => {
    if (!opener(target)) announcements.say("The browser did not open the window. Allow pop-ups for this page.");
  },
};

/** What can wait is done once the first list has been answered, so that it delays no row; without an answer, a little later. */
const standing = Promise.race([firstList(), pause(LATEST)]);
void standing.then(readGlobals);
const later = standing.then(async () => {
  const { laterViews } = await import("./later.ts");
  for (const [name, view] of Object.entries(laterViews(deps))) Alpine.data(name, view);
});

// A head draws its cells itself (parts/row-cells.ts): nothing in it is to be looked for.
Alpine.interceptInit((element, skip) => {
  if (element instanceof Element && element.hasAttribute("x-drawn")) skip();
});
Alpine.directive("drawn", (root, { expression }, { evaluateLater, effect }) => {
  const cells = new DrawnCells(root);
  const evaluate = evaluateLater<Parameters<DrawnCells["show"]>[0]>(expression);
  effect(() => evaluate((texts) => Alpine.mutateDom(() => cells.show(texts))));
});
Alpine.directive("rows", (template, { expression }, { evaluateLater, effect }) => {
  const rows = new MountedRows(template as HTMLTemplateElement);
  const evaluate = evaluateLater<Parameters<MountedRows["show"]>[0]>(expression);
  effect(() => evaluate((slots) => Alpine.mutateDom(() => rows.show(slots))));
});
Alpine.data("startView", () => startView({ channel, native: isNative() }));
Alpine.data("shell", () => shell({ ...deps, channel, onAnnounce: announcements.listen, onWish: wishes.listen, later }));
Alpine.data("filterBox", () => filterBox(deps, matches.listen));
Alpine.data("palette", () => palette(deps, wishes.say));
Alpine.data("exportDialog", () => exportDialog(deps));
Alpine.data("searchDialog", () => searchDialog(deps, searches));
Alpine.data("exchangeMenu", () => exchangeMenu(deps, menus.listen));
Alpine.data("trafficView", () => trafficView(deps));
Alpine.data("hostTree", () => hostTree(deps));
Alpine.data("columnMenu", () => columnMenu(deps));
Alpine.data("shownSession", () => shownSession(deps));
rememberArrangement(deps);
// The view that a page begins with.
deps.windows.expect(firstQueryOf(deps.selection.now));

/** Once there is somebody to ask: then views are answered while others are still being set up, and are drawn once. */
let started = false;
const start = (): void => {
  if (started) return;
  started = true;
  Alpine.start();
};
channel.onState(({ kind }) => {
  if (kind !== "connecting") start();
});
setTimeout(start, LONGEST_WAIT);

/** Until the first list of this page is drawn. */
function firstList(): Promise<void> {
  return new Promise((resolve) => {
    let isHeard = false;
    channel.onMessage(({ type }) => {
      if (isHeard || type !== "window") return;
      isHeard = true;
      // The frame that draws it comes first.
      requestAnimationFrame(() => setTimeout(resolve));
    });
  });
}

function pause(length: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, length);
  });
}
