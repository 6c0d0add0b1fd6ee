import type { BodyPiece, MessageRecord } from "../../../engine/messages/exchange-messages.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import { exactClockText } from "../../format/clock.ts";
import { countPhrase } from "../../format/count.ts";
import { EMPTY_FRAME, type ListFrame, type Slot } from "../../parts/list/list-frame.ts";
import { LAST_ROWS } from "../../parts/list/requested-range.ts";
import { VirtualList } from "../../parts/list/virtual-list.ts";
import { bytesOf } from "../../state/bodies.ts";
import type { QueryOf } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { answerOf, isCounted } from "../list-now.ts";
import { view } from "../view.ts";
import { type MessageRow, messageRowOf } from "./message-row.ts";
import { prettyJsonOf } from "./pretty-json.ts";

/** Height of a row, as in tokens.css (--row). */
const ROW = 28;

/** The messages of a WebSocket or an event stream as they arrive, and the whole content of the selected message. */
export function messagesView(deps: ViewDependencies) {
  const rowOf = new WeakMap<MessageRecord, MessageRow>();
  const ending: (() => void)[] = [];
  let list: VirtualList<MessageRow> | null = null;
  let recordAt: (index: number) => MessageRecord | null = () => null;
  let open: (index: number) => void = () => {};
  let turn = 0;

  return view({
    frame: EMPTY_FRAME as ListFrame<MessageRow>,
    countText: "",
    title: "",
    text: "",
    problem: "",

    init(): void {
      const exchange = deps.selection.now.exchange;
      if (exchange === null) return;
      let query: QueryOf<"messages"> = { view: "messages", exchange, range: LAST_ROWS };
      const messages = deps.windows.list(query, () => {
        list?.update(messages.state.matched);
        if (isCounted(messages)) this.countText = countPhrase(messages.state.total, "message", "messages");
      });
      // Searched by index: the rows lack damaged messages, so a row's position can differ from its index.
      recordAt = (at) => messages.rows().find(({ index }) => index === at) ?? null;
      const show = async (record: MessageRecord | null): Promise<void> => {
        turn += 1;
        const mine = turn;
        if (record === null) return;
        this.title = `${record.kind}, ${bytesPhrase(record.size)}, ${exactClockText(record.at)}`;
        this.text = record.preview;
        this.problem = "";
        const reply = await deps.commands.send({ type: "read-message", exchange: query.exchange, index: record.index });
        if (mine !== turn) return;
        this.problem = reply.ok ? ((reply.value as BodyPiece).problem ?? "") : reply.problem;
        if (reply.ok) this.text = messageText(record, bytesOf((reply.value as BodyPiece).base64));
      };
      open = (index) => void show(recordAt(index));
      list = new VirtualList<MessageRow>({
        name: "message-row",
        rowHeight: ROW,
        requested: query.range,
        follows: () => true,
        rowAt: (index) => {
          const record = recordAt(index);
          if (record === null) return null;
          const before = index === 0 ? null : recordAt(index - 1);
          const row = rowOf.get(record) ?? messageRowOf(record, before);
          // A row without its gap is not cached; the gap is missing until the previous message is loaded.
          if (index === 0 || before !== null) rowOf.set(record, row);
          return row;
        },
        keyAt: (index) => recordAt(index)?.index ?? null,
        indexOf: (key) => Number(key),
        wanted: (range) => {
          query = { ...query, range };
          messages.update(query);
        },
        answer: () => answerOf(messages),
        draw: (frame) => {
          this.frame = frame;
        },
        moved: (key) => open(Number(key)),
        opened: (key) => open(Number(key)),
      });
      list.attach(this.$refs);
      ending.push(
        () => messages.close(),
        () => list?.detach(),
        deps.selection.watch((selected) => {
          if (selected.exchange === null || selected.exchange === query.exchange) return;
          query = { ...query, exchange: selected.exchange };
          this.title = "";
          list?.activate(null);
          list?.reset();
        }),
      );
    },

    destroy(): void {
      for (const end of ending.splice(0)) end();
    },

    pick({ index }: Slot<MessageRow>): void {
      list?.activate(index);
      open(index);
    },

    onKey(event: KeyboardEvent): void {
      list?.onKey(event);
    },

    copyMessage(): void {
      void deps.copy(this.text, "Message copied.");
    },
  });
}

/** The content of a message: text unchanged, JSON indented, binary data as hex pairs. */
function messageText(record: MessageRecord, bytes: Uint8Array): string {
  if (record.kind === "binary") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const text = new TextDecoder().decode(bytes);
  const pretty = /^\s*[[{]/.test(text) ? prettyJsonOf(text) : null;
  return pretty?.lines.join("\n") ?? text;
}
