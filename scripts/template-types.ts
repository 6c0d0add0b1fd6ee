import { pageText, type Read } from "./page-text.ts";

/*
 * Turns the expressions of a page's templates into TypeScript. A component becomes a constant with the members of its
 * view and of the views around it, `x-if` becomes `if`, and `x-for` becomes a loop, so that the compiler infers the
 * type of each variable.
 */

/** The TypeScript of a page, and for each of its lines the attribute from which it comes. */
export interface TypedPage {
  readonly text: string;
  readonly places: readonly (Place | null)[];
}

export interface Place {
  /** Path relative to src/ui. */
  readonly file: string;
  readonly line: number;
  /** The attribute as written. */
  readonly attribute: string;
}

/** Each page, and the module whose type `Views` has the page's components by name. */
export const PAGES = { index: "main", hub: "hub" } as const;

const HELPERS = `type Made<T> = T extends (...given: never) => infer Members ? Members : T;
type Inside<Outer, Members> = Omit<Outer, keyof Members> & Members;
type Texts<Slot> = Slot extends { readonly row: infer Row } ? NonNullable<Row> : never;
type ElementOf<Tag> = Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : SVGElement;
type EventOf<Name> = Name extends keyof HTMLElementEventMap ? HTMLElementEventMap[Name] : Event;
declare function $made<T>(component: T): Made<T>;
declare function $inside<Outer, Members>(outer: Outer, members: Members): Inside<Outer, Members>;
declare function $each<Item>(list: readonly Item[]): readonly Item[];
declare function $texts<Slot>(slots: readonly Slot[]): Texts<Slot>;
declare function $use(value: unknown): void;
declare function $maybe(): boolean;
declare function $a<T>(): T;
interface Mounted { readonly $refs: Readonly<Record<string, HTMLElement>> }
declare const $0: Mounted;
declare const $views: Views;`;

const TAG = /<!--(?:.|\n)*?-->|<(\/?)([a-z][\w-]*)((?:\s+[^\s"=<>/]+(?:="[^"]*")?)*)\s*(\/?)>/gi;
const VOID = new Set(["meta", "link", "input", "br", "hr", "img", "col", "wbr"]);
const WORD = /'(?:[^'\\]|\\.)*'|\.?[A-Za-z_$][\w$]*|\d[\w.]*|[{}()[\],]/g;
const KEYWORDS = new Set(["true", "false", "null", "undefined", "typeof", "$refs"]);
/** Attributes that change what the others on the same element see, in the order in which Alpine evaluates them. */
const SCOPING = ["x-data", "x-for", "x-if", "x-cells", "x-rows"];
const CELL = /^data-(?:text|title|class|background)$/;
const EXPRESSION = /^(?::|x-(?:text|show|model|bind:))/;
/** Attributes of Alpine without an expression. */
const PLAIN = new Set(["x-ref", "x-cloak", "x-ignore"]);

interface Scope {
  /** The constant that holds the component's members. */
  readonly members: string;
  /** Variables of the loops inside the component. */
  readonly variables: readonly string[];
  /** The constant that holds the texts of `data-text` and its like; `null` outside `x-cells` and `x-rows`. */
  readonly cells: string | null;
}

/** Throws if the tags of the page are not nested, or if an attribute of Alpine is unknown here. */
export function typedPage(page: keyof typeof PAGES, read: Read): TypedPage {
  const { html, origins } = unmarked(pageText(`${page}.html`, (file) => marked(file, read(file))));
  const lines: string[] = [];
  const places: (Place | null)[] = [];
  const emit = (text: string, place: Place | null = null): void => {
    lines.push(text);
    places.push(place);
  };
  emit(`import type { Views } from "../../src/ui/${PAGES[page]}.ts";`);
  for (const line of HELPERS.split("\n")) emit(line);
  emit(`declare const $refs: { ${refsIn(html)} };`);
  let scope: Scope = { members: "$0", variables: [], cells: null };
  const open: { readonly tag: string; readonly outer: Scope; readonly closing: string }[] = [];
  for (const { index, 0: whole, 1: slash, 2: tag = "", 3: words = "", 4: selfClosed } of html.matchAll(TAG)) {
    if (whole.startsWith("<!--")) continue;
    if (slash === "/") {
      const last = open.pop();
      if (last?.tag !== tag) throw new Error(`${page}.html: </${tag}> closes <${last?.tag}>.`);
      emit(last.closing);
      scope = last.outer;
      continue;
    }
    const outer = scope;
    let closing = "}";
    emit("{");
    for (const { name, value, place } of attributesOf(words, index + 1 + tag.length, origins)) {
      const constant = `$${lines.length}`;
      const typed = typedExpression(value, scope, tag, name);
      if (name === "x-data") {
        const given = typedExpression(value, { ...scope, members: `$inside(${scope.members}, $views)` }, tag, name);
        emit(`const ${constant} = $inside(${scope.members}, $made(${given}));`, place);
        scope = { ...scope, members: constant, variables: [] };
      } else if (name === "x-for") {
        const [, item = "", at, list = ""] = /^\(?(\w+)(?:, (\w+))?\)? in (.*)$/.exec(value) ?? [];
        const each = `$each(${typedExpression(list, scope, tag, name)})`;
        emit(
          at === undefined ? `for (const ${item} of ${each}) {` : `for (const [${at}, ${item}] of ${each}.entries()) {`,
          place,
        );
        closing += "}";
        scope = { ...scope, variables: [...scope.variables, item, at ?? item] };
      } else if (name === "x-if") {
        emit(`if (${typed}) {`, place);
        closing += "}";
      } else if (name === "x-cells" || name === "x-rows") {
        emit(`const ${constant} = ${name === "x-rows" ? "$texts" : ""}(${typed});`, place);
        scope = { ...scope, cells: constant };
      } else if (name === "data-attributes") {
        for (const pair of value.split(" ")) emit(`$use(${scope.cells}.${pair.replace(/.*:/, "")});`, place);
      } else if (CELL.test(name)) emit(`$use(${scope.cells}.${value});`, place);
      // The branch ends with `throw`, so that an assignment does not narrow the types of what follows.
      else if (name.startsWith("@") || name === "x-effect") emit(`if ($maybe()) { ${typed}; throw 0; }`, place);
      else if (EXPRESSION.test(name)) emit(`$use(${typed});`, place);
      else if (name.startsWith("x-") && !PLAIN.has(name))
        throw new Error(`${place.file}:${place.line}: the check of templates does not know ${name}.`);
    }
    if (selfClosed === "/" || VOID.has(tag)) {
      emit(closing);
      scope = outer;
    } else open.push({ tag, outer, closing });
  }
  return { text: lines.join("\n"), places };
}

interface Origin extends Omit<Place, "attribute"> {
  /** Offset of the line's end in the page. */
  readonly end: number;
}

/** The file with its path and number at the end of each line that is not replaced when the page is put together. */
function marked(file: string, text: string): string {
  const lines = text.split("\n");
  return lines.map((line, at) => (/^\s*<!--|^$/.test(line) ? line : `${line}\u0001${file}\u0001${at + 1}`)).join("\n");
}

function unmarked(text: string): { readonly html: string; readonly origins: readonly Origin[] } {
  let end = 0;
  const origins: Origin[] = [];
  const lines = text.split("\n").map((line) => {
    const [own = "", file = "", number = "0"] = line.split("\u0001");
    end += own.length + 1;
    origins.push({ file, line: Number(number), end });
    return own;
  });
  return { html: lines.join("\n"), origins };
}

/** The type of `$refs`: the names of all elements with `x-ref`. */
function refsIn(html: string): string {
  const types = new Map<string, Set<string>>();
  for (const [, tag = "", name = ""] of html.matchAll(/<([\w-]+)[^<>]*? x-ref="(\w+)"/g))
    types.set(name, (types.get(name) ?? new Set()).add(`ElementOf<"${tag}">`));
  return Array.from(types, ([name, all]) => `${name}: ${[...all].join(" | ")}`).join("; ");
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly place: Place;
}

function attributesOf(words: string, start: number, origins: readonly Origin[]): Attribute[] {
  const found = Array.from(
    words.matchAll(/([^\s"=]+)="([^"]*)"/g),
    ({ index, 0: attribute, 1: name = "", 2: value = "" }) => {
      const { file = "", line = 0 } = origins.find(({ end }) => end > start + index) ?? {};
      return {
        name,
        value: value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
        place: { file, line, attribute },
      };
    },
  );
  const rankOf = ({ name }: Attribute) => (SCOPING.includes(name) ? SCOPING.indexOf(name) : SCOPING.length);
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The expression, in which names are members of the component unless a loop defines them. */
function typedExpression(value: string, { members, variables }: Scope, tag: string, attribute: string): string {
  const brackets: string[] = [];
  let last = "";
  return value.replace(WORD, (word, offset: number) => {
    const before = last;
    last = word;
    if (/^[{([]$/.test(word)) brackets.push(word);
    if (/^[})\]]$/.test(word)) brackets.pop();
    if (!/^[A-Za-z_$]/.test(word) || KEYWORDS.has(word) || /\.\s*$/.test(value.slice(0, offset))) return word;
    const isKey = brackets.at(-1) === "{" && (before === "{" || before === ",");
    if (isKey && /^\s*:/.test(value.slice(offset + word.length))) return word;
    if (word === "$el") return `$a<ElementOf<"${tag}">>()`;
    if (word === "$event") return `$a<EventOf<"${/\w+/.exec(attribute)?.[0] ?? ""}">>()`;
    const typed = variables.includes(word) ? word : `${members}.${word}`;
    return isKey ? `${word}: ${typed}` : typed;
  });
}
