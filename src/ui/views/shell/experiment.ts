import {
  type ExperimentState,
  experimentResultText,
  FEWEST_UNITS,
  LONGEST_LEVEL,
  MOST_UNITS,
  USUAL_UNITS,
} from "../../../engine/messages/experiment-messages.ts";
import { clientNameOf } from "../../../engine/model/client-name.ts";
import { type Endpoint, hostOf, partsOf } from "../../../engine/model/endpoint.ts";
import { DEFAULT_LEVELS, type ExperimentEnd } from "../../../engine/model/experiment.ts";
import { isSafeMethod } from "../../format/method.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { ExperimentWish } from "../experiment-wish.ts";
import { view } from "../view.ts";
import type { ReplaySubject } from "./replay.ts";

const FRESH = { unitsProblem: "", levelsProblem: "", question: "", problem: "" };

/** The dialog that starts an experiment on an endpoint. */
export function experimentDialog(
  { windows, commands }: Pick<ViewDependencies, "windows" | "commands">,
  onWish: (listener: (wish: ExperimentWish) => void) => void,
) {
  let endpoint: Endpoint | null = null;

  return view({
    subject: null as ReplaySubject | null,
    levels: DEFAULT_LEVELS.join(", "),
    units: String(USUAL_UNITS),
    /** The chosen client; "" for all. */
    client: "",
    clients: Object.freeze([]) as readonly ClientChoice[],
    ...FRESH,

    get startText(): string {
      return this.question === "" ? "Start" : `Hold ${this.subject?.method ?? ""} back`;
    },

    init(): void {
      onWish(({ endpoint: wanted, exchange }) => {
        endpoint = wanted;
        const isCurrent = (): boolean => endpoint === wanted;
        const add = (clients: readonly string[]): void => {
          this.clients = choicesOf(new Set([...this.clients.map(({ client }) => client), ...clients]));
        };
        const { method, path, origin } = partsOf(wanted);
        const subject = Object.freeze({ method, changes: !isSafeMethod(method), path, host: hostOf(origin) });
        Object.assign(this, FRESH, { subject, client: "" });
        this.clients = Object.freeze([]);
        const latest = windows.list(latestOf(wanted), () => {
          if (!latest.answered) return;
          if (isCurrent()) add(latest.rows().map(({ client }) => client));
          latest.close();
        });
        if (exchange !== null) {
          const example = windows.value({ view: "exchange", exchange }, () => {
            const client = example.value?.exchange.client;
            if (client === undefined) return;
            example.close();
            if (!isCurrent()) return;
            add([client]);
            this.client = client;
          });
        }
        this.$root.closest("dialog")?.showModal();
      });
    },

    /** Called when the user changes a field. */
    edit(): void {
      Object.assign(this, FRESH);
    },

    async start(): Promise<void> {
      const levels = this.levels.split(",").map((text) => (/^\s*\d{1,4}\s*$/.test(text) ? Number(text) : -1));
      const isGood = levels.length === DEFAULT_LEVELS.length && levels.every((one) => one >= 0 && one <= LONGEST_LEVEL);
      this.levelsProblem = isGood ? "" : `Enter ${DEFAULT_LEVELS.length} whole numbers from 0 to ${LONGEST_LEVEL}.`;
      const units = /^\s*\d{1,4}\s*$/.test(this.units) ? Number(this.units) : 0;
      const isNumber = units >= FEWEST_UNITS && units <= MOST_UNITS;
      this.unitsProblem = isNumber ? "" : `Enter a whole number from ${FEWEST_UNITS} to ${MOST_UNITS}.`;
      if (!isGood || !isNumber || endpoint === null || this.subject === null) return;
      const { method, changes } = this.subject;
      if (changes && this.question === "") {
        this.question = `${method} may change data on the server. A client that waits too long may send it again. Hold it back?`;
        return;
      }
      const client = this.client === "" ? null : this.client;
      const reply = await commands.send({
        type: "start-experiment",
        target: endpoint,
        client,
        levels,
        units,
        confirmed: changes,
      });
      this.problem = reply.ok ? "" : reply.problem;
      if (reply.ok) this.$root.closest("dialog")?.close();
    },
  });
}

export interface ClientChoice {
  readonly client: string;
  readonly name: string;
}

/** Clients with the same name are listed in full. */
function choicesOf(clients: ReadonlySet<string>): readonly ClientChoice[] {
  const names = [...clients].map(clientNameOf);
  return Object.freeze(
    [...clients].map((client) => {
      const name = clientNameOf(client);
      return { client, name: names.indexOf(name) === names.lastIndexOf(name) ? name : client };
    }),
  );
}

/** How many of the endpoint's latest requests are looked at for clients to choose. */
const LATEST = 200;

function latestOf(endpoint: Endpoint) {
  const sort = { column: "startTime", descending: true } as const;
  return { view: "traffic", filter: `endpoint:"${endpoint}"`, sort, range: { from: 0, count: LATEST } } as const;
}

export type ExperimentBar = NonNullable<ReturnType<typeof experimentBarOf>>;

/** The bar about the experiment that runs, or its result; `null` if there is none. */
export function experimentBarOf(state: ExperimentState | null) {
  if (state === null) return null;
  const { number, target, counted, planned, leftOut, unit, result } = state;
  const name = `${target.method} ${hostOf(target.origin)}${target.path}`;
  const others = leftOut === 0 ? "" : `, ${leftOut} left out`;
  const units = counted === 0 ? "loads or walks" : `${unit}s`;
  const text =
    result === null
      ? `Responses of ${name} are held back on purpose: ${counted} of ${planned} ${units}${others}.`
      : `Experiment on ${name}: ${experimentResultText(result)}`;
  return Object.freeze({ number, text, isRunning: result === null, ...lookOf(result?.end ?? null) });
}

/** `end`: why the experiment has ended; `null` while it runs. */
function lookOf(end: ExperimentEnd | null) {
  if (end === null) return { icon: "#icon-warning", kind: "is-warning" };
  return end === "enough" ? { icon: "#icon-check", kind: "is-ok" } : { icon: "#icon-info", kind: "" };
}
