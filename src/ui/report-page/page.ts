import { saveFile } from "../parts/save-file.ts";
import type { FromWorker, ToWorker } from "./report-messages.ts";

const UNSUPPORTED =
  "This browser is too old for this page. Use Chrome or Edge 140, Firefox 133, Safari 18.2, or a newer one.";

const FAILED = "The files could not be read. Large ones may need more memory than a page has; weir report reads them.";

/** The page's state, by which its parts are shown. */
type State = "empty" | "working" | "shown";

const empty = part("empty", HTMLElement);
const working = part("working", HTMLElement);
const step = part("step", HTMLElement);
const progress = part("progress", HTMLProgressElement);
const frame = part("report", HTMLIFrameElement);
const actions = part("actions", HTMLElement);
const source = part("source", HTMLSelectElement);
const problems = part("problems", HTMLElement);
const status = part("status", HTMLElement);
const files = part("files", HTMLInputElement);

let worker: Worker | null = null;
/** The address of the worker's script; "" before the first worker. */
let workerAddress = "";
let html = "";
/** What is shown again once work was cancelled. */
let before: State = "empty";

function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

function show(state: State): void {
  empty.hidden = state !== "empty";
  working.hidden = state !== "working";
  frame.hidden = state !== "shown";
  actions.hidden = state !== "shown";
}

function startWorker(): Worker {
  const script = document.getElementById("worker")?.textContent ?? "";
  if (workerAddress === "") workerAddress = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const started = new Worker(workerAddress);
  started.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => receive(data));
  started.addEventListener("error", (event) => {
    event.preventDefault();
    refuse("", FAILED);
    stop("No report: the files could not be read");
  });
  return started;
}

function ask(message: ToWorker): void {
  worker ??= startWorker();
  worker.postMessage(message);
}

function read(chosen: readonly File[]): void {
  if (chosen.length === 0) return;
  // A worker that is still reading other files would answer with their report.
  worker?.terminate();
  worker = null;
  problems.replaceChildren();
  if (!working.hidden) before = "empty";
  beginWork(`Reading ${chosen[0]?.name ?? ""}`);
  const facts = { version: document.body.dataset["version"] ?? "", madeAt: new Date().toISOString(), redact: true };
  ask({ type: "report", files: chosen, facts });
}

function beginWork(text: string): void {
  if (working.hidden) before = frame.hidden ? "empty" : "shown";
  step.textContent = text;
  progress.value = 0;
  show("working");
  step.focus();
}

/** Ends the worker, which loses its files: a report stays, but its redacted files cannot be made any more. */
function stop(text: string): void {
  worker?.terminate();
  worker = null;
  finish(before, text);
  allowHar(before !== "shown");
}

function allowHar(isAllowed: boolean): void {
  const button = part("save-har", HTMLButtonElement);
  button.disabled = !isAllowed;
  button.title = isAllowed ? "" : "Choose the files again to save them redacted.";
}

function receive(message: FromWorker): void {
  switch (message.type) {
    case "progress":
      step.textContent = message.step;
      progress.value = message.done * 100;
      return;
    case "refused":
      return refuse(message.name, message.problem);
    case "report":
      return showReport(message.html, message.names);
    case "har":
      saveFile(message.file, message.name);
      return finish("shown", `Saved ${message.name}`);
  }
}

function finish(state: State, text: string): void {
  show(state);
  status.textContent = text;
  (state === "shown" ? frame : part("choose", HTMLButtonElement)).focus();
}

function refuse(name: string, problem: string): void {
  const line = document.createElement("p");
  line.textContent = name === "" ? problem : `${name}: ${problem}`;
  problems.append(line);
}

function showReport(text: string, names: readonly string[]): void {
  if (names.length === 0) return finish("empty", "No report: no file could be read");
  html = text;
  frame.srcdoc = text;
  source.replaceChildren(...names.map((name, index) => new Option(name, String(index))));
  (source.closest("label") as HTMLElement).hidden = names.length < 2;
  allowHar(true);
  document.title = `${names.join(", ")} · Weir report`;
  finish("shown", "The report is ready");
}

/** Takes files that are dropped on a document: the page, or the report in its frame. */
function takeDrops(target: Document): void {
  target.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("is-dragged");
  });
  target.addEventListener("dragleave", () => document.body.classList.remove("is-dragged"));
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("is-dragged");
    read([...(event.dataTransfer?.files ?? [])]);
  });
}

function choose(): void {
  files.value = "";
  files.click();
}

show("empty");
takeDrops(document);
frame.addEventListener("load", () => {
  if (frame.contentDocument !== null) takeDrops(frame.contentDocument);
});
files.addEventListener("change", () => read([...(files.files ?? [])]));
part("choose", HTMLButtonElement).addEventListener("click", choose);
part("choose-again", HTMLButtonElement).addEventListener("click", choose);
part("cancel", HTMLButtonElement).addEventListener("click", () => stop("Cancelled"));
part("save-report", HTMLButtonElement).addEventListener("click", () =>
  saveFile(
    new Blob([html], { type: "text/html" }),
    `${(source.options[0]?.text ?? "").replace(/\.har.*$/i, "")}-report.html`,
  ),
);
part("save-har", HTMLButtonElement).addEventListener("click", () => {
  beginWork(`Redacting ${source.selectedOptions[0]?.text ?? ""}`);
  ask({ type: "save-har", source: Number(source.value) });
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !working.hidden) stop("Cancelled");
});
if (!("toBase64" in Uint8Array.prototype)) {
  refuse("", UNSUPPORTED);
  part("choose", HTMLButtonElement).disabled = true;
}
