import { menuIndexAfter } from "../../parts/menu-keys.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";
import { destinationsOf } from "./palette-destinations.ts";
import { fittingEntries, type PaletteEntry, paletteEntries, settingEntry } from "./palette-entries.ts";
import type { UiIntent } from "./ui-intents.ts";

/** The most endpoints requested in each list of endpoints. */
const MOST_ENDPOINTS = 200;
/** The most rows shown; the user types more words to see others. */
const MOST_ROWS = 100;

export interface PaletteRow extends PaletteEntry {
  readonly id: string;
  readonly active: boolean;
}

/** The command palette: filters entries by name, and runs the selected entry. */
export function palette(deps: ViewDependencies, ask: (wish: UiIntent) => void) {
  let hosts: readonly string[] = [];
  let targets: readonly { readonly slug: string; readonly name: string }[] = [];
  const { windows, selection } = deps;
  const range = { from: 0, count: MOST_ENDPOINTS };
  /** Subscriptions for the places that the palette can open; `null` while the palette is closed. */
  let subscriptions: ReturnType<typeof askFor> | null = null;
  const askFor = (draw: () => void) => ({
    sessions: windows.value({ view: "sessions" }, draw),
    findings: windows.value({ view: "findings", filter: "" }, draw),
    latency: windows.list({ view: "latency", filter: "", sort: { column: "p95", descending: true }, range }, draw),
    collecting: windows.list({ view: "collecting", filter: "", range }, draw),
  });
  const destinations = (): readonly PaletteEntry[] =>
    subscriptions === null
      ? []
      : destinationsOf({
          inspecting: selection.now.exchange !== null,
          picking: selection.now.picked !== null,
          sessions: subscriptions.sessions.value,
          endpoints: [...subscriptions.latency.rows(), ...subscriptions.collecting.rows()],
          found: subscriptions.findings.value?.found ?? null,
          targets,
        });
  return view({
    text: "",
    rows: Object.freeze([]) as readonly PaletteRow[],
    activeId: null as string | null,

    init(): void {
      const summary = deps.windows.value({ view: "summary" }, () => {
        const now = (summary.value?.hosts ?? []).map(({ host }) => host);
        const isNew = now.join() !== hosts.join();
        hosts = now;
        if (isNew && subscriptions !== null) this.redraw();
      });
      // An opened palette starts empty.
      const dialog = this.$root.closest("dialog");
      dialog?.addEventListener("opening", () => {
        subscriptions ??= askFor(() => this.arrived());
        if (deps.openHub !== null && targets.length === 0)
          // Without the targets, the palette lists all else.
          import("../../../engine/hub/targets/index.ts").then(
            ({ TARGETS }) => {
              targets = TARGETS;
              this.arrived();
            },
            () => {},
          );
        this.type("");
      });
      dialog?.addEventListener("close", () => {
        for (const one of Object.values(subscriptions ?? {})) one.close();
        subscriptions = null;
      });
    },

    type(text: string): void {
      this.text = text;
      this.show(0);
    },

    onKey(event: KeyboardEvent): void {
      const at = this.rows.findIndex(({ active }) => active);
      const row = this.rows[at];
      if (event.key === "Enter" && row !== undefined) {
        event.preventDefault();
        this.choose(row);
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.show(menuIndexAfter(event.key, at, this.rows.length) ?? 0);
        this.$nextTick(() => this.$root.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }));
      }
    },

    choose(entry: PaletteEntry): void {
      this.$root.closest("dialog")?.close();
      ask(entry.wish);
    },

    /**
     * Selects the row under a moving mouse; keyboard and mouse share one selection. A row that appears under a resting
     * mouse is not selected.
     */
    point(row: PaletteRow, { movementX, movementY }: PointerEvent): void {
      if (row.active || (movementX === 0 && movementY === 0)) return;
      this.show(this.rows.indexOf(row));
    },

    /** Shows the places that arrived. Without a typed word, none are shown. */
    arrived(): void {
      if (this.text !== "") this.redraw();
    },

    /** Shows the new rows. A row that the user moved to stays selected; otherwise the first row is selected. */
    redraw(): void {
      const before = this.rows.findIndex(({ active }) => active);
      const name = this.rows[before]?.name;
      this.show(0);
      if (before > 0)
        this.show(
          Math.max(
            0,
            this.rows.findIndex((row) => row.name === name),
          ),
        );
    },

    show(active: number): void {
      const commands = paletteEntries({ hub: deps.openHub !== null, link: deps.linkHere !== null }, hosts);
      const text = this.text.trim();
      // Places are listed only for a typed word; otherwise they would hide the commands.
      const entries =
        text === ""
          ? commands
          : [...fittingEntries([...commands, ...destinations()], text).slice(0, MOST_ROWS), settingEntry(text)];
      this.rows = Object.freeze(
        entries.map((entry, at) => Object.freeze({ ...entry, id: `palette-${at}`, active: at === active })),
      );
      this.activeId = this.rows[active]?.id ?? null;
    },
  });
}
