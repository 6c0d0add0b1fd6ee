import { basename, dirname, join } from "node:path";
import { setDifferenceOf } from "../../../src/engine/insights/difference/set-difference.ts";
import type { ExchangeFacts } from "../../../src/engine/insights/exchange-facts.ts";
import { repeatsOf } from "../../../src/engine/insights/findings/repeats.ts";
import { LinkedTraffic } from "../../../src/engine/insights/linked-traffic.ts";
import { pathGraphOf } from "../../../src/engine/insights/links/critical-paths.ts";
import type { FoundLinks } from "../../../src/engine/insights/links/link-finder.ts";
import { walksOf } from "../../../src/engine/insights/links/walks.ts";
import { PathTemplates } from "../../../src/engine/insights/path-templates.ts";
import type { EndedExperiment } from "../../../src/engine/model/experiment.ts";
import { failure, unwrap } from "../../../src/engine/model/result.ts";
import type { Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { LinkedSession } from "../../../src/engine/report/linked-session.ts";
import { chainRecordsOf } from "../../../src/engine/session/evaluation/chain-records.ts";
import type { RankedRecords } from "../../../src/engine/session/evaluation/found-findings.ts";
import { gainRecordsOf, NO_GAINS } from "../../../src/engine/session/evaluation/gain-records.ts";
import { groupRecordsOf } from "../../../src/engine/session/evaluation/grouping.ts";
import { markedRecordsOf } from "../../../src/engine/session/evaluation/marked-records.ts";
import { slowCauseRecordsOf } from "../../../src/engine/session/evaluation/slow-cause-search.ts";
import { whereFoundOf } from "../../../src/engine/session/evaluation/where-record.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { FollowedSession } from "../export/followed-session.ts";
import { SessionReader } from "../storage/session-reader.ts";
import type { AnalysisStart, Grouping, NumberedQuestion, Part, Reply } from "./analysis-messages.ts";
import { exchangeComparisonOf } from "./exchange-comparison.ts";
import { RankedSearch } from "./ranked-search.ts";

/**
 * After this time, a first search publishes its first results. It publishes rarely, because each time it computes all
 * results again.
 */
const FIRST_RESULTS_AFTER: Milliseconds = 1_000;
/** A search that published results t ms after its start publishes again at this multiple of t. */
const LATER_RESULTS_FACTOR = 4;
/** Beyond this share of a reading, its end comes before the same time again, and all results with it. */
const LAST_PARTIAL_RESULTS = 0.5;

/** The shortest time between two full readings. A full reading also links exchanges that ended late. */
const READ_AGAIN_AFTER: Milliseconds = 60_000;

/** How often a long search looks for a quick question, which is answered first. */
const LOOK_EVERY: Milliseconds = 50;

/** The order in which questions are answered: the quickest first. */
const ORDER: readonly Part[] = [
  ...["where", "groups", "comparison", "difference", "chains"],
  ...["gains", "marked", "repeats", "slowCauses", "ranked"],
] as const;

/** Facts and links read so far, for all answers. `isSettled`: as in `LinkedSession`, at the time of reading. */
interface Material extends Linked {
  readonly isSettled: boolean;
}

/** The exchanges read so far, and the links between them. */
interface Linked {
  readonly linked: LinkedSession;
  readonly read: number;
  /** The session's experiments, as in `Session`. */
  readonly experiments: readonly EndedExperiment[];
  readonly known: LinkedTraffic;
}

interface SessionAnalysisOptions {
  readonly start: AnalysisStart;
  /** The questions that came since the last call. */
  readonly take: () => readonly NumberedQuestion[];
  readonly tell: (reply: Reply) => void;
  readonly now?: () => Milliseconds;
}

/**
 * Follows the log of one session and answers questions about it: where the time went, chains, parallel groups, repeats,
 * causes of slowness, findings. All answers use the same facts and links, which new exchanges extend.
 */
export class SessionAnalysis {
  readonly #options: SessionAnalysisOptions;
  readonly #now: () => Milliseconds;
  readonly #ranking: RankedSearch;
  #waiting: NumberedQuestion[] = [];
  #latest: NumberedQuestion | null = null;
  #rowCap = 0;
  /** The grouping of the latest questions, until it is applied. */
  #grouping: { readonly of: Grouping } | null = null;
  #followed: FollowedSession | null = null;
  #linked: LinkedSession | null = null;
  /** The last reading that reached the session's end; it still grows while the session is read again. */
  #whole: LinkedSession | null = null;
  #links: Linked | null = null;
  #readSince = 0;
  #lookedAt = 0;
  #reading: LinkedSession | null = null;
  /** What the last ranking was made from. */
  #rankedFrom: {
    readonly linked: LinkedSession;
    readonly experiments: readonly EndedExperiment[];
    readonly read: number;
    readonly rest: string;
  } | null = null;

  constructor(options: SessionAnalysisOptions) {
    const { folder } = options.start;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#ranking = new RankedSearch(basename(folder), (id) => SessionReader.open(join(dirname(folder), id)));
  }

  /** The session with all of its log and its annotations, for an export or a search. */
  follow(rowCap: number, grouping?: Grouping): FollowedSession {
    this.#rowCap = rowCap;
    if (grouping !== undefined) this.#grouping = { of: grouping };
    const followed = this.#follow();
    followed.annotate();
    return followed;
  }

  /** Answers all questions, also those that come meanwhile. */
  async run(): Promise<void> {
    for (this.#take(); this.#waiting.length > 0; this.#take()) await this.#answer();
  }

  #take(): void {
    for (const question of this.#options.take()) {
      this.#waiting.push(question);
      this.#latest = question;
      this.#rowCap = question.rowCap;
      if (question.grouping !== undefined) this.#grouping = { of: question.grouping };
    }
  }

  async #answer(): Promise<void> {
    const followed = this.#follow();
    await this.#answerWhere();
    this.#answerGroups(followed.session);
    if (this.#waiting.length === 0) return;
    const linked = this.#current(followed);
    const material = await this.#read(linked);
    if (this.#linked === linked) this.#whole = linked;
    this.#take();
    this.#answerGroups(followed.session);
    const questions = this.#waiting.splice(0).sort((one, other) => ORDER.indexOf(one.part) - ORDER.indexOf(other.part));
    for (const question of questions) {
      await this.#conclude(question, material, 1);
      await this.#answerWhere();
    }
  }

  /** Brings the session up to date with the log and with the latest questions. */
  #follow(): FollowedSession {
    const { start } = this.#options;
    const rowCap = this.#rowCap;
    const grouping = this.#grouping;
    this.#grouping = null;
    if (this.#followed === null) {
      const reader = unwrap(SessionReader.open(start.folder));
      this.#followed = new FollowedSession(reader, start, templatesOf(grouping?.of ?? null), rowCap);
      return this.#followed;
    }
    this.#followed.follow();
    this.#followed.session.setRowCap(rowCap);
    if (grouping !== null) {
      this.#followed.regroup(templatesOf(grouping.of));
      // The facts name endpoints as they were grouped before.
      this.#linked = null;
      this.#whole = null;
    }
    return this.#followed;
  }

  /** The facts and links read so far; if they are out of date, a new reading. */
  #current({ session, reader }: FollowedSession): LinkedSession {
    const window = this.#latest?.chainGap ?? 0;
    const known = this.#linked;
    const isStale = known?.hasUnlinked === true && this.#now() - this.#readSince > READ_AGAIN_AFTER;
    if (known !== null && known.window === window && !known.isOutgrown && !isStale) return known;
    this.#linked = new LinkedSession({ session, reader, window, until: () => this.#latest?.until ?? (0 as Instant) });
    if (this.#whole?.window !== window) this.#whole = null;
    this.#readSince = this.#now();
    return this.#linked;
  }

  /** Reads the session. Publishes what a first search has found so far. */
  async #read(linked: LinkedSession): Promise<Material> {
    const began = this.#now();
    let publishAt = began + FIRST_RESULTS_AFTER;
    this.#reading = linked;
    await linked.read(async () => {
      await this.#look();
      if (this.#now() < publishAt || linked.progress > LAST_PARTIAL_RESULTS) return;
      const eager = this.#waiting.filter(({ wantsPartial }) => wantsPartial);
      if (eager.length > 0) {
        const material = this.#materialOf(linked);
        for (const question of eager) await this.#conclude(question, material, linked.progress);
      }
      publishAt = began + LATER_RESULTS_FACTOR * (this.#now() - began);
    });
    this.#reading = null;
    return this.#materialOf(linked);
  }

  #materialOf(linked: LinkedSession): Material {
    const read = linked.facts.length;
    const experiments = this.#followed?.session.experiments ?? [];
    const known = this.#links;
    const isKnown = known?.linked === linked && known.read === read && known.experiments === experiments;
    const links = isKnown
      ? known
      : { linked, read, experiments, known: this.#trafficOf(linked.facts.slice(), linked.links()) };
    this.#links = links;
    return { ...links, isSettled: linked.isSettled };
  }

  #trafficOf(facts: readonly ExchangeFacts[], links: FoundLinks): LinkedTraffic {
    return new LinkedTraffic(facts, links, (id) => this.#followed?.session.loadedAt(id) ?? null);
  }

  /** Takes new questions from time to time, and answers the quick ones. */
  async #look(): Promise<void> {
    if (this.#now() - this.#lookedAt < LOOK_EVERY) return;
    this.#lookedAt = this.#now();
    await this.#answerWhere();
    if (this.#waiting.some(({ part }) => part === "groups")) this.#answerGroups(this.#follow().session);
  }

  /** Answers the questions about where the time went, unless the session is being read for the first time. */
  async #answerWhere(): Promise<void> {
    this.#take();
    const questions = this.#waiting.filter(({ part }) => part === "where");
    if (questions.length === 0 || this.#whole === null || this.#whole === this.#reading) return;
    this.#follow();
    const whole = this.#whole;
    if (whole === null || whole.isEvicted || whole.window !== this.#latest?.chainGap) return;
    this.#waiting = this.#waiting.filter(({ part }) => part !== "where");
    await whole.read();
    const material = this.#materialOf(whole);
    for (const question of questions) await this.#conclude(question, material, 1);
  }

  /** Answers the questions about parallel groups, which need no facts. */
  #answerGroups(session: Session): void {
    const rest = { progress: 1, leftOut: 0, isFinal: true, isSettled: true };
    for (const { number, part } of this.#waiting)
      if (part === "groups") this.#options.tell({ number, part, records: groupRecordsOf(session), ...rest });
    this.#waiting = this.#waiting.filter(({ part }) => part !== "groups");
  }

  /** Answers a question. `progress`: as in `Searched`, but 1 even if the latest exchanges are not read yet. */
  async #conclude(
    { number, part, baseline, changed, compared, chosen }: NumberedQuestion,
    material: Material,
    progress: number,
  ): Promise<void> {
    const { session, reader } = this.#follow();
    const { linked, known, isSettled } = material;
    const rest = { number, progress, leftOut: linked.leftOut, isFinal: progress === 1, isSettled };
    const { tell } = this.#options;
    switch (part) {
      case "groups":
        return; // answered before
      case "where": {
        const { ahead } = linked;
        const all = ahead.length === 0 ? known : this.#trafficOf([...known.facts, ...ahead], known.links);
        return tell({ part, records: whereFoundOf(all), ...rest });
      }
      case "chains": {
        const { facts, links } = known;
        const walks = walksOf(facts, links);
        return tell({ part, records: chainRecordsOf(walks, pathGraphOf(facts, links), linked.window), ...rest });
      }
      case "repeats":
        return tell({ part, records: repeatsOf(known.traffic), ...rest });
      case "slowCauses":
        return tell({ part, records: slowCauseRecordsOf(session, known.traffic), ...rest });
      case "gains":
        return tell({
          part,
          records: changed === undefined ? NO_GAINS : gainRecordsOf(known.traffic, known.units, changed),
          ...rest,
        });
      case "comparison": {
        const records =
          compared === undefined
            ? failure("There is nothing to compare.")
            : await exchangeComparisonOf({ session, reader, traffic: known.traffic }, compared);
        return tell({ part, records, ...rest });
      }
      case "difference":
        return tell({
          part,
          records: setDifferenceOf(
            known.traffic,
            chosen?.ids ?? [],
            chosen?.by ?? { isByTime: false, isByLatency: false },
          ),
          ...rest,
        });
      case "marked":
        return tell({ part, records: markedRecordsOf(known.units.units, session.changeMarks), ...rest });
      case "ranked": {
        const unstored = Math.max(0, (this.#latest?.exchanges ?? 0) - session.exchanges);
        const leftOut = rest.leftOut + session.forgotten + unstored;
        const records = await this.#ranked(material, baseline, `${leftOut} ${progress}`);
        return tell({ part, records, ...rest, leftOut });
      }
    }
  }

  /** `null` if nothing changed since the last ranking. Messages of a WebSocket change the session, but no finding. */
  async #ranked(
    { linked, experiments, known }: Material,
    baseline: readonly string[],
    rest: string,
  ): Promise<RankedRecords | null> {
    const from = { linked, experiments, read: known.facts.length, rest: `${baseline.join()} ${rest}` };
    const before = this.#rankedFrom;
    const isSame = before?.linked === linked && before.experiments === experiments;
    if (isSame && before.read === from.read && before.rest === from.rest) return null;
    const records = await this.#ranking.find(known, baseline, () => this.#look());
    this.#rankedFrom = from;
    return records;
  }
}

function templatesOf(grouping: Grouping): PathTemplates | null {
  return grouping === null ? null : new PathTemplates(grouping.rules, grouping.folds);
}
