/** A function or method that other files can call. */
export interface Signature {
  readonly name: string;
  /** The text of its documentation comment; "" without one. */
  readonly comment: string;
  /** The members of the union that the function returns, without `Promise` and without type arguments. */
  readonly returns: readonly string[];
}

/** The first line of a function or method, with its export, its indentation and its name. */
const HEAD = /^(?:(export )?(?:async )?function\*? |( {2})(?:static |async |get |override )*)(#?\w+)[<(]/;
/** The last line of a signature, with the return type. */
const END = /^(?: {0,2}\S.*)?\): (.+) \{$/;

/** The exported functions and the public methods in a source, which must be formatted as ours are. */
export function signaturesIn(source: string): readonly Signature[] {
  const lines = source.split("\n");
  return lines.flatMap((line, index) => {
    const type = END.exec(line)?.[1];
    if (type === undefined) return [];
    const start = lines.findLastIndex((one, position) => position <= index && HEAD.test(one));
    const [, exported, indentation, name = "#"] = HEAD.exec(lines[start] ?? "") ?? [];
    if ((exported ?? indentation) === undefined || name.startsWith("#")) return [];
    const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/$/.exec(lines.slice(0, start).join("\n"))?.[1] ?? "";
    return { name, comment: comment.replaceAll(/\s*\n \* ?/g, " "), returns: alternativesOf(type) };
  });
}

function alternativesOf(type: string): readonly string[] {
  let flat = type.replace(/^Promise<(.*)>$/, "$1").replaceAll("=>", "");
  for (let before = ""; before !== flat; ) {
    before = flat;
    flat = flat.replaceAll(/[<({[][^<({[>)}\]]*[>)}\]]/g, "");
  }
  return flat.split("|").map((one) => one.trim());
}
