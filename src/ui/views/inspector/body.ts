import type { Side } from "../../../engine/capture/event.ts";
import type { ExchangeDetail } from "../../../engine/messages/exchange-messages.ts";
import { headLossOf } from "../../../engine/model/head.ts";
import { countText } from "../../format/count.ts";
import { moveAmong } from "../../parts/menu-keys.ts";
import { Body } from "../../state/bodies.ts";
import { inSlices, type Steps } from "../../state/in-slices.ts";
import { positionAt, valueSubject } from "../context-menu.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { namedTerm } from "../filter-term.ts";
import { view } from "../view.ts";
import { bodyAbsenceOf, failureOf, LOADING } from "./absence.ts";
import type { BodyDocument, BodyEditor, MatchPosition, PreparedDocument } from "./body-editor.ts";
import { type BodyMode, decoderFor, isWhole, MODE_NAMES, modesOf, WHOLE_BYTES } from "./body-kind.ts";
import { bodySummaryOf } from "./facts.ts";
import { fieldOf, type HeaderField, headersOf } from "./headers.ts";
import { DRAWN } from "./hidden-height.ts";
import { followOpened } from "./opened-exchange.ts";
import { RenderedBody } from "./rendered-body.ts";

/** Bytes of text or hex loaded in one step. */
const STEP_BYTES = 512 * 1024;

/** The most characters of a header that a filter looks for: it matches values that contain them. */
const MOST_FILTERED = 100;

const NOTHING = {
  headers: Object.freeze([]) as readonly HeaderField[],
  summary: "",
  problem: "",
  /** Why only a part of the body arrived; empty if all or nothing arrived. */
  cut: "",
  /** What is missing of the headers; else empty. */
  headersLoss: "",
  modes: Object.freeze([]) as readonly { readonly mode: BodyMode; readonly name: string }[],
  image: "",
  /** Size of the image that is shown, "640 × 480 px". */
  imageSize: "",
};

/** One side of the selected exchange: the body in the modes of its type, and the headers. */
export function bodyView(deps: ViewDependencies, side: Side) {
  const { selection } = deps;
  const ending: (() => void)[] = [];
  let detail: ExchangeDetail | null = null;
  let body: Body | null = null;
  let editor: BodyEditor | null = null;
  let rendered: RenderedBody | null = null;
  /** Identifies what is shown: the exchange, the bytes kept of its body, and whether the exchange has ended. */
  let shown = "";
  /** Increases when the view is drawn again or cleared, so that outdated work can stop. */
  let turn = 0;
  /** The `turn` for which more data is being loaded; 0: none. */
  let reading = 0;
  /** Draws the body in a mode. `isSame`: the body is the previous body, or begins with it. */
  let draw: (mode: BodyMode, isSame: boolean) => Promise<void> = () => Promise.resolve();

  const contentType = (): string | null =>
    fieldOf(headersOf((side === "request" ? detail?.requestHead : detail?.responseHead) ?? null), "content-type");

  return view({
    title: side === "request" ? "Request" : "Response",
    ...NOTHING,
    /** Shown in place of a body that is absent or still loading; else empty. */
    emptyText: LOADING,
    /** Whether it is known that there is no body to show. */
    bodiless: false,
    mode: "raw" as BodyMode,
    needle: selection.now.searched,
    searchText: "",

    init(): void {
      const showDetail = (value: ExchangeDetail): void => {
        detail = value;
        const told = side === "request" ? value.requestBody : value.responseBody;
        // The size is known when the exchange ends; until then the stored size is shown.
        const facts = value.exchange.outcome === null ? { ...told, size: told.kept } : told;
        const head = side === "request" ? value.requestHead : value.responseHead;
        this.headers = headersOf(head);
        this.headersLoss = value.exchange.tags.includes("malformed") ? "" : (headLossOf(head) ?? "");
        const decoded = side === "response" ? value.exchange.decodedBodySize : null;
        const isImported = value.exchange.tags.includes("imported");
        this.summary = facts.size === 0 ? "" : bodySummaryOf(facts, decoded, isImported);
        this.cut = facts.kept === 0 ? "" : failureOf(value.exchange, side);
        const now = `${value.exchange.id} ${facts.kept} ${value.exchange.outcome !== null}`;
        if (now === shown) return;
        const another = !shown.startsWith(`${value.exchange.id} `);
        shown = now;
        body = facts.kept === 0 ? null : new Body(deps.commands, value.exchange.id, side);
        this.bodiless = body === null;
        const modes = modesOf(contentType()).filter((mode) => !isWhole(mode) || facts.kept <= WHOLE_BYTES);
        this.modes = Object.freeze(modes.map((mode) => Object.freeze({ mode, name: MODE_NAMES[mode] })));
        // Keeps the shown body visible while more of its data is loaded.
        if (another || facts.kept === 0) this.emptyText = bodyAbsenceOf(facts, value.exchange, side);
        void draw(another || !modes.includes(this.mode) ? (modes[0] ?? "raw") : this.mode, !another);
      };
      draw = async (mode, isSame) => {
        turn += 1;
        const mine = turn;
        const goesOn = isSame && mode === this.mode;
        this.mode = mode;
        URL.revokeObjectURL(this.image);
        [this.image, this.imageSize] = ["", ""];
        if (!goesOn) this.problem = "";
        if (body === null) return;
        const loading = mode === "image" ? null : import("./body-editor.ts").catch(() => null);
        const step = Math.max(STEP_BYTES, goesOn ? (rendered?.length ?? 0) : 0);
        await body.load(isWhole(mode) ? WHOLE_BYTES : step);
        const parts = await loading;
        if (mine !== turn) return;
        if (mode === "image") {
          this.emptyText = "";
          this.problem = body.problem ?? "";
          this.image = URL.createObjectURL(new Blob([new Uint8Array(body.bytes)], { type: contentType() ?? "" }));
          return;
        }
        const host = this.$refs["text"];
        if (parts === null || host === undefined) {
          this.emptyText = "";
          this.problem = "The text viewer could not be loaded. Open the window again.";
          return;
        }
        const next = new RenderedBody(body, mode, contentType());
        const steps = preparedBy(next.document(goesOn, step), parts.preparedDocument);
        const prepared = await inSlices(steps, () => mine === turn);
        if (prepared === null || mine !== turn) return;
        this.emptyText = "";
        // Waits until x-show has made the editor visible, because the editor measures its lines.
        await new Promise<void>((resolve) => this.$nextTick(resolve));
        if (mine !== turn) return;
        rendered = next;
        editor ??= parts.bodyEditor(host, { label: `${this.title} body`, onEnd: () => void more() });
        await inSlices(editor.show(prepared), () => mine === turn);
        if (mine !== turn) return;
        this.problem = rendered.problem;
        host.dispatchEvent(new Event(DRAWN, { bubbles: true }));
        this.search(this.needle);
        await editor.colour().catch(() => {
          if (mine === turn) this.problem = "Syntax colours could not be loaded. The body is shown as plain text.";
        });
      };
      /** Loads and appends more when the end becomes visible. */
      const more = async (): Promise<void> => {
        const mine = turn;
        if (rendered === null || editor === null || rendered.isWhole || reading === mine) return;
        reading = mine;
        const lines = await rendered.more(STEP_BYTES);
        if (mine !== turn) return;
        reading = 0;
        if (lines !== null) this.searchText = searchTextOf(this.needle, editor.append(lines));
        this.problem = lines === null ? (body?.problem ?? "") : rendered.problem;
      };
      /** Clears the view and shows `why`, unless the view shows the selected exchange already. */
      const showAbsence = (why: string): void => {
        if (detail !== null && detail.exchange.id === selection.now.exchange) return;
        turn += 1;
        [detail, body, shown] = [null, null, ""];
        URL.revokeObjectURL(this.image);
        Object.assign(this, { ...NOTHING, emptyText: why });
      };
      let { searched } = selection.now;
      const unwatch = selection.watch((now) => {
        if (now.searched === searched) return;
        searched = now.searched;
        this.search(searched);
      });
      ending.push(followOpened(deps, showDetail, showAbsence), unwatch, () => editor?.destroy());
    },

    destroy(): void {
      turn += 1;
      for (const end of ending.splice(0)) end();
      URL.revokeObjectURL(this.image);
    },

    show(mode: BodyMode): void {
      void draw(mode, false);
    },

    search(needle: string): void {
      this.needle = needle;
      if (editor !== null) this.searchText = searchTextOf(needle, editor.search(needle));
    },

    onSearchKey(event: KeyboardEvent): void {
      if (event.key !== "Enter" || editor === null) return;
      event.preventDefault();
      this.searchText = searchTextOf(this.needle, editor.step(event.shiftKey ? -1 : 1));
    },

    onImage({ naturalWidth, naturalHeight }: HTMLImageElement): void {
      if (this.image !== "") this.imageSize = `${countText(naturalWidth)} × ${countText(naturalHeight)} px`;
    },

    onBadImage(): void {
      if (this.image === "") return;
      this.image = "";
      this.problem = "Not a readable image. Choose Hex to see the bytes.";
    },

    async copyBody(): Promise<void> {
      if (body === null) return;
      await body.load(Number.POSITIVE_INFINITY);
      await deps.copy(decoderFor(contentType()).decode(body.bytes), "Body copied.");
    },

    openFieldMenu(event: MouseEvent, { name, value }: HeaderField): void {
      event.preventDefault();
      const term = namedTerm(side === "request" ? "req" : "resp", name, value.slice(0, MOST_FILTERED));
      deps.openMenu({ ...valueSubject({ term, text: value, line: `${name}: ${value}` }), ...positionAt(event) });
    },

    /** The names of the headers are one tab stop. */
    onFieldKey(event: KeyboardEvent): void {
      moveAmong(event, [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("button")]);
    },

    copyHeaders(): void {
      void deps.copy(
        this.headers.map(({ name, value }) => `${name}: ${value}`).join("\n"),
        `${this.title} headers copied.`,
      );
    },
  });
}

function* preparedBy(
  document: Steps<BodyDocument>,
  prepare: (document: BodyDocument) => Steps<PreparedDocument>,
): Steps<PreparedDocument> {
  return yield* prepare(yield* document);
}

function searchTextOf(needle: string, { at, of }: MatchPosition): string {
  return needle === "" ? "" : `${countText(at)} of ${countText(of)}`;
}
