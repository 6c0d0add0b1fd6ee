import type { Status, Summary } from "../../../engine/messages/status-messages.ts";
import { conditionsText } from "../../../engine/model/conditions.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import type { Channel, ChannelState } from "../../channel/channel.ts";
import { focusFirstRow, focusList, keepFocus, leaveNotice } from "../../parts/view-focus.ts";
import { COMPARE, type Selected, type ViewName } from "../../state/selection.ts";
import { deleteExchanges } from "../delete-exchanges.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { openFinding } from "../finding-links.ts";
import { view } from "../view.ts";
import { announcer, connectionText, showTheme, toolbarOf } from "../window-frame.ts";
import { type ExperimentBar, experimentBarOf } from "./experiment.ts";
import { saveReport } from "./export.ts";
import { filterUnder } from "./host-rows.ts";
import { type IdleBar, idleBarOf, type NoticeLine, noticesOf, statusItemsOf } from "./status-rows.ts";
import { type ToolbarDependencies, toolbarCommands } from "./toolbar-commands.ts";
import { closedLevel, intentOf, intentOfMenu, type UiIntent } from "./ui-intents.ts";
import { windowMarkOf } from "./window-mark.ts";

/** Views in the order of the sidebar; the keys 1 to 5 select them in that order. */
const VIEWS: readonly { readonly name: ViewName; readonly label: string; readonly icon: string }[] = [
  { name: "traffic", label: "Traffic", icon: "#icon-traffic" },
  { name: "performance", label: "Performance", icon: "#icon-performance" },
  { name: "timeline", label: "Timeline", icon: "#icon-timeline" },
  { name: "sessions", label: "Sessions", icon: "#icon-sessions" },
  { name: "settings", label: "Settings", icon: "#icon-settings" },
];

const NAVIGATION = Object.freeze(
  VIEWS.map((view, index) => Object.freeze({ ...view, key: String(index + 1), title: `${view.label} (${index + 1})` })),
);

/** Views of the same exchanges. The inspector stays open when the user changes between them. */
const OF_EXCHANGES: readonly ViewName[] = ["traffic", "timeline"];

/** Milliseconds between updates of the session's age. */
const TICK_MS = 1_000;

export interface ShellDependencies extends ViewDependencies, ToolbarDependencies {
  readonly channel: Channel;
  /** Calls `listener` with each announcement. */
  readonly onAnnounce: (listener: (text: string) => void) => void;
  readonly onWish: (listener: (wish: UiIntent) => void) => void;
  /** Resolves when the views that are loaded after the start are present. */
  readonly later: Promise<void>;
}

/** The frame around the views: toolbar, sidebar, status bar, notices, keyboard. */
export function shell(deps: ShellDependencies) {
  const { announce, selection } = deps;
  const announcements = announcer();
  let connection = "";
  let lastStatus: Status | null = null;
  let lastSummary: Summary | null = null;
  /** Keys of notices that the user dismissed in this window. */
  const dismissed = new Set<string>();

  /** The number of the experiment whose result the user dismissed in this window. */
  let dismissedExperiment: number | null = null;

  return view({
    navigation: NAVIGATION,
    view: selection.now.view as ViewName,
    inspecting: false,
    /** Whether the inspector is beside the list where the window has the width (inspector.css). */
    beside: selection.now.inspectorBeside !== false,
    searching: false,
    /** Whether the views that are loaded after the start are present. */
    isLoaded: false,
    toolbar: null as ReturnType<typeof toolbarOf> | null,
    statusItems: Object.freeze([]) as ReturnType<typeof statusItemsOf>,
    notices: Object.freeze([]) as ReturnType<typeof noticesOf>,
    /** Why Weir cannot be reached; "" if it can. */
    connection,
    /** Whether this window can start the engine again, and whether it can end itself. */
    startable: false,
    canQuit: false,
    announcement: "",
    /** What Undo would undo, as a sentence; "" if the notice about it is not shown. */
    undoText: "",
    /** The bar while the proxy is stopped or recording is paused. */
    idle: null as IdleBar | null,
    /** The conditions in force, as a sentence; empty without any. */
    slowedText: "",
    /** The bar about the experiment that runs, or that has ended and was not dismissed. */
    experiment: null as ExperimentBar | null,
    hasHub: deps.openHub !== null,
    isStored: false,

    init(): void {
      const showStatus = (): void => this.showStatus(status.value ?? null);
      const showSummary = (): void => this.showSummary(summary.value ?? null);
      const status = deps.windows.value({ view: "status" }, showStatus);
      const summary = deps.windows.value({ view: "summary" }, showSummary);
      const shown = deps.windows.value({ view: "shown" }, () => {
        this.isStored = shown.value?.kind === "stored";
        this.showNotices();
        // Runs after shown-session.ts has cleared the selection of the previous session.
        queueMicrotask(showWanted);
      });
      /** The exchange that the hub wants to show. It is selected once its session, the current one, is shown. */
      let wanted: ExchangeId | null = null;
      const showWanted = (): void => {
        if (wanted === null || shown.value?.kind !== "current") return;
        const exchange = wanted;
        const { filter } = selection.now;
        const sort = { column: "startTime", descending: false } as const;
        wanted = null;
        const position = deps.windows.value({ view: "position", exchange, filter, sort }, () => {
          position.close();
          // Clears the selection first, so that the list scrolls to the exchange even if it was selected already.
          selection.set({ exchange: null });
          // Only a filter that leaves the exchange out is cleared.
          const isListed = position.value != null && position.value.index !== null;
          selection.set({ view: "traffic", filter: isListed ? filter : "", exchange });
        });
      };
      selection.watch((selected) => this.showSelected(selected));
      deps.onAnnounce((text) =>
        announcements(text, (shown) => {
          this.announcement = shown;
        }),
      );
      deps.onWish((wish) => this.fulfil(wish));
      deps.undo.onOffer((text) => {
        this.undoText = text;
      });
      deps.channel.onState((state) => this.showChannel(state));
      deps.later.then(
        () => {
          this.isLoaded = true;
        },
        () => announce("Part of this page could not be loaded. Reload the page."),
      );
      deps.channel.onMessage((message) => {
        if (message.type === "show-exchange") {
          wanted = message.exchange;
          if (shown.value?.kind !== "current") void deps.commands.send({ type: "show-current" });
          showWanted();
        }
        if (message.type === "menu") this.fulfil(intentOfMenu(message.item, NAVIGATION));
      });
      setInterval(() => {
        showSummary();
        showStatus();
      }, TICK_MS);
    },

    onKey(event: KeyboardEvent): void {
      const wish = intentOf(event, NAVIGATION, deps.channel.quit !== undefined);
      if (wish !== null) event.preventDefault();
      this.fulfil(wish);
    },

    /** Does what a key, the command palette or the native window's menu requests; `null`: nothing. */
    fulfil(wish: UiIntent | null): void {
      // The compiler does not know that each kind's function takes the wishes of its own kind.
      if (wish !== null) (intentsOf(deps, this)[wish.kind] as (wish: UiIntent) => void)(wish);
    },

    // ---- display

    showSelected(selected: Selected): void {
      const isGone = selected.view !== this.view || (this.inspecting && selected.exchange === null);
      if (selected.view !== this.view) deps.showMatches(null);
      this.view = selected.view;
      this.inspecting = selected.exchange !== null;
      this.beside = selected.inspectorBeside !== false;
      if (isGone) requestAnimationFrame(keepFocus);
    },

    showStatus(status: Status | null): void {
      // Called every second, mostly with the same status. For the same status, the toolbar is not set again, so that
      // assistive technology does not read it again.
      if (status !== null && status !== lastStatus) this.toolbar = toolbarOf(status);
      lastStatus = status;
      if (status === null) return;
      const { conditions } = status;
      this.slowedText = conditions === null ? "" : `Slowed on purpose: ${conditionsText(conditions)}.`;
      showMark(status);
      const idle = idleBarOf(status, deps.now());
      if (idle?.text !== this.idle?.text || idle?.passed !== this.idle?.passed) this.idle = idle;
      this.showNotices();
      const bar = experimentBarOf(status.experiment);
      const isShown = bar !== null && (bar.isRunning || bar.number !== dismissedExperiment);
      if (bar?.text !== this.experiment?.text || !isShown) this.experiment = isShown ? bar : null;
      showTheme(status.settings.theme);
    },

    showSummary(summary: Summary | null): void {
      lastSummary = summary;
      if (summary === null) return;
      this.statusItems = statusItemsOf(summary, summary.sessionEnd ?? deps.now());
      this.showNotices();
    },

    showNotices(): void {
      const found = noticesOf(lastStatus, lastSummary, this.isStored);
      this.notices = Object.freeze(found.filter(({ key }) => !dismissed.has(key)));
    },

    showChannel(state: ChannelState): void {
      connection = connectionText(state);
      this.connection = connection;
      this.startable = state.kind === "closed" && state.startable === true;
      this.canQuit = state.kind === "closed" && deps.channel.quit !== undefined;
    },

    startAgain(): void {
      leaveNotice();
      deps.channel.startAgain?.();
    },

    quit(): void {
      deps.channel.quit?.();
    },

    // ---- actions

    ...toolbarCommands(
      deps,
      () => lastStatus,
      () => connection,
    ),

    go(view: ViewName): void {
      const stays = OF_EXCHANGES.includes(view) && OF_EXCHANGES.includes(selection.now.view);
      selection.set({ view, exchange: stays ? selection.now.exchange : null });
    },

    showHost(host: string): void {
      selection.set({ view: "traffic", filter: filterUnder({ host, path: "" }), exchange: null });
    },

    dismiss({ key, advice }: NoticeLine): void {
      if (advice !== null) return this.dismissAdvice(advice.host);
      leaveNotice();
      dismissed.add(key);
      this.showNotices();
    },

    /** Undoes the latest change of sessions, marks or the filter, and announces the outcome. */
    undo(): void {
      if (this.tellsCutOff()) return;
      leaveNotice();
      void deps.undo.undo().then(announce);
    },

    /** Deletes the selected rows, else the exchange in the inspector. */
    deleteChosen(): void {
      const which = selection.now.picked ?? selection.now.exchange;
      if (which !== null && !this.tellsCutOff()) void deleteExchanges(deps, which);
    },

    dismissUndo(): void {
      leaveNotice();
      deps.undo.withdrawOffer();
    },

    /** Starts the proxy, or resumes recording. */
    endIdle(): void {
      leaveNotice();
      if (this.idle?.action === "Start") this.toggleProxy();
      else this.toggleRecording();
    },

    stopExperiment(): void {
      leaveNotice();
      void deps.commands.send({ type: "stop-experiment" });
    },

    dismissExperiment(): void {
      leaveNotice();
      dismissedExperiment = lastStatus?.experiment?.number ?? null;
      this.experiment = null;
    },

    async openSession(session: string): Promise<void> {
      const reply = await deps.commands.send({ type: "open-session", session });
      if (reply.ok) selection.set({ view: "traffic", filter: "", exchange: null });
      else announce(reply.problem);
    },

    copyAddress(): void {
      if (this.toolbar !== null) void deps.copy(this.toolbar.address, "Proxy address copied.");
    },

    async copyReport(): Promise<void> {
      if (this.tellsCutOff()) return;
      const reply = await deps.commands.send({ type: "copy-findings", key: null });
      if (reply.ok) await deps.copy(String(reply.value), "Report copied as Markdown.");
      else announce(reply.problem);
    },

    /** `target`: as in `ViewDependencies`. */
    openHub(target: string | null): void {
      if (!this.tellsCutOff()) deps.openHub?.(target);
    },

    openSearch(): void {
      this.searching = true;
      document.querySelector(".search-drawer")?.dispatchEvent(new Event("opening"));
    },

    closeSearch(): void {
      this.searching = false;
      document.querySelector(".search-drawer")?.dispatchEvent(new Event("closing"));
      selection.set({ searched: "" });
      focusList();
    },

    openExport(dialog: HTMLElement | undefined): void {
      if (!this.tellsCutOff()) this.openDialog(dialog);
    },

    openDialog(dialog: HTMLElement | undefined): void {
      if (!(dialog instanceof HTMLDialogElement)) return;
      // Replaces the event "toggle", which comes later, when the user may already be typing.
      dialog.dispatchEvent(new Event("opening"));
      dialog.showModal();
      // The browser focuses the first choice, which need not be the chosen one.
      if (document.activeElement?.matches("[type=radio]:not(:checked)") === true)
        dialog.querySelector<HTMLElement>("[type=radio]:checked")?.focus();
    },

    /** Closes the dialog around an element. */
    closeDialog(within: HTMLElement): void {
      within.closest("dialog")?.close();
    },
  });
}

type Shell = ReturnType<typeof shell> & { readonly $refs: Readonly<Record<string, HTMLElement>> };

type Intents = { readonly [Kind in UiIntent["kind"]]: (wish: Extract<UiIntent, { readonly kind: Kind }>) => void };

function intentsOf(deps: ShellDependencies, shell: Shell): Intents {
  const { selection } = deps;
  /** Runs `then` after the view is rendered. */
  const goThen = (view: ViewName, then: () => void): void => {
    shell.go(view);
    requestAnimationFrame(then);
  };
  const showPerformance = (change: Partial<Selected>, then: () => void): void => {
    selection.set({ view: "performance", exchange: null, ...change });
    requestAnimationFrame(then);
  };
  return {
    clear: () => shell.clear(),
    undo: () => shell.undo(),
    go: ({ view }) => goThen(view, focusFirstRow),
    // The settings have a search box of their own.
    filter: () =>
      document.querySelector<HTMLElement>(shell.view === "settings" ? ".settings-find" : ".filter-input")?.focus(),
    shortcuts: () => shell.openDialog(shell.$refs["shortcuts"]),
    hub: () => shell.openHub(null),
    palette: () => shell.openDialog(shell.$refs["palette"]),
    search: () => shell.openSearch(),
    export: () => shell.openExport(shell.$refs["exportDialog"]),
    recording: () => shell.toggleRecording(),
    proxy: () => shell.toggleProxy(),
    "copy-address": () => shell.copyAddress(),
    "new-session": () => shell.newSession(),
    import: () => goThen("sessions", () => document.querySelector<HTMLElement>(".import-har")?.click()),
    compare: () => selection.set({ view: "sessions", exchange: null, opened: COMPARE }),
    about: () => goThen("settings", () => document.getElementById("settings-about")?.focus()),
    quit: () => shell.quit(),
    replay: () => {
      if (selection.now.exchange !== null && !shell.tellsCutOff()) deps.openReplay(selection.now.exchange);
    },
    delete: () => shell.deleteChosen(),
    slow: () => {
      if (!shell.tellsCutOff()) shell.openDialog(shell.$refs["slow"]);
    },
    theme: () => shell.nextTheme(),
    "set-theme": ({ theme }) => shell.setTheme(theme),
    "hub-target": ({ target }) => shell.openHub(target),
    cause: ({ cause }) => {
      const change = { performanceTab: "findings", endpoint: null, finding: null, filter: `finding:${cause}` } as const;
      showPerformance(change, focusFirstRow);
    },
    "export-report": () => {
      if (!shell.tellsCutOff()) saveReport(deps);
    },
    "copy-link": () => {
      if (deps.linkHere !== null) void deps.copy(deps.linkHere(), "Link copied. It opens this place in this window.");
    },
    report: () => void shell.copyReport(),
    host: ({ host }) => shell.showHost(host),
    tab: ({ tab }) => showPerformance({ performanceTab: tab }, focusList),
    "inspector-tab": ({ tab }) => selection.set({ inspectorTab: tab }),
    session: ({ session }) => void shell.openSession(session),
    endpoint: ({ endpoint }) => showPerformance({ performanceTab: "latency", endpoint, filter: "" }, focusList),
    finding: (wish) => openFinding(selection, wish),
    setting: ({ words }) => goThen("settings", () => findSetting(words)),
    close: () => {
      if (shell.searching) return shell.closeSearch();
      const closed = closedLevel(selection.now);
      selection.set(closed);
      if (closed.filter === "") deps.announce("Filter cleared. Ctrl/Cmd+Z brings it back.");
    },
  };
}

function showMark(status: Status): void {
  const { title, icon } = windowMarkOf(status);
  document.title = title;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link !== null && link.href !== icon) link.href = icon;
}

/** Enters the words in the box that filters the settings. */
function findSetting(words: string): void {
  const box = document.querySelector<HTMLInputElement>(".settings-find");
  if (box === null) return;
  box.value = words;
  box.dispatchEvent(new Event("input"));
  box.focus();
}
