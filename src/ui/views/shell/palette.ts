import { placeAfter } from "../../parts/menu-keys.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import type { UiIntent } from "./keyboard.ts";
import { fittingEntries, type PaletteEntry, paletteEntries } from "./palette-entries.ts";

interface PaletteRow extends PaletteEntry {
  readonly id: string;
  readonly active: boolean;
}

interface Palette {
  text: string;
  rows: readonly PaletteRow[];
  activeId: string | null;
  init(): void;
  type(text: string): void;
  onKey(event: KeyboardEvent): void;
  choose(entry: PaletteEntry): void;
  point(row: PaletteRow, event: PointerEvent): void;
  show(active: number): void;
}

/** The command palette: filter by name, select, run. */
export function palette(deps: ViewDependencies, ask: (wish: UiIntent) => void): View<Palette> {
  let hosts: readonly string[] = [];
  return {
    text: "",
    rows: Object.freeze([]),
    activeId: null,

    init() {
      const summary = deps.windows.value({ view: "summary" }, () => {
        hosts = (summary.value?.hosts ?? []).map(({ host }) => host);
      });
      // Each opening starts afresh, with the current hosts.
      this.$root.closest("dialog")?.addEventListener("opening", () => this.type(""));
    },

    type(text) {
      this.text = text;
      this.show(0);
    },

    onKey(event) {
      const at = this.rows.findIndex(({ active }) => active);
      const row = this.rows[at];
      if (event.key === "Enter" && row !== undefined) {
        event.preventDefault();
        this.choose(row);
      } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.show(placeAfter(event.key, at, this.rows.length) ?? 0);
        this.$nextTick(() => this.$root.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }));
      }
    },

    choose(entry) {
      this.$root.closest("dialog")?.close();
      ask(entry.wish);
    },

    /** Keyboard and mouse share one selection. A mouse at rest selects nothing, whichever row appears below it. */
    point(row, { movementX, movementY }) {
      if (row.active || (movementX === 0 && movementY === 0)) return;
      this.show(this.rows.indexOf(row));
    },

    show(active) {
      const entries = fittingEntries(paletteEntries(deps.openHub !== null, hosts), this.text);
      this.rows = Object.freeze(
        entries.map((entry, at) => Object.freeze({ ...entry, id: `palette-${at}`, active: at === active })),
      );
      this.activeId = this.rows[active]?.id ?? null;
    },
  };
}
