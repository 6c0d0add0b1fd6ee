import { TARGETS, targetOf } from "../../../engine/hub/targets/index.ts";
import { view } from "../view.ts";
import type { HubDependencies } from "./dependencies.ts";
import { drawMarked } from "./marked-text.ts";
import { type TargetGroup, type TargetList, type TargetRow, targetListOf } from "./target-rows.ts";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** The source list: all targets by category, with a filter. */
export function targetList(deps: HubDependencies) {
  const { model } = deps;
  let list = targetListOf(TARGETS, "", null);
  let box: HTMLInputElement | null = null;

  return view({
    filter: "",
    /** All targets; `drawTargets` hides rows and marks matches. */
    groups: list.groups,
    count: "",
    note: "",
    none: false,
    /** Slug of the target in the middle pane. */
    selected: model.now.target.slug,
    /** Slug of the target that Enter opens; empty if there is none. */
    active: "",
    activeId: null as string | null,
    waiting: Object.freeze([]) as readonly string[],
    confirmed: Object.freeze([]) as readonly string[],

    init(): void {
      const { filter } = this.$refs;
      if (filter instanceof HTMLInputElement) box = filter;
      this.activate(this.selected);
      // Waits until Alpine has drawn the rows and made the page visible: a hidden element cannot take the focus.
      this.$nextTick(() => {
        drawTargets(list, null);
        box?.focus();
      });
      model.watch(({ target, hub }) => {
        if (this.selected !== target.slug) {
          this.open(target.slug);
          scrollTo(this.activeId);
        }
        if (hub === null) return;
        this.waiting = hub.waiting;
        this.confirmed = hub.confirmed;
      });
    },

    type(filter: string): void {
      const before = list;
      list = targetListOf(TARGETS, filter, before);
      drawTargets(list, before);
      this.filter = filter;
      this.count = list.count;
      this.note = list.note;
      this.none = list.slugs.length === 0;
      const isWhole = filter.trim() === "";
      this.activate(isWhole ? this.selected : list.best);
      // Without a filter, the active row may be out of view.
      if (isWhole) scrollTo(this.activeId);
    },

    clear(): void {
      this.type("");
      box?.focus();
    },

    open(slug: string): void {
      const target = targetOf(slug);
      if (target === null) return;
      this.activate(slug);
      this.selected = slug;
      model.show(target);
    },

    activate(slug: string): void {
      this.active = slug;
      this.activeId = slug === "" ? null : `target-${slug}`;
    },

    onKey(event: KeyboardEvent): void {
      const { slugs } = list;
      const step = STEPS[event.key];
      if (step !== undefined) {
        const at = Math.min(slugs.length - 1, Math.max(0, slugs.indexOf(this.active) + step));
        this.activate(slugs[at] ?? "");
      } else if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) this.open(this.active);
      else if (event.key === "Escape" && this.filter !== "") this.clear();
      else return;
      event.preventDefault();
      scrollTo(this.activeId);
    },
  });
}

function scrollTo(id: string | null): void {
  if (id !== null) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
}

/**
 * Draws a filtered list: shows or hides rows and groups, and marks matches in their texts. A row that is the same
 * object in `before` is not drawn again. Works without Alpine, because a key press must be handled within 16 ms.
 */
function drawTargets(now: TargetList, before: TargetList | null): void {
  for (const [index, group] of now.groups.entries()) {
    const old = before?.groups[index] ?? null;
    drawGroup(group);
    for (const [at, row] of group.rows.entries()) if (row !== old?.rows[at]) drawRow(row);
  }
}

function drawGroup({ id, shown, title, count }: TargetGroup): void {
  const element = document.getElementById(id);
  if (element === null) return;
  element.hidden = !shown;
  partOf(element, "title", (part) => drawMarked(part, title));
  partOf(element, "count", (part) => {
    part.textContent = count;
  });
}

function drawRow({ id, shown, name, summary, support, whole }: TargetRow): void {
  const element = document.getElementById(id);
  if (element === null) return;
  element.hidden = !shown;
  if (!shown) return;
  partOf(element, "name", (part) => drawMarked(part, name));
  partOf(element, "summary", (part) => {
    drawMarked(part, summary);
    part.classList.toggle("is-whole", whole);
  });
  partOf(element, "support", (part) => {
    drawMarked(part, support);
    part.hidden = support.length === 0;
  });
}

function partOf(element: HTMLElement, name: string, draw: (part: HTMLElement) => void): void {
  const part = element.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (part !== null) draw(part);
}
