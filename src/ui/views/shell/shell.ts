import type { Status, Summary } from "../../../engine/messages/status-messages.ts";
import { assertNever, type ExchangeId } from "../../../engine/model/units.ts";
import type { Channel, ChannelState } from "../../channel/channel.ts";
import { focusList, keepFocus } from "../../parts/view-focus.ts";
import type { Selected, ViewName } from "../../state/selection.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { filterUnder } from "./host-rows.ts";
import { type Wish, wishOf, wishOfMenu } from "./keyboard.ts";
import { NAVIGATION } from "./navigation.ts";
import { noticesOf, statusItemsOf, toolbarOf } from "./status-rows.ts";
import { toolbarCommands } from "./toolbar-commands.ts";

/** Views of the same exchanges: the one in the inspector stays there when a person goes from one to the other. */
const OF_EXCHANGES: readonly ViewName[] = ["traffic", "timeline"];

/** How long something announced stays in sight. Our choice. */
const ANNOUNCED_MS = 4_000;
/** Session time and the undo countdown are read off this often. */
const TICK_MS = 1_000;

/** What the composition root hands the shell besides what views get: the shell is where announcements show. */
export interface ShellDependencies extends Omit<ViewDependencies, "announce"> {
  readonly channel: Channel;
  readonly onAnnounce: (listener: (text: string) => void) => void;
  readonly onWish: (listener: (wish: Wish) => void) => void;
  /** Once the views are there that a page does not begin with. */
  readonly later: Promise<void>;
}

type Shell = ReturnType<typeof shellMembers>;

interface Wishes {
  init(): void;
  onKey(event: KeyboardEvent): void;
  /** What a key or the native window's menu asks for; `null` is nothing. */
  fulfil(wish: Wish | null): void;
}

type Fulfilling = Shell & Wishes & { $refs: Record<string, HTMLElement> };

/** The frame around the views: toolbar, sidebar, status bar, notices, keyboard. */
export function shell(deps: ShellDependencies): View<Shell & Wishes> {
  const { selection } = deps;
  return Object.assign(shellMembers(deps), {
    init(this: Fulfilling): void {
      const showStatus = (): void => this.showStatus(status.value ?? null);
      const showSummary = (): void => this.showSummary(summary.value ?? null);
      const status = deps.windows.value({ view: "status" }, showStatus);
      const summary = deps.windows.value({ view: "summary" }, showSummary);
      const shown = deps.windows.value({ view: "shown" }, () => {
        // After what was selected in the session before has been given up (shown.ts).
        queueMicrotask(showWanted);
      });
      /** What the hub has found is of the session that is recorded: it is selected once that one is shown. */
      let wanted: ExchangeId | null = null;
      const showWanted = (): void => {
        if (wanted === null || shown.value?.kind !== "current") return;
        // Opened anew: its row may be out of sight though it is open.
        selection.set({ exchange: null });
        selection.set({ view: "traffic", filter: "", exchange: wanted });
        wanted = null;
      };
      selection.watch((selected) => this.showSelected(selected));
      deps.onAnnounce((text) => this.announce(text));
      deps.onWish((wish) => this.fulfil(wish));
      deps.channel.onState((state) => this.showChannel(state));
      deps.later.then(
        () => {
          this.isWhole = true;
        },
        () => this.announce("A part of this page could not be read. Reload the page."),
      );
      deps.channel.onMessage((message) => {
        if (message.type === "show-exchange") {
          wanted = message.exchange;
          if (shown.value?.kind !== "current") void deps.commands.send({ type: "show-current" });
          showWanted();
        }
        if (message.type === "menu") this.fulfil(wishOfMenu(message.item, NAVIGATION));
      });
      setInterval(() => {
        showSummary();
        showStatus();
      }, TICK_MS);
    },

    onKey(this: Fulfilling, event: KeyboardEvent): void {
      const wish = wishOf(event, NAVIGATION);
      if (wish !== null) event.preventDefault();
      this.fulfil(wish);
    },

    fulfil(this: Shell & { $refs: Record<string, HTMLElement> }, wish: Wish | null): void {
      if (wish === null) return;
      switch (wish.kind) {
        case "clear":
          this.clear();
          return;
        case "go":
          this.go(wish.view);
          // Once the view stands.
          requestAnimationFrame(focusList);
          return;
        case "filter":
          // The settings follow a box of their own.
          document.querySelector<HTMLElement>(this.view === "settings" ? ".settings-find" : ".filter-input")?.focus();
          return;
        case "shortcuts":
          this.openDialog(this.$refs["shortcuts"]);
          return;
        case "hub":
          this.openHub();
          return;
        case "palette":
          this.openDialog(this.$refs["palette"]);
          return;
        case "search":
          this.openDialog(this.$refs["search"]);
          return;
        case "export":
          this.openExport(this.$refs["exportDialog"]);
          return;
        case "recording":
          this.toggleRecording();
          return;
        case "proxy":
          this.toggleProxy();
          return;
        case "copy-address":
          this.copyAddress();
          return;
        case "new-session":
          this.newSession();
          return;
        case "theme":
          this.nextTheme();
          return;
        case "host":
          this.showHost(wish.host);
          return;
        case "close":
          selection.set({ exchange: null, endpoint: null });
          return;
        default:
          assertNever(wish);
      }
    },
  });
}

function shellMembers(deps: ShellDependencies) {
  const { selection } = deps;
  let announced: ReturnType<typeof setTimeout> | undefined;
  let lastStatus: Status | null = null;
  let lastSummary: Summary | null = null;

  return {
    navigation: NAVIGATION,
    view: selection.now.view as ViewName,
    inspecting: false,
    /** Whether the views are there that a page does not begin with. */
    isWhole: false,
    toolbar: null as ReturnType<typeof toolbarOf> | null,
    statusItems: Object.freeze([]) as ReturnType<typeof statusItemsOf>,
    notices: Object.freeze([]) as ReturnType<typeof noticesOf>,
    connection: "",
    announcement: "",
    undoText: "",
    hasHub: deps.openHub !== null,

    // ---- what is shown

    showSelected(selected: Selected): void {
      const isGone = selected.view !== this.view || (this.inspecting && selected.exchange === null);
      if (selected.view !== this.view) deps.showMatches(null);
      this.view = selected.view;
      this.inspecting = selected.exchange !== null;
      if (isGone) requestAnimationFrame(keepFocus);
    },

    showStatus(status: Status | null): void {
      // The same one is shown each second, for what runs out: what is read aloud is not drawn anew for that.
      if (status !== null && status !== lastStatus) this.toolbar = toolbarOf(status);
      lastStatus = status;
      if (status === null) return;
      this.notices = noticesOf(status, lastSummary);
      // Our clock is late by as long as a message takes: rounded up, ten seconds would be eleven.
      const left = Math.round(((status.undoClearUntil ?? 0) - deps.now()) / 1000);
      this.undoText = left > 0 ? `The session being recorded was cleared. Undo is offered for ${left} s.` : "";
      if (status.settings.theme === "system") delete document.documentElement.dataset["theme"];
      else document.documentElement.dataset["theme"] = status.settings.theme;
    },

    showSummary(summary: Summary | null): void {
      lastSummary = summary;
      if (summary === null) return;
      this.statusItems = statusItemsOf(summary, summary.sessionEnd ?? deps.now());
      this.notices = noticesOf(lastStatus, summary);
    },

    showChannel(state: ChannelState): void {
      this.connection = connectionText(state);
    },

    announce(text: string): void {
      this.announcement = text;
      clearTimeout(announced);
      announced = setTimeout(() => {
        this.announcement = "";
      }, ANNOUNCED_MS);
    },

    // ---- what is asked for

    ...toolbarCommands(deps, () => lastStatus),

    go(view: ViewName): void {
      const stays = OF_EXCHANGES.includes(view) && OF_EXCHANGES.includes(selection.now.view);
      selection.set({ view, exchange: stays ? selection.now.exchange : null });
    },

    showHost(host: string): void {
      selection.set({ view: "traffic", filter: filterUnder({ host, path: "" }), exchange: null });
    },

    copyAddress(): void {
      if (this.toolbar !== null) void deps.copy(this.toolbar.address, "The proxy's address is copied.");
    },

    openHub(): void {
      if (!this.tellsCutOff()) deps.openHub?.(null);
    },

    openExport(dialog: HTMLElement | undefined): void {
      if (!this.tellsCutOff()) this.openDialog(dialog);
    },

    openDialog(dialog: HTMLElement | undefined): void {
      if (!(dialog instanceof HTMLDialogElement)) return;
      // The browser's own "toggle" comes later: by then somebody may have typed.
      dialog.dispatchEvent(new Event("opening"));
      dialog.showModal();
    },

    closeDialog(dialog: HTMLElement | undefined): void {
      if (dialog instanceof HTMLDialogElement) dialog.close();
    },
  };
}

function connectionText(state: ChannelState): string {
  switch (state.kind) {
    case "connecting":
    case "open":
      return "";
    case "lost":
      return "The connection to Weir was lost. Reconnecting. If Weir has ended, start it again: what was captured is kept.";
    case "closed":
      return state.reason;
  }
}
