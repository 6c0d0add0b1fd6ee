import {
  type Conditions,
  conditionProblems,
  conditionsOf,
  conditionsText,
  PRESETS,
} from "../../../engine/model/conditions.ts";
import type { ViewDependencies } from "../dependencies.ts";

type FieldName = "roundTrip" | "down" | "up" | "hosts";

export interface Field {
  readonly id: FieldName;
  readonly name: string;
  readonly unit: string;
  readonly mode: "numeric" | "text";
  readonly kind: string;
  readonly value: string;
  readonly problem: string;
}

const FIELDS: readonly Pick<Field, "id" | "name" | "unit" | "mode" | "kind">[] = [
  { id: "roundTrip", name: "Round trip", unit: "ms", mode: "numeric", kind: "w-24 text-right" },
  { id: "down", name: "Down", unit: "kbit/s", mode: "numeric", kind: "w-24 text-right" },
  { id: "up", name: "Up", unit: "kbit/s", mode: "numeric", kind: "w-24 text-right" },
  { id: "hosts", name: "Hosts", unit: "", mode: "text", kind: "w-full mono" },
];

const OWN = "own";
const FIRST = "slow-4g";

/** The dialog that starts conditions: a preset or own figures, and the hosts to slow. */
export function conditionsDialog({ commands, announce }: Pick<ViewDependencies, "commands" | "announce">) {
  const presets = PRESETS.map((preset) => ({ id: preset.id, text: conditionsText(conditionsOf(preset)) }));
  return {
    presets: Object.freeze(presets),
    chosen: FIRST,
    values: valuesOf(FIRST) as Readonly<Record<FieldName, string>>,
    /** Whether a start was refused, so that problems are shown beside their fields. */
    isTried: false,
    problem: "",

    get fields(): readonly Field[] {
      const problems = conditionProblems(conditionsFrom(this.chosen, this.values));
      return FIELDS.map((field) => ({
        ...field,
        value: this.values[field.id],
        problem: this.isTried ? (problems[field.id] ?? "") : "",
      }));
    },

    choose(id: string): void {
      this.chosen = id;
      if (id !== OWN) this.values = { ...valuesOf(id), hosts: this.values.hosts };
    },

    edit(id: FieldName, value: string): void {
      this.values = { ...this.values, [id]: value };
      if (id !== "hosts") this.chosen = OWN;
      this.problem = "";
    },

    async start(root: HTMLElement): Promise<void> {
      const conditions = conditionsFrom(this.chosen, this.values);
      this.isTried = true;
      if (Object.values(conditionProblems(conditions)).some((problem) => problem !== null)) return;
      const reply = await commands.send({ type: "set-conditions", conditions });
      this.problem = reply.ok ? "" : reply.problem;
      if (!reply.ok) return;
      announce("Clients are slowed from now on.");
      this.close(root);
    },

    close(root: HTMLElement): void {
      this.isTried = false;
      root.closest("dialog")?.close();
    },
  };
}

function valuesOf(id: string): Readonly<Record<FieldName, string>> {
  const figures = PRESETS.find((preset) => preset.id === id)?.figures;
  const { roundTrip = 0, down = 0, up = 0 } = figures ?? {};
  return { roundTrip: String(roundTrip), down: String(down), up: String(up), hosts: "" };
}

function conditionsFrom(chosen: string, values: Readonly<Record<FieldName, string>>): Conditions {
  const figure = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN);
  return {
    name: PRESETS.find(({ id }) => id === chosen)?.name ?? null,
    roundTrip: figure(values.roundTrip),
    down: figure(values.down),
    up: figure(values.up),
    hosts: values.hosts.split(/[\s,]+/).filter((host) => host !== ""),
  };
}
