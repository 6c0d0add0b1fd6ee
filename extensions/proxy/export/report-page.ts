import { basename, dirname } from "node:path";
import { reportHtml } from "../../../src/engine/interchange/report-html.ts";
import { CLOSED, type ExportSource, type Piece } from "../../../src/engine/report/export-source.ts";
import { pageReportOf } from "../../../src/engine/report/page-report.ts";
import { SessionReader } from "../storage/session-reader.ts";
import { reportOptionsOf } from "./session-report.ts";

/** The report on a session as an HTML page. Throws a sentence if the session is deleted meanwhile. */
export async function* reportPieces(source: ExportSource, redact: boolean): AsyncGenerator<Piece> {
  const { reader, version, baseline } = source;
  if (reader === null) throw new Error("Nothing has been captured yet.");
  const folder = reader instanceof SessionReader ? reader.folder : null;
  const dataDir = folder === null ? null : dirname(dirname(folder));
  const opened = { ...source, reader, name: folder === null ? "" : basename(folder), leftOut: [], leftOutCount: 0 };
  const page = await pageReportOf(opened, { redact, ...(await reportOptionsOf({ baseline, dataDir })) });
  if (page === null) throw new Error(CLOSED);
  const facts = { version, madeAt: new Date().toISOString(), redact };
  for (const text of reportHtml([page], facts)) yield { text, progress: 1 };
}
