import {
  type Form,
  formKey,
  headingsOf,
  lacksAddress,
  problemOf,
  SHELL_NAMES,
  type Values,
  type Variant,
} from "../../../engine/hub/target.ts";
import { reversedUrl } from "../../../engine/hub/targets/reverse.ts";
import type { HubState, SnippetCopy } from "../../../engine/messages/hub-messages.ts";
import { type HubNow, shellOf, valuesWith } from "./hub-model.ts";
import { timeOfDayText } from "./time-of-day.ts";

/** One button of a group that offers a choice. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly chosen: boolean;
}

/** The variants to choose from, and the text of the chosen variant. */
export type SnippetBlock = ReturnType<typeof blockOf>;

/** The blocks of the tab Snippets for the given sample URL; `today` is the current instant. */
export function blocksOf(now: HubNow, hub: HubState, url: string, today: number): readonly SnippetBlock[] {
  return Object.freeze(
    headingsOf(now.target).map(({ heading, variants }) => blockOf(now, hub, heading, variants, url, today)),
  );
}

/** The blocks for Validate: variants whose text requests the URL. A variant's `inTest`, if set, decides instead. */
export function sendingBlocksOf(now: HubNow, hub: HubState, url: string, today: number): readonly SnippetBlock[] {
  const values = valuesWith(hub, url);
  // Not parsed by `URL`, which rejects some probe hosts that a user may enter.
  const path = url.replace(/^\w+:\/\/[^/]*/, "");
  const sends = (variant: Variant): boolean => variant.inTest ?? asksFor(variant, values, path);
  return Object.freeze(
    headingsOf(now.target).flatMap(({ heading, variants }) => {
      const sending = variants.filter(sends);
      return sending.length === 0 ? [] : [blockOf(now, hub, heading, sending, url, today)];
    }),
  );
}

/** Whether the user must open the URL, because no text of the target requests it. */
export function isOpened({ target }: HubNow, hub: HubState, url: string): boolean {
  const values = valuesWith(hub, url);
  const addresses = [url, reversedUrl(values)];
  return !target.variants.some((variant) => addresses.some((address) => asksFor(variant, values, address)));
}

/** Whether a text of the variant contains `address`: a URL or a part of one. */
function asksFor({ forms }: Variant, values: Values, address: string): boolean {
  return forms.some((form) => problemOf(form, values) === null && form.text(values).includes(address));
}

function blockOf(
  now: HubNow,
  hub: HubState,
  heading: string,
  variants: readonly Variant[],
  url: string,
  today: number,
) {
  const { slug } = now.target;
  const variantKey = `${slug}/${heading}`;
  const variant = chosen(variants, now.choices[variantKey], ({ id }) => id);
  const versions = [...new Set(variant.forms.map(({ version }) => version ?? ""))];
  const versionKey = `${variantKey}/${variant.id}`;
  const version = chosen(versions, now.choices[versionKey], (one) => one);
  const forms = variant.forms.filter((form) => (form.version ?? "") === version);
  const shells = forms.flatMap(({ shell }) => (shell === null ? [] : [shell]));
  const shell = chosen(shells.length === 0 ? [null] : shells, shellOf(now), (one) => one ?? "");
  const form = chosen(forms, shell ?? "", (one) => one.shell ?? "");
  const values = valuesWith(hub, url);
  const problem = problemOf(form, values);
  const text = problem === null ? form.text(values) : "";
  const key = formKey(variant, form);
  const copy = now.state?.copies.find((one) => one.form === key) ?? null;
  const stale = copy === null ? "" : staleText(copy, hub, variant.title);
  const underlined = copy !== null && copy.port !== hub.conditions.proxy.port;
  return Object.freeze({
    heading,
    /** The keys of the chosen variant and version in `HubNow.choices`. */
    variantKey,
    versionKey,
    /** Empty if there is nothing to choose. */
    variants: choices(variants, variant, ({ id, title }) => ({ id, label: title })),
    versions: choices(versions, version, (one) => ({ id: one, label: one })),
    shells: choices(shells, shell, (one) => ({ id: one, label: SHELL_NAMES[one] })),
    title: variant.title,
    /** How to name the text's file if that matters, and with which program our tests ran exactly this text. */
    ran: [
      ...(variant.file === undefined ? [] : [`Save as ${variant.file}.`]),
      ...(form.ran === null ? [] : [`Tested with ${form.ran}`]),
    ].join(" "),
    /** The text's name in messages to the engine. */
    form: key,
    text,
    lines: coloured(text, readingOf(variant, form), underlined ? String(hub.values.port) : null),
    /** Why there is no text, as a sentence; "" if there is one. */
    problem: problem ?? "",
    /** Whether the problem is that there is no network address. */
    lacksAddress: lacksAddress(form, values),
    note: variant.note ?? "",
    /** The command that installs what the text imports; "" if there is none. */
    install: form.install ?? "",
    /** The words before `install`. */
    installLead: form.installFor === undefined ? "First" : `For ${form.installFor}, first`,
    undo: problem === null ? (form.undo?.(values) ?? "") : "",
    /** When exactly this text was copied in this window; "" if it was not. */
    copied: copy === null || now.copied[`${slug}/${key}`] !== text ? "" : `Copied ${timeOfDayText(copy.at, today)}`,
    /** Why the copied text is outdated, as a sentence; "" if it is current or was never copied. */
    stale,
    /** Whether the port has changed since the copy; the port is then underlined in the text. */
    underlined,
  });
}

/** Why a copy is outdated; empty if the copy is current. */
export function staleText({ at, port, fingerprint }: SnippetCopy, hub: HubState, title: string): string {
  const now = hub.conditions;
  const reasons = [
    ...(port === now.proxy.port ? [] : [`with port ${port} (the proxy now listens on ${now.proxy.port})`]),
    ...(fingerprint === now.certificate.fingerprint ? [] : ["with a certificate that has since been replaced"]),
  ];
  if (reasons.length === 0) return "";
  return `You copied ${title} at ${timeOfDayText(at, at)} ${reasons.join(" and ")}.`;
}

function readingOf(variant: Variant, form: Form): Reading {
  if (form.shell !== null) return "shell";
  return variant.language === "text" ? "plain" : "code";
}

function chosen<One>(all: readonly One[], id: string | undefined, idOf: (one: One) => string): One {
  const one = all.find((candidate) => idOf(candidate) === id) ?? all[0];
  if (one === undefined) throw new Error("a choice between nothing");
  return one;
}

function choices<One>(
  all: readonly One[],
  current: One | null,
  choiceOf: (one: One) => Omit<Choice, "chosen">,
): readonly Choice[] {
  if (all.length < 2) return Object.freeze([]);
  return Object.freeze(all.map((one) => Object.freeze({ ...choiceOf(one), chosen: one === current })));
}

/** A piece of a line of code in a single colour. */
interface Run {
  readonly key: number;
  readonly text: string;
  readonly kind: "plain" | "keyword" | "string" | "number" | "option" | "comment";
  /** Whether the piece must not wrap: true for options (`--proxy`) and for short strings. */
  readonly whole: boolean;
  /** Whether the piece is the value that changed since the text was copied. */
  readonly changed: boolean;
}

interface CodeLine {
  readonly key: number;
  readonly runs: readonly Run[];
}

/** How a text is split into tokens: code of some language, lines for a shell, or plain values. */
export type Reading = "code" | "shell" | "plain";

/** Keywords of all languages in the hub's texts; the colouring does not distinguish languages. */
const CODE_WORDS =
  "as async await class const def do else end extern false fn for foreach from func function if import in let match mut new nil null package public require return static try True False true type use using var void while with";

const KEYWORDS: Readonly<Record<Reading, ReadonlySet<string>>> = {
  code: new Set(CODE_WORDS.split(" ")),
  shell: new Set(["export", "set", "unset"]),
  plain: new Set(),
};

/** The patterns of tokens. In shell text, an assigned value is a string, and numbers are not tokens. */
const TOKENS: Readonly<Record<Reading, RegExp>> = {
  code: /(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<comment>\/\/.*)|(?<number>\b\d+(?:\.\d+)?\b)|\b[A-Za-z_]\w*\b/g,
  shell: /(?<string>"[^"\n]*"|'[^'\n]*'|(?<=\w=)[^\s'"]+)|(?<option>(?<!\S)--?[A-Za-z][\w-]*)|\b[A-Za-z_]\w*\b/g,
  plain: /(?!)/g,
};

/** The most characters of a string that must not wrap; the narrowest window has room for them. */
const LONGEST_WHOLE = 40;

/** Splits a text into lines of coloured pieces. `changed`: a value to underline (such as a port); `null`: none. */
export function coloured(text: string, reading: Reading, changed: string | null): readonly CodeLine[] {
  return Object.freeze(
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line, key) => Object.freeze({ key, runs: Object.freeze(keyed(runsOf(line, reading), changed)) })),
  );
}

type Token = Pick<Run, "text" | "kind">;

function runsOf(line: string, reading: Reading): readonly Token[] {
  const runs: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(TOKENS[reading])) {
    const [text] = match;
    const kind = KEYWORDS[reading].has(text) ? "keyword" : kindOf(match.groups ?? {});
    if (kind === "plain") continue;
    if (match.index > at) runs.push({ text: line.slice(at, match.index), kind: "plain" });
    runs.push({ text, kind });
    at = match.index + text.length;
  }
  if (at < line.length || line === "") runs.push({ text: line.slice(at), kind: "plain" });
  return runs;
}

function kindOf({ string, number, option, comment }: Partial<Record<string, string>>): Run["kind"] {
  if (string !== undefined) return "string";
  if (number !== undefined) return "number";
  if (option !== undefined) return "option";
  return comment === undefined ? "plain" : "comment";
}

/** Splits tokens at the changed value. */
function keyed(tokens: readonly Token[], changed: string | null): readonly Run[] {
  const cut = changed === null ? null : new RegExp(`(?<!\\d)(${changed.replaceAll(/\W/g, "\\$&")})(?!\\d)`);
  let key = 0;
  return tokens.flatMap(({ text, kind }) =>
    (cut === null ? [text] : text.split(cut)).flatMap((part, index) => {
      if (part === "" && text !== "") return [];
      key += 1;
      const whole = kind === "option" || (kind === "string" && part.length <= LONGEST_WHOLE);
      return [Object.freeze({ key, text: part, kind, whole, changed: index % 2 === 1 })];
    }),
  );
}
