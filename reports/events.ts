import type { Outcome, Run, Verdict } from "../model/run.ts";
import type { Progress } from "../model/evidence/run-progress.ts";
import type { Level, RequirementId } from "../spec/catalogue.ts";
import { pageOf, type Block } from "./page.ts";
import { tally } from "./verdict-symbols.ts";

/**
 * What `--events` reports of a run, one JSON object a line. Members can be added in any version. Texts
 * are those of the page: harmless, bounded, redacted.
 */
export type RunEvent = Timed &
  (StartedEvent | ProgressEvent | VerdictEvent | MistakeEvent | EndedEvent);

interface Timed {
  /** ISO 8601 in UTC. */
  readonly at: string;
}

export interface StartedEvent {
  readonly event: "started";
  /** The version of fxconform. */
  readonly version: string;
  readonly target: string;
  readonly profile: string;
  readonly seed: number;
  /** How many requirements are selected. */
  readonly requirements: number;
  /** About how many requests the run sends, and when it has ended, in milliseconds. */
  readonly expectedRequests: number;
  readonly longestMs: number;
}

interface ProgressEvent extends Progress {
  readonly event: "progress";
}

/** The verdict on a requirement as it would be if the run ended now. The last one counts. */
interface VerdictEvent {
  readonly event: "verdict";
  readonly requirement: RequirementId;
  readonly level: Level;
  readonly verdict: Verdict;
}

/**
 * A mistake, when it is found, and once more at the end if its words are others then. The `ended`
 * event names those that the report has.
 */
interface MistakeEvent {
  readonly event: "mistake";
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly requirements: readonly RequirementId[];
  readonly expected: string;
  readonly actual: string;
  readonly request: string;
  readonly replay: string;
}

interface EndedEvent {
  readonly event: "ended";
  readonly outcome: Outcome;
  readonly summary: string;
  readonly gate: { readonly pass: boolean; readonly line: string };
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** The ids of the mistakes that the report has. */
  readonly mistakes: readonly string[];
  readonly requests: number;
  readonly durationMs: number;
  readonly exitCode: number;
}

type Untimed<T> = T extends unknown ? Omit<T, "at"> : never;

/** Makes the events of a run. Each function returns those that are new. */
export function createRunEvents(now: () => Date) {
  const verdicts = new Map<RequirementId, Verdict>();
  const reported = new Map<string, string>();
  const timed = (events: readonly Untimed<RunEvent>[]): readonly RunEvent[] => {
    const at = now().toISOString();
    return events.map((event) => ({ at, ...event }));
  };

  /** The verdicts and mistakes that were not reported yet, or otherwise. */
  function changes(run: Run, isRunning: boolean): readonly Untimed<RunEvent>[] {
    const page = pageOf(run, { isRunning });
    const rows = page.rows.flatMap(({ id, level, verdict }): readonly VerdictEvent[] => {
      if (verdict === "pending" || verdicts.get(id) === verdict) return [];
      if (isRunning && verdict === "skip") return [];
      verdicts.set(id, verdict);
      return [{ event: "verdict", requirement: id, level, verdict }];
    });
    const mistakes = [...page.mistakes, ...page.warnings].flatMap((block) => {
      const event = mistakeEvent(block);
      const words = JSON.stringify(event);
      // Numbers in a title change with each response.
      if (reported.has(block.id) && (isRunning || reported.get(block.id) === words)) return [];
      reported.set(block.id, words);
      return [event];
    });
    return [...rows, ...mistakes];
  }

  return {
    started: (facts: Omit<StartedEvent, "event">): readonly RunEvent[] =>
      timed([{ event: "started", ...facts }]),
    progress: (progress: Progress): readonly RunEvent[] =>
      timed([{ event: "progress", ...progress }]),
    /** fxconform itself failed, so that there is no run. */
    failed: (exitCode: number): readonly RunEvent[] =>
      timed([
        {
          event: "ended",
          outcome: "error",
          summary: "fxconform itself failed.",
          gate: { pass: false, line: "" },
          verdicts: tally([]),
          mistakes: [],
          requests: 0,
          durationMs: 0,
          exitCode,
        },
      ]),
    found: (run: Run): readonly RunEvent[] => timed(changes(run, true)),
    /** `exitCode`: that of the command. */
    ended: (run: Run, exitCode: number): readonly RunEvent[] => {
      const page = pageOf(run);
      const ended: EndedEvent = {
        event: "ended",
        outcome: run.outcome,
        summary: page.summary,
        gate: { pass: run.gate.pass, line: page.gate.line },
        verdicts: tally(run.requirements),
        mistakes: [...page.mistakes, ...page.warnings].map(({ id }) => id),
        requests: run.requests,
        durationMs: run.durationMs,
        exitCode,
      };
      return timed([...changes(run, false), ended]);
    },
  };
}

function mistakeEvent({ id, level, title, breaks, shows }: Block): MistakeEvent {
  const { expected = "", actual = "", request = "", replay = "" } = shows ?? {};
  const requirements = breaks.map((one) => one.id);
  return { event: "mistake", id, level, title, requirements, expected, actual, request, replay };
}
