// Must stay first: connection.ts connects while the rest is loaded.
import "./connection.ts";

import type { ExchangeId } from "../engine/model/units.ts";
import { Alpine } from "./alpine.ts";
import { handOver, linkChannel, takeLinks } from "./channel/hand-over.ts";
import { isNative, OPENED_BY } from "./channel/host.ts";
import { hubOpener } from "./channel/hub-window.ts";
import { drawnNonce } from "./channel/window-key.ts";
import { channel } from "./connection.ts";
import { readGlobals } from "./globals.ts";
import type { LaterViews } from "./later.ts";
import { copier } from "./parts/clipboard.ts";
import { createChannel } from "./parts/event-channel.ts";
import { MountedRows } from "./parts/list/mounted-rows.ts";
import { CellWriter } from "./parts/list/row-cells.ts";
import { startView, type UnopenedLink } from "./start.ts";
import { AddressBar, browserHistory } from "./state/address-bar.ts";
import { Commands } from "./state/commands.ts";
import { Downloads } from "./state/downloads.ts";
import { engineClock } from "./state/engine-clock.ts";
import { oncePerFrame } from "./state/frame.ts";
import { Replays } from "./state/replays.ts";
import { Searches } from "./state/searches.ts";
import { type PickedRows, Selection } from "./state/selection.ts";
import { storeLayout } from "./state/stored-layout.ts";
import { SubscriptionStore } from "./state/subscription-store.ts";
import { UndoStack } from "./state/undo.ts";
import { undoFilter } from "./state/undo-filter.ts";
import type { ComparisonWish, DifferenceWish, Matches, MenuIntent, ViewDependencies } from "./views/dependencies.ts";
import type { ExperimentWish } from "./views/experiment-wish.ts";
import { endedSession } from "./views/sessions/ended-session.ts";
import { shownSession } from "./views/sessions/shown-session.ts";
import { exchangeMenu } from "./views/shell/exchange-menu.ts";
import { exportDialog } from "./views/shell/export.ts";
import { filterBox } from "./views/shell/filter-box.ts";
import { hiddenHosts } from "./views/shell/hidden-hosts.ts";
import { highlight } from "./views/shell/highlight.ts";
import { hostTree } from "./views/shell/host-tree.ts";
import { palette } from "./views/shell/palette.ts";
import { searchDrawer } from "./views/shell/search.ts";
import { shell } from "./views/shell/shell.ts";
import type { UiIntent } from "./views/shell/ui-intents.ts";
import { columnMenu } from "./views/traffic/column-menu.ts";
import { trafficView } from "./views/traffic/traffic.ts";
import { firstQueryOf } from "./views/traffic/traffic-list.ts";

/** Milliseconds after which the page is shown even if the channel is not open. */
const LONGEST_WAIT = 100;

/** Milliseconds after which the other views are loaded even if no list has been drawn. */
const LATEST = 1_000;

const commands = new Commands(channel);
const announcements = createChannel<string>();
const matches = createChannel<Matches | null>();
const wishes = createChannel<UiIntent>();
const menus = createChannel<MenuIntent>();
const experimenting = createChannel<ExperimentWish>();
const replaying = createChannel<ExchangeId>();
const editing = createChannel<ExchangeId>();
const exporting = createChannel<PickedRows>();
const comparing = createChannel<ComparisonWish>();
const differing = createChannel<DifferenceWish>();
const ended = createChannel<string>();
const opener = hubOpener((target) => void commands.send({ type: "open-hub", target }));

const searches = new Searches(channel, commands);
const replays = new Replays(channel, commands);

const deps: ViewDependencies = {
  windows: new SubscriptionStore(channel, oncePerFrame),
  commands,
  selection: new Selection(),
  downloads: new Downloads(channel, commands),
  undo: new UndoStack(),
  now: engineClock(channel),
  announce: announcements.emit,
  copy: copier(announcements.emit),
  showMatches: matches.emit,
  openMenu: menus.emit,
  openReplay: replaying.emit,
  openEdit: editing.emit,
  openExport: exporting.emit,
  openComparison: comparing.emit,
  openDifference: differing.emit,
  openExperiment: experimenting.emit,
  openHub: (target) => {
    if (!opener(target)) announcements.emit("The browser blocked the window. Allow pop-ups for this page.");
  },
  // The server of the native window's page ends with the window.
  linkHere: isNative() ? null : () => location.origin + location.pathname + addressBar.link,
};

/** The components of the templates. */
export type Views = typeof views & LaterViews;

/** Resolves when deferred work may start: after the first list is drawn, or after `LATEST` ms without a list. */
const standing = Promise.race([firstList(), pause(LATEST)]);
void standing.then(readGlobals);
const later = standing.then(async () => {
  const { laterViews } = await import("./later.ts");
  for (const [name, view] of Object.entries<(argument: unknown) => object>(
    laterViews(
      deps,
      replays,
      replaying.listen,
      experimenting.listen,
      comparing.listen,
      differing.listen,
      editing.listen,
    ),
  ))
    Alpine.data(name, view);
});

// An `x-cells` element draws its own cells (parts/row-cells.ts), so Alpine need not visit its descendants.
Alpine.interceptInit((element, skip) => {
  if (element instanceof Element && element.hasAttribute("x-cells")) skip();
});
Alpine.directive("cells", (root, { expression }, { evaluateLater, effect }) => {
  const cells = new CellWriter(root);
  const evaluate = evaluateLater<Parameters<CellWriter["show"]>[0]>(expression);
  effect(() => evaluate((texts) => Alpine.mutateDom(() => cells.show(texts))));
});
Alpine.directive("rows", (template, { expression }, { evaluateLater, effect }) => {
  const rows = new MountedRows(template as HTMLTemplateElement);
  const evaluate = evaluateLater<Parameters<MountedRows["show"]>[0]>(expression);
  effect(() => evaluate((slots) => Alpine.mutateDom(() => rows.show(slots))));
});
/** The views that exist when the page opens, by their names in the HTML. */
const views = {
  startView: () => startView({ channel, native: isNative(), link: unopenedLink() }),
  shell: () =>
    shell({
      ...deps,
      channel,
      onAnnounce: announcements.listen,
      onWish: wishes.listen,
      showEnded: ended.emit,
      later,
    }),
  filterBox: () => filterBox(deps, matches.listen),
  palette: () => palette(deps, wishes.emit),
  exportDialog: () => exportDialog(deps, exporting.listen),
  searchDrawer: () => searchDrawer(deps, searches),
  exchangeMenu: () => exchangeMenu(deps, menus.listen),
  trafficView: () => trafficView(deps),
  hostTree: () => hostTree(deps),
  columnMenu: () => columnMenu(deps),
  shownSession: () => shownSession(deps),
  endedSession: () => endedSession(deps, ended.listen),
  highlight: () => highlight(deps),
  hiddenHosts: () => hiddenHosts(deps),
};
for (const [name, view] of Object.entries<() => object>(views)) Alpine.data(name, view);
const addressBar = new AddressBar({ ...deps, history: browserHistory() });
takeLinksOfOtherTabs();
storeLayout(deps);
undoFilter(deps.selection, deps.undo, deps.now);
// Sends the query of the view that is shown first.
deps.windows.prefetch(firstQueryOf(deps.selection.now));

/**
 * Starts Alpine once the channel is open or has failed, at the latest after `LONGEST_WAIT` ms. On an open channel,
 * queries are answered during the start, so that each view is drawn once.
 */
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

/** The link that this page was opened by, if it is to a place. */
function unopenedLink(): UnopenedLink | null {
  if (isNative() || OPENED_BY === "") return null;
  return {
    // Written by the server (extensions/proxy/engine-thread/channel/loopback.ts).
    isOwn: "own" in document.documentElement.dataset,
    handOver: (done) => handOver(linkChannel(), OPENED_BY, done),
  };
}

function takeLinksOfOtherTabs(): void {
  if (isNative()) return;
  let links: (() => void) | null = null;
  let isConnected = false;
  channel.onState(({ kind }) => {
    isConnected = kind === "open";
    if (!isConnected) return;
    links ??= takeLinks(
      linkChannel(),
      drawnNonce(),
      () => isConnected,
      (fragment) => {
        void addressBar.open(fragment);
        announcements.emit("A link from another tab is shown here.");
        window.focus();
      },
    );
    links();
  });
}

/** Resolves when the first list of this page is drawn. */
function firstList(): Promise<void> {
  return new Promise((resolve) => {
    let isHeard = false;
    channel.onMessage(({ type }) => {
      if (isHeard || type !== "window") return;
      isHeard = true;
      // Waits for the frame in which the browser draws the list.
      requestAnimationFrame(() => setTimeout(resolve));
    });
  });
}

function pause(length: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, length);
  });
}
