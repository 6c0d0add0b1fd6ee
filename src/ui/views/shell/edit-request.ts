import { editProblemsOf } from "../../../engine/interchange/edited-request.ts";
import type { EditableRequest, EditProblems } from "../../../engine/messages/edit-messages.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { bytesPhrase } from "../../format/bytes.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";

const EMPTY = {
  method: "",
  url: "",
  headers: "",
  body: "",
  /** Whether the body is sent as recorded, because it is no text. */
  isBodyKept: false,
  bodyNote: "",
  problems: Object.freeze({}) as EditProblems,
  problem: "",
  sent: "",
  isReady: false,
};

/** The dialog "Edit and send": a recorded request whose method, URL, headers and body can be changed. */
export function editDialog(
  { commands, selection }: Pick<ViewDependencies, "commands" | "selection">,
  onWish: (listener: (exchange: ExchangeId) => void) => void,
) {
  let exchange: ExchangeId | null = null;
  let recordedBody: string | null = null;

  return view({
    ...EMPTY,

    init(): void {
      onWish((wanted) => {
        exchange = wanted;
        Object.assign(this, EMPTY);
        this.$root.closest("dialog")?.showModal();
        void commands.send({ type: "edit-request", exchange: wanted }).then((reply) => {
          if (exchange !== wanted) return;
          if (!reply.ok) {
            this.problem = reply.problem;
            return;
          }
          const { method, url, headers, body, bodySize } = reply.value as EditableRequest;
          recordedBody = body;
          Object.assign(this, { method, url, headers, body: body ?? "", isBodyKept: body === null, isReady: true });
          this.bodyNote =
            body === null ? `The body is no editable text. Its ${bytesPhrase(bodySize)} are sent as recorded.` : "";
        });
      });
    },

    /** Called when the user changes a field. */
    edit(): void {
      Object.assign(this, { problems: Object.freeze({}), problem: "", sent: "" });
    },

    replaceBody(): void {
      Object.assign(this, { isBodyKept: false, bodyNote: "" });
    },

    send(): void {
      const { method, url, headers, body, isBodyKept } = this;
      this.edit();
      this.problems = editProblemsOf({ method, url, headers });
      if (exchange === null || !this.isReady || Object.keys(this.problems).length > 0) return;
      const isUnchanged = isBodyKept || body === recordedBody;
      void commands
        .send({ type: "send-edited", exchange, method, url, headers, body: isUnchanged ? null : body })
        .then((reply) => {
          if (reply.ok) this.sent = "Sent. Its row is tagged as resent and is in no statistic.";
          else this.problem = reply.problem;
        });
    },

    showInTraffic(): void {
      this.$root.closest("dialog")?.close();
      selection.set({ view: "traffic", filter: "tag:resent", exchange: null });
    },
  });
}
