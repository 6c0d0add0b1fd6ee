import { KEPT, KEPT_NAMES, type KeptFields, type Packing } from "../../src/engine/model/exchange-fields.ts";
import { choice, count, flag, type Schema, text } from "./shapes.ts";

/** The schemas of the record's fields, where the exchange has them. */
export const RECORD = Object.fromEntries(KEPT_NAMES.map((name) => [name, schemaOf(KEPT[name], KEPT[name].about)])) as {
  readonly [Name in keyof KeptFields]: Schema;
};

function schemaOf(packing: Packing, about: string): Schema {
  switch (packing.as) {
    case "nullable":
    case "optional":
      return schemaOf(packing.of, about);
    case "figure":
      return count(about, packing.least);
    case "flag":
      return flag(about);
    case "choice":
      return choice(packing.of, about);
    case "word":
      return text(about);
    default:
      throw new Error(`no export has a field that is packed as ${packing.as}`);
  }
}
