import { createHash } from "node:crypto";
import { isInSummary } from "../model/conclusion/outcome.ts";
import { waitingText, wentOnText } from "../model/conclusion/mistake-words.ts";
import { wayText } from "../model/network.ts";
import { groups } from "../model/groups.ts";
import { plural } from "../model/plural.ts";
import { createdKinds, type CreatedKind, type DocumentPlace } from "../model/run.ts";
import type {
  Cause,
  Finding,
  Latency,
  Outcome,
  RequirementResult,
  Run,
  Verdict,
} from "../model/run.ts";
import type { Area, Level, RequirementId } from "../spec/catalogue.ts";
import { operationNames, type OperationName } from "../spec/operations.ts";
import { prose } from "../spec/prose.ts";
import { isQuestionId, type QuestionId } from "../spec/questions.ts";
import { shownExchange, type ShownExchange } from "./exchange.ts";
import {
  actualText,
  clientFindingText,
  expectedText,
  failuresOf,
  frequencyText,
  ownReasons,
  waitingIn,
  type Failure,
} from "./failures.ts";
import { coverageText } from "./coverage.ts";
import { durationText } from "./duration.ts";
import {
  gateLine,
  headline,
  reasonLines,
  requestsText,
  toleratedLines,
  toleratedText,
} from "./summary.ts";
import { answerGroups, byReason, type AnswerGroup } from "./wording.ts";
import { otherKinds, requestText } from "./request-kinds.ts";
import { plain, plainCommand } from "./sanitize.ts";
import { sinceLastText } from "./since-last.ts";
import { outcomeSigns } from "./verdict-symbols.ts";

/**
 * What reports show of a run, as plain data. Order, wording and bounds are decided here, and every
 * text is harmless (`plain`). The renderers lay it out and escape it.
 */
export interface Page {
  readonly outcome: Outcome;
  readonly sign: string;
  readonly target: string;
  /** `sent through the proxy …`. Empty if it is not known. */
  readonly way: string;
  readonly profile: string;
  readonly summary: string;
  /** `2 failed, 118 passed · 826 requests · 3.2 s · seed 7`. */
  readonly headline: string;
  /** What changed since the last run. Empty if no run was compared. */
  readonly since: string;
  readonly gate: {
    readonly passes: boolean;
    readonly line: string;
    /** Why the gate fails, apart from mistakes and from what the summary says. */
    readonly reasons: readonly string[];
    readonly tolerated: readonly string[];
    readonly narrowed: readonly string[];
  };
  /** The command that fetches the token of the curl commands. Empty if there are none. */
  readonly token: string;
  /** What fails the run, and what only leads to warnings. Each block is one mistake. */
  readonly mistakes: readonly Block[];
  readonly warnings: readonly Block[];
  /** Requirements without a verdict, by reason. */
  readonly open: readonly Open[];
  /** Mistakes of clients. */
  readonly client: readonly string[];
  readonly notes: readonly string[];
  readonly observations: readonly ShownObservation[];
  /** How many questions were not observed. */
  readonly unobserved: number;
  /** The operations that gave responses. */
  readonly responses: readonly ShownResponses[];
  /** What the run created: how many, how many without an id, and up to 200 ids of each kind. */
  readonly created: {
    readonly count: number;
    readonly withoutId: number;
    readonly kinds: readonly {
      readonly kind: CreatedKind;
      readonly count: number;
      readonly ids: readonly string[];
      readonly left: number;
    }[];
  };
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** What the valid requests covered. Empty if nothing is known of it. */
  readonly coverage: string;
  /** All requirements, in the order of the catalogue. */
  readonly rows: readonly Row[];
}

/** A mistake. `shows` is absent if the target could not be tested at all. */
export interface Block {
  /** Equal for the same mistake in this run and in another. */
  readonly id: string;
  readonly verdict: "fail" | "warn";
  readonly level: Level;
  readonly title: string;
  readonly shows?: Shown;
  /** The requirements that the mistake breaks. That of `shows` comes first. */
  readonly breaks: readonly Broken[];
  /** The requests of other kinds than the example that show the mistake, in words. */
  readonly kinds: readonly string[];
  /** What waits for the mistake, and with what the run went on. May be empty. */
  readonly remarks: string;
  readonly waiting: readonly RequirementId[];
}

export interface Broken {
  readonly id: RequirementId;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly statement: string;
  /** `Endpoints, 3 · judged 4 times · 2 findings`. */
  readonly facts: string;
  /** The first finding of the requirement. */
  readonly shows: Shown;
  /** The places in a document that break it, in words. */
  readonly places: readonly { readonly at: string; readonly says: string }[];
}

/** A finding in words. Texts that do not apply are empty. */
export interface Shown {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly request: string;
  readonly seen: string;
  readonly replay: string;
  readonly curl: string;
  /** The place in a document: its file and line, and the same in words. */
  readonly place?: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly at: string;
    readonly says: string;
    readonly frame: readonly string[];
  };
  readonly exchange?: ShownExchange;
  /** Where the same thing was shown first, with another value. */
  readonly first?: ShownExchange;
  readonly serverIds: readonly string[];
}

export interface Open {
  readonly verdict: "inconclusive" | "skip";
  readonly ids: readonly RequirementId[];
  /** Empty if the summary says it. */
  readonly reason: string;
  /** The requirements wait for mistakes, whose blocks name them. */
  readonly isWaiting?: true;
}

/** The responses of an operation: how many had which status, and their latency. */
export interface ShownResponses {
  readonly operation: OperationName;
  readonly count: number;
  /** `200 ×34, 400 ×120`. Empty if it is not known. */
  readonly statuses: string;
  readonly latency?: Latency;
}

export interface ShownObservation {
  readonly id: QuestionId;
  readonly question: string;
  readonly source: string;
  readonly answers: readonly AnswerGroup[];
}

export interface Row {
  readonly id: RequirementId;
  readonly area: Area;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly statement: string;
  readonly source: string;
  readonly asked: number;
  /** Why there is no verdict. May be empty. */
  readonly reason: string;
  /** Why the gate tolerates the failure. Empty if it does not. */
  readonly tolerated: string;
  /** The time of its scenarios, shortened so that all times add up to that of the run. */
  readonly ms: number;
  readonly sample?: ShownExchange;
}

/** The most that a page shows. report.json has the rest. */
const most = {
  kinds: 3,
  statuses: 20,
  ids: 200,
  text: 300,
  title: 400,
  reason: 500,
  command: 3000,
};

const pages = new WeakMap<Run, Page>();

/** The page of a run, which is made once. */
export function pageOf(run: Run): Page {
  const page = pages.get(run) ?? madePage(run);
  pages.set(run, page);
  return page;
}

function madePage(run: Run): Page {
  const { outcome, target, profile, gate } = run;
  const mistakes = [
    ...run.causes.filter(({ findings }) => findings === 0).map(untested),
    ...blocksOf(run, "fail"),
  ];
  const hasCurl = mistakes.some(({ shows }) => shows !== undefined && shows.curl !== "");
  const answered = run.observations.filter(({ answers }) => answers.length > 0);
  const others = ownReasons(run).filter(({ kind }) => kind !== "must-failed");
  const texts = (all: readonly string[]) => all.map((text) => plain(text, most.reason));
  return {
    outcome,
    sign: outcomeSigns[outcome],
    target: plain(target.baseUrl, 300),
    way: target.network === undefined ? "" : plain(`sent ${wayText(target.network)}`, 300),
    profile,
    summary: plain(run.summary),
    headline: plain(headline(run), 500),
    since: plain(sinceLastText(run) ?? ""),
    gate: {
      passes: gate.pass,
      line: plain(gateLine(run)),
      reasons: texts(
        reasonLines({ gate: { ...gate, reasons: others } }).filter((text) => text !== run.summary),
      ),
      tolerated: texts(toleratedLines(run)),
      narrowed: texts(run.narrowed ?? []),
    },
    token: hasCurl ? plain(run.tokenCommand ?? "", 2000) : "",
    mistakes,
    warnings: blocksOf(run, "warn"),
    open: openOf(run),
    client: (run.client ?? []).map((one) => plain(clientFindingText(one), 400)),
    notes: texts([...run.warnings, ...run.withheld]),
    observations: answered.map((one) => ({
      id: one.id,
      question: plain(one.question),
      source: isQuestionId(one.id) ? prose.questions[one.id].source : "",
      answers: answerGroups(one).map(({ answer, count, cases }) => ({
        answer: plain(answer, 160),
        count,
        cases: cases.map((each) => plain(each, 160)),
      })),
    })),
    unobserved: run.observations.length - answered.length,
    responses: responsesOf(run),
    created: createdOf(run),
    facts: factsOf(run),
    coverage: plain(coverageText(run.coverage), most.text),
    rows: rowsOnPage(run),
  };
}

function untested(cause: Cause): Block {
  return {
    id: "untested",
    verdict: "fail",
    level: "MUST",
    title: plain(cause.text),
    breaks: [],
    kinds: [],
    remarks: remarksOf(cause),
    waiting: cause.waiting ?? [],
  };
}

/** Which requirements have no verdict until a mistake is mended, and with what the run went on. */
function remarksOf(cause: Pick<Cause, "waiting" | "wentOn">): string {
  const texts = [waitingText(cause.waiting), plain(wentOnText(cause), 400)];
  return texts.filter((text) => text !== "").join(" ");
}

function blocksOf(run: Run, verdict: "fail" | "warn"): readonly Block[] {
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  const shownOf = (finding: Finding): Shown => {
    const exchange = exchanges.get(finding.exchange ?? -1);
    const { document } = finding;
    return {
      message: plain(finding.message.replace(/\.$/, ""), most.text),
      expected: plain(expectedText(finding), most.text),
      actual: plain(actualText(finding), most.text),
      request: plain(requestText(finding, exchanges), most.text),
      seen: plain(frequencyText(finding), 100),
      replay: plain(finding.replay, most.command),
      curl: plainCommand(finding.curl, most.command),
      ...(document && {
        place: {
          file: plain(document.file, most.text),
          line: document.line,
          column: document.column,
          at: plain(placeText(document), 400),
          says: plain(document.says, most.title),
          frame: frameLines(document).map((line) => plain(line, 200)),
        },
      }),
      serverIds: (exchange?.serverIds ?? []).slice(0, 3).map((id) => plain(id, 200)),
    };
  };
  const exampleOf = (finding: Finding, { responses }: Cause): Shown => {
    const exchange = exchanges.get(finding.exchange ?? -1);
    const first = exchanges.get(finding.shownFirst?.exchange ?? -1);
    return {
      ...shownOf(finding),
      // The title already says how many responses show the mistake.
      ...(responses && { seen: "" }),
      ...(exchange && { exchange: shownExchange(exchange, finding.pointer) }),
      ...(first && { first: shownExchange(first, finding.shownFirst?.pointer) }),
    };
  };
  return failuresOf(run, verdict).map(({ key, cause, rows, members }: Failure): Block => {
    const [example] = members;
    return {
      id: `mistake-${createHash("sha256").update(key).digest("hex").slice(0, 10)}`,
      verdict,
      level: cause.level,
      title: plain(example.finding.document?.says ?? cause.text, most.title),
      shows: exampleOf(example.finding, cause),
      breaks: rows.map((row) => {
        const { finding } = members.find((one) => one.row === row) ?? example;
        return brokenOf(row, shownOf(finding));
      }),
      kinds: kindsOf(otherKinds(cause, members, exchanges)),
      remarks: remarksOf(cause),
      waiting: cause.waiting ?? [],
    };
  });
}

function kindsOf(texts: readonly string[]): readonly string[] {
  const left = texts.length - most.kinds;
  const shown = texts.slice(0, most.kinds).map((text) => plain(text, most.text));
  return left > 0 ? [...shown, plural(left, "more kind")] : shown;
}

function brokenOf(row: RequirementResult, shows: Shown): Broken {
  const { id, level, verdict, statement, source, asked, findings } = row;
  const times = asked === 1 ? "once" : `${asked} times`;
  return {
    id,
    level,
    verdict,
    statement: plain(statement),
    facts: plain(
      `${source} · judged ${times} · ${findings.length === 1 ? "1 finding" : `${findings.length} findings`}`,
    ),
    shows,
    places: findings
      .flatMap(({ document }) => document ?? [])
      .map((place) => ({ at: plain(placeText(place), 400), says: plain(place.says, 400) })),
  };
}

/** What waits for mistakes first, then each reason. */
function openOf(run: Run): readonly Open[] {
  const waiting = waitingIn(run);
  const others = { ...run, requirements: run.requirements.filter(({ id }) => !waiting.has(id)) };
  const reasons = (["inconclusive", "skip"] as const).flatMap((verdict) =>
    byReason(others, verdict).map(([reason, rows]) => ({
      verdict,
      ids: rows.map(({ id }) => id),
      reason: isInSummary(run, reason) ? "" : plain(reason, most.reason),
    })),
  );
  const ids = run.requirements.flatMap(({ id }) => (waiting.has(id) ? [id] : []));
  const wait = { verdict: "inconclusive", ids, reason: "", isWaiting: true } as const;
  return ids.length === 0 ? reasons : [wait, ...reasons];
}

function rowsOnPage(run: Run): readonly Row[] {
  const known = new Map(run.gate.tolerated.map((each) => [each.requirement, each]));
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  // Scenarios run at the same time and judge several requirements.
  const total = run.requirements.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0);
  const share = total > run.durationMs ? run.durationMs / total : 1;
  return run.requirements.map((row): Row => {
    const { id, area, level, statement, source, asked, reason, tookMs = 0 } = row;
    const tolerated = known.get(id);
    const sample = row.verdict === "pass" ? exchanges.get(row.sample ?? -1) : undefined;
    return {
      id,
      area,
      level,
      statement: plain(statement),
      source,
      asked,
      verdict: row.verdict,
      reason: reason === undefined ? "" : plain(reason, most.text),
      tolerated: tolerated === undefined ? "" : plain(toleratedText(tolerated), most.reason),
      ms: Math.floor(tookMs * share),
      ...(sample && { sample: shownExchange(sample) }),
    };
  });
}

function createdOf({ created, createdCounts, createdWithoutId = 0 }: Run): Page["created"] {
  const kinds = createdKinds.flatMap((kind) => {
    const { [kind]: count = 0 } = createdCounts;
    const all = created.filter((one) => one.kind === kind);
    const ids = all.slice(0, most.ids).map(({ id }) => plain(id, 120));
    return count === 0 ? [] : [{ kind, count, ids, left: all.length - ids.length }];
  });
  const count = kinds.reduce((sum, one) => sum + one.count, 0);
  return { count, withoutId: createdWithoutId, kinds };
}

/** A place with its JSON pointer: `openapi.yaml:12:5  #/components/schemas/Error`. */
function placeText({ file, line, column, pointer }: DocumentPlace): string {
  return `${file}:${line}:${column}  ${pointer}`;
}

/** The line at a place and the lines around it, each with its number. `>` marks the line itself. */
function frameLines({ frame, frameStart, line }: DocumentPlace): readonly string[] {
  const width = String(frameStart + frame.length - 1).length;
  return frame.map((text, index) => {
    const number = frameStart + index;
    return `${number === line ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd();
  });
}

function responsesOf({ statuses = [], latency }: Run): readonly ShownResponses[] {
  return operationNames.flatMap((operation) => {
    const own = statuses.filter((one) => one.operation === operation);
    const times = latency.find((one) => one.operation === operation);
    if (own.length === 0 && times === undefined) return [];
    const count = own.reduce((sum, one) => sum + one.count, 0);
    const texts = own.slice(0, most.statuses).map((one) => `${one.status} ×${one.count}`);
    const left = own.length - texts.length;
    return {
      operation,
      count: own.length === 0 ? (times?.count ?? 0) : count,
      statuses: [...texts, ...(left > 0 ? [`${left} more`] : [])].join(", "),
      ...(times && { latency: times }),
    };
  });
}

function factsOf(run: Run): Page["facts"] {
  const { target, startedAt, tool, specification } = run;
  const facts: readonly (readonly [string, string])[] = [
    ["Target", target.baseUrl],
    ["Requests went", target.network === undefined ? "" : wayText(target.network)],
    ["Profile", run.profile],
    ["Started", `${startedAt.slice(0, 19).replace("T", " ")} UTC`],
    ["Took", durationText(run.durationMs)],
    ["Requests", requestsText(run)],
    ["Seed", `${run.seed}, ${run.runs} samples per property`],
    ["Covered", coverageText(run.coverage)],
    ["Versions", `${tool.name} ${tool.version}, specification ${specification.version}`],
    ["Run", run.runId],
  ];
  return facts.flatMap(([name, text]) => (text === "" ? [] : [[name, plain(text, 300)] as const]));
}

/** What a finding shows, each text with its name, as texts that are read line by line show it. */
export function namedTexts(
  { expected, actual, request, seen, place, replay, curl }: Shown,
  kinds: readonly string[] = [],
): readonly (readonly [name: string, text: string])[] {
  const all: readonly (readonly [string, string])[] = [
    ["expected", expected],
    ["actual", actual],
    ["request", request],
    ...kinds.map((text) => ["as well", text] as const),
    ["seen", seen],
    ["place", place?.at ?? ""],
    ...(place?.frame ?? []).map((text) => ["", text] as const),
    ["replay", replay],
    ["curl", curl],
  ];
  return all.filter(([, text]) => text !== "");
}

/** The rows of each area, in order. */
export function areasOf({ rows }: Pick<Page, "rows">) {
  return [...groups(rows, ({ area }) => area)];
}

/** The blocks that break a requirement, with its own finding in each. */
export function breaking(
  { mistakes, warnings }: Pick<Page, "mistakes" | "warnings">,
  id: RequirementId,
) {
  return [...mistakes, ...warnings].flatMap((block) => {
    const broken = block.breaks.find((one) => one.id === id);
    return broken === undefined ? [] : [{ block, shows: broken.shows }];
  });
}
