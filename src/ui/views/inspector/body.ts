import type { Side } from "../../../engine/capture/event.ts";
import type { ExchangeDetail } from "../../../engine/messages/messages.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { countText } from "../../format/count.ts";
import { EMPTY_FRAME, type ListFrame, type Slot, VirtualList } from "../../parts/virtual-list.ts";
import { Body } from "../../state/bodies.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { type BodyMode, decoderFor, MODE_NAMES, modesOf } from "./body-kind.ts";
import type { BodyRow, BodyText } from "./body-text.ts";
import { bodySummaryOf } from "./facts.ts";
import { fieldOf, type HeaderField, headersOf } from "./headers.ts";

/** Height of a line, as in inspector.css. */
const LINE = 20;
/** Bodies up to here are pretty-printed, images up to here shown: all of it has to be there. Our choice. */
const WHOLE_BYTES = 2 * 1024 * 1024;
/** Text and hex are read on in steps of this. Our choice. */
const STEP_BYTES = 512 * 1024;

interface BodyView {
  readonly title: string;
  headers: readonly HeaderField[];
  summary: string;
  /** What stands in the place of a body that cannot be shown; empty if it can. */
  emptyText: string;
  problem: string;
  modes: readonly { readonly mode: BodyMode; readonly name: string }[];
  mode: BodyMode;
  frame: ListFrame<BodyRow>;
  needle: string;
  searchText: string;
  image: string;
  init(): void;
  destroy(): void;
  show(mode: BodyMode): void;
  search(needle: string): void;
  onSearchKey(event: KeyboardEvent): void;
  toggle(slot: Slot<BodyRow>): void;
  copyBody(): void;
  copyHeaders(): void;
}

/** One side of the selected exchange: its body, shown as its type allows, and its headers. */
export function bodyView(deps: ViewDependencies, side: Side): View<BodyView> {
  const { selection, windows } = deps;
  const ending: (() => void)[] = [];
  let detail: ExchangeDetail | null = null;
  let body: Body | null = null;
  let text: BodyText | null = null;
  let list: VirtualList<BodyRow> | null = null;
  let matches: readonly number[] = [];
  let match = -1;
  /** Which body the view is showing: a new exchange, or more of the same one kept. */
  let shown = "";
  /** Counts what was asked for, so that a slow answer does not overwrite a later one. */
  let turn = 0;

  const contentType = (): string | null =>
    fieldOf(headersOf((side === "request" ? detail?.requestHead : detail?.responseHead) ?? null), "content-type");

  return {
    title: side === "request" ? "Request" : "Response",
    headers: Object.freeze([]),
    summary: "",
    emptyText: "Loading.",
    problem: "",
    modes: Object.freeze([]),
    mode: "raw",
    frame: EMPTY_FRAME,
    needle: "",
    searchText: "",
    image: "",

    init() {
      const showDetail = (value: ExchangeDetail | null): void => {
        detail = value;
        if (value === null) return;
        const facts = side === "request" ? value.requestBody : value.responseBody;
        this.headers = headersOf(side === "request" ? value.requestHead : value.responseHead);
        this.summary =
          facts.size === 0 ? "" : bodySummaryOf(facts, side === "response" ? value.exchange.decodedBodySize : null);
        const now = `${value.exchange.id} ${facts.kept} ${value.exchange.outcome !== null}`;
        if (now === shown) return;
        const another = !shown.startsWith(`${value.exchange.id} `);
        shown = now;
        body = facts.kept === 0 ? null : new Body(deps.commands, value.exchange.id, side);
        const modes = modesOf(contentType()).filter((mode) => !isWhole(mode) || facts.kept <= WHOLE_BYTES);
        this.modes = Object.freeze(modes.map((mode) => Object.freeze({ mode, name: MODE_NAMES[mode] })));
        this.emptyText = emptyTextOf(facts.size, facts.kept, value.exchange.outcome === null);
        this.show(another || !modes.includes(this.mode) ? (modes[0] ?? "raw") : this.mode);
      };
      const exchange = selection.now.exchange;
      if (exchange === null) return;
      const details = windows.value({ view: "exchange", exchange }, () => showDetail(details.value ?? null));
      list = new VirtualList<BodyRow>({
        name: `${side}-line`,
        rowHeight: LINE,
        headHeight: 0,
        follows: () => false,
        rowAt: (index) => text?.row(index, this.needle.toLowerCase(), matches[match] ?? null) ?? null,
        keyAt: (index) => index,
        indexOf: (key) => Number(key),
        wanted: ({ from, count }) => {
          if (text !== null && from + count >= text.count && body !== null && !body.whole && !isWhole(this.mode)) {
            this.show(this.mode);
          }
        },
        draw: (frame) => {
          this.frame = frame;
        },
        moved: () => {},
        opened: () => {},
      });
      const { lines, space, window } = this.$refs;
      if (lines === undefined || space === undefined || window === undefined) throw new Error("the body is not there");
      list.attach(lines, space, window);
      ending.push(
        () => details.close(),
        () => list?.detach(),
        selection.watch((now) => {
          if (now.exchange !== null) details.update({ view: "exchange", exchange: now.exchange });
        }),
      );
    },

    destroy() {
      for (const end of ending.splice(0)) end();
      URL.revokeObjectURL(this.image);
    },

    async show(mode) {
      turn += 1;
      const mine = turn;
      const more = mode === this.mode && text !== null && body !== null && body.bytes.length > 0;
      this.mode = mode;
      URL.revokeObjectURL(this.image);
      this.image = "";
      if (body === null) {
        text = null;
        list?.update(0);
        return;
      }
      const lines = await import("./body-text.ts");
      await body.load(isWhole(mode) ? WHOLE_BYTES : body.bytes.length + STEP_BYTES);
      if (mine !== turn) return;
      this.problem = body.problem ?? "";
      this.emptyText = "";
      if (mode === "image") {
        text = null;
        this.image = URL.createObjectURL(new Blob([new Uint8Array(body.bytes)], { type: contentType() ?? "" }));
      } else if (mode === "hex") text = lines.hexText(body.bytes);
      else {
        const decoded = decoderFor(contentType()).decode(body.bytes);
        const pretty = mode === "pretty" ? lines.prettyText(decoded) : null;
        if (mode === "pretty" && pretty === null) this.problem = "This is no whole JSON document: shown as it is.";
        text = pretty ?? lines.rawText(decoded);
      }
      if (!body.whole)
        this.problem = `The first ${bytesPhrase(body.bytes.length)} are shown; more is read as you scroll.`;
      if (!more) list?.reset();
      list?.update(text?.count ?? 0);
      this.search(this.needle);
    },

    search(needle) {
      const changed = needle !== this.needle;
      this.needle = needle;
      matches = needle === "" || text === null ? [] : text.find(needle.toLowerCase());
      if (changed || match >= matches.length) match = matches.length > 0 ? 0 : -1;
      this.searchText = needle === "" ? "" : `${countText(match + 1)} of ${countText(matches.length)}`;
      const line = matches[match];
      if (!changed || line === undefined || text === null) {
        list?.update(text?.count ?? 0);
        return;
      }
      const at = text.reveal(line);
      list?.update(text.count);
      list?.reveal(at);
    },

    onSearchKey(event) {
      if (event.key !== "Enter" || matches.length === 0 || text === null) return;
      event.preventDefault();
      match = (match + (event.shiftKey ? matches.length - 1 : 1)) % matches.length;
      this.searchText = `${countText(match + 1)} of ${countText(matches.length)}`;
      const at = text.reveal(matches[match] ?? 0);
      list?.update(text.count);
      list?.reveal(at);
    },

    toggle(slot) {
      text?.toggle(slot.index);
      list?.update(text?.count ?? 0);
    },

    async copyBody() {
      if (body === null) return;
      await body.load(Number.POSITIVE_INFINITY);
      await deps.copy(decoderFor(contentType()).decode(body.bytes), "The body is copied.");
    },

    copyHeaders() {
      void deps.copy(
        this.headers.map(({ name, value }) => `${name}: ${value}`).join("\n"),
        `The ${side} headers are copied.`,
      );
    },
  };
}

function isWhole(mode: BodyMode): boolean {
  return mode === "pretty" || mode === "image";
}

function emptyTextOf(size: number, kept: number, inFlight: boolean): string {
  if (kept > 0) return "Loading.";
  if (size > 0) return `${bytesPhrase(size)} passed through; none of it was kept.`;
  return inFlight ? "No body so far." : "No body.";
}
