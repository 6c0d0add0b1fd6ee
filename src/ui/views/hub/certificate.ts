import { phonePageUrl } from "../../../engine/hub/device.ts";
import type { HubState } from "../../../engine/messages/hub-messages.ts";
import { certificateDateText } from "../../format/clock.ts";
import { type CopyRow, exportedFiles } from "../exported-files.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { view } from "../view.ts";
import type { HubDependencies } from "./dependencies.ts";
import { type QrCode, shownQrCode } from "./qr-code.ts";
import { trustText } from "./status-panel.ts";
import { timeOfDayText } from "./time-of-day.ts";

/** The certificate dialog: the files, whether the system trusts the certificate, and the page for phones. */
export function certificateDialog(deps: HubDependencies) {
  const { model, commands } = deps;
  let dialog: HTMLDialogElement | null = null;
  let typed: string | null = null;

  return view({
    rows: Object.freeze([]) as readonly CopyRow[],
    validTo: "",
    endWarning: "",
    folder: "",
    /** Why an export from this dialog failed, as text; "" if it did not fail. */
    exportProblem: "",
    exported: "",
    trust: "",
    asking: false,
    /** The address of the page for devices. */
    page: "",
    isReachable: false,
    /** `null` while other devices cannot reach Weir. */
    phone: null as QrCode | null,

    init(): void {
      const { certificate } = this.$refs;
      if (certificate instanceof HTMLDialogElement) dialog = certificate;
      deps.onShowCertificate(() => {
        typed = null;
        this.exportProblem = "";
        dialog?.showModal();
      });
      const showCode = shownQrCode((code) => {
        this.phone = code;
      });
      model.watch(({ hub }) => {
        if (hub === null) return;
        const { trustedBySystem, exportProblem } = hub.conditions.certificate;
        this.rows = reuseIfEqual(this.rows, rowsOf(hub));
        this.validTo = certificateDateText(hub.validTo);
        this.endWarning = hub.endWarning ?? "";
        this.folder = typed ?? hub.folder;
        this.exported =
          hub.exportedAt === null
            ? (exportProblem ?? "")
            : `Files exported ${timeOfDayText(hub.exportedAt, deps.now())}.`;
        this.trust = `The system's certificate store: ${trustText(trustedBySystem, hub.trustReadAt !== null)}.`;
        this.page = phonePageUrl(hub.values);
        this.isReachable = hub.values.lan !== null;
        showCode(this.isReachable ? this.page : "");
      });
    },

    close(): void {
      dialog?.close();
    },

    copy({ name, value }: Pick<CopyRow, "name" | "value">): void {
      void deps.copy(value, `${name} copied.`);
    },

    async exportTo(folder: string): Promise<void> {
      typed = folder;
      // Set before the reply, because the field may hold newer text when the reply arrives.
      this.folder = folder;
      const reply = await commands.send({ type: "export-certificate", folder });
      this.exportProblem = reply.ok ? "" : reply.problem;
      if (!reply.ok) return;
      typed = null;
      deps.announce("Certificate exported.");
    },

    async askTrust(): Promise<void> {
      this.asking = true;
      const reply = await commands.send({ type: "check-trust" });
      this.asking = false;
      if (!reply.ok) deps.announce(reply.problem);
    },
  });
}

function rowsOf({ conditions, values }: HubState): readonly CopyRow[] {
  return [
    { name: "SHA-256", value: conditions.certificate.fingerprint, note: "" },
    ...exportedFiles(values.ca, values.bundle, values.der),
  ];
}
