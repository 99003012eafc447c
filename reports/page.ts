import { createHash } from "node:crypto";
import { waitingText, wentOnText } from "../model/conclusion/mistake-words.ts";
import { wayText } from "../model/network.ts";
import { groups } from "../model/groups.ts";
import { plural } from "../model/plural.ts";
import { createdKinds, type DocumentPlace } from "../model/run.ts";
import { findingsByMistake, type CauseMember } from "../model/conclusion/causes.ts";
import { mistakeKey } from "../model/mistake.ts";
import type {
  Cause,
  ClientFinding,
  Finding,
  GateReason,
  RequirementResult,
  Run,
} from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { operationNames, operationTitle } from "../spec/operations.ts";
import { prose } from "../spec/prose.ts";
import { isQuestionId } from "../spec/questions.ts";
import { shownExchange } from "./exchange.ts";
import { coverageText } from "./coverage.ts";
import {
  gateSign,
  gateText,
  headline,
  reasonLines,
  requestsText,
  sinceLastText,
  toleratedText,
} from "./summary.ts";
import { answerGroups, atMost, durationText } from "./wording.ts";
import { otherKinds, requestText, type Exchanges } from "./request-kinds.ts";
import { plain, plainCommand, plainLines } from "./sanitize.ts";
import { outcomeSigns } from "./verdict-symbols.ts";

/**
 * What reports show of a run, as plain data. Order, wording and bounds are decided here, and every
 * text is harmless (`sanitize.ts`). The renderers lay it out and escape it. Texts that do not apply
 * are empty.
 */
export type Page = ReturnType<typeof madePage>;
export type Block = ReturnType<typeof blocksOf>[number];
export type Broken = ReturnType<typeof brokenOf>;
export type Shown = ReturnType<typeof shownOf>;
export type Row = Page["rows"][number];

/** The most that a page shows, and the most characters of its texts. report.json has the rest. */
const most = { kinds: 3, statuses: 20, ids: 200, text: 500, command: 3000, line: 4000 };

const pages = new WeakMap<Run, Page>();

/** The page of a run, which is made once. */
export function pageOf(run: Run): Page {
  const page = pages.get(run) ?? harmless(madePage(run));
  pages.set(run, page);
  return page;
}

/** The value with all its texts made harmless. `name`: the member that holds it. */
function harmless<T>(value: T, name = ""): T {
  const made = (): unknown => {
    if (typeof value === "string") return harmlessText(value, name);
    if (Array.isArray(value)) return value.map((one: unknown) => harmless(one, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, harmless(one, key)]));
  };
  return made() as T;
}

function harmlessText(text: string, name: string): string {
  if (name === "line") return plainLines(text, most.line);
  return commands.has(name) ? plainCommand(text, most.command) : plain(text, most.text);
}

const commands: ReadonlySet<string> = new Set(["replay", "curl", "token"]);

function madePage(run: Run) {
  const { outcome, target, profile, gate } = run;
  const mistakes = blocksOf(run, "fail");
  const hasCurl = mistakes.some(({ shows }) => shows !== undefined && shows.curl !== "");
  const answered = run.observations.filter(({ answers }) => answers.length > 0);
  const others = ownReasons(run).filter(({ kind }) => kind !== "must-failed");
  return {
    outcome,
    sign: outcomeSigns[outcome],
    target: target.baseUrl,
    /** `sent through the proxy …`. */
    way: target.network === undefined ? "" : `sent ${wayText(target.network)}`,
    profile,
    summary: run.summary,
    /** `2 failed, 118 passed · 826 requests · 3.2 s · seed 7`. */
    headline: headline(run),
    /** What changed since the last run. */
    since: sinceLastText(run),
    gate: {
      passes: gate.pass,
      line: `${gateSign(run)} ${gateText(run)}`,
      /** Why the gate fails, apart from mistakes and from what the summary says. */
      reasons: reasonLines(others).filter((text) => text !== run.summary),
      tolerated: gate.tolerated.map((one) => `${one.requirement}, ${toleratedText(one)}`),
      narrowed: run.narrowed ?? [],
    },
    /** The command that fetches the token of the curl commands. */
    token: (hasCurl && run.tokenCommand) || "",
    mistakes,
    warnings: blocksOf(run, "warn"),
    open: openOf(run),
    /** Mistakes of clients. */
    client: (run.client ?? []).map(clientFindingText),
    notes: [...run.warnings, ...run.withheld],
    observations: answered.map((one) => ({
      id: one.id,
      question: one.question,
      source: isQuestionId(one.id) ? prose.questions[one.id].source : "",
      answers: answerGroups(one),
    })),
    /** How many questions were not observed. */
    unobserved: run.observations.length - answered.length,
    responses: responsesOf(run),
    created: createdOf(run),
    facts: factsOf(run),
    /** What the valid requests covered. */
    coverage: coverageText(run.coverage),
    rows: rowsOnPage(run),
  };
}

/**
 * The mistakes that fail a requirement (`fail`), or that only lead to warnings (`warn`), in the order
 * of the causes. One that breaks both a MUST and a SHOULD is a failure alone.
 */
function blocksOf(run: Run, verdict: "fail" | "warn") {
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  const found = findingsByMistake(run.requirements);
  return run.causes.flatMap((cause) => {
    const key = mistakeKey(cause.mistake);
    const members = exampleFirst(found.get(key) ?? [], cause);
    const isFailure = members.length === 0 || members.some(fails);
    if (isFailure !== (verdict === "fail")) return [];
    const breaks = [...groups(members, ({ row }) => row)].map(([row, [first]]) =>
      brokenOf(row, shownOf(first.finding, cause, exchanges)),
    );
    return [
      {
        /** Equal for the same mistake in this run and in another. */
        id: `mistake-${createHash("sha256").update(key).digest("hex").slice(0, 10)}`,
        verdict,
        level: cause.level,
        title: members[0]?.finding.document?.says ?? cause.text,
        /** Undefined if the target could not be tested at all. */
        shows: breaks[0]?.shows,
        /** The requirements that the mistake breaks. That of `shows` comes first. */
        breaks,
        /** The requests of other kinds than the example that show the mistake, in words. */
        kinds: atMost(most.kinds, otherKinds(cause, members, exchanges), (left) =>
          plural(left, "more kind"),
        ),
        /** What waits for the mistake, and with what the run went on. */
        remarks: `${waitingText(cause.waiting)} ${wentOnText(cause)}`.trim(),
        waiting: cause.waiting ?? [],
      },
    ];
  });
}

function exampleFirst(members: readonly CauseMember[], { example }: Cause): readonly CauseMember[] {
  const isExample = ({ row, index }: CauseMember): boolean =>
    row.id === example?.requirement && index === example.finding;
  return [...members.filter(isExample), ...members.filter((member) => !isExample(member))];
}

/**
 * Whether a finding counts as a failure. A finding that a document only leaves something out is a
 * warning, even if its requirement fails because of another finding.
 */
function fails({ row, finding }: CauseMember): boolean {
  return row.verdict === "fail" && finding.document?.isLess !== true;
}

/** A finding in words. */
function shownOf(finding: Finding, { responses }: Cause, exchanges: Exchanges) {
  const { document, shownFirst } = finding;
  const exchange = exchanges.get(finding.exchange ?? -1);
  const first = exchanges.get(shownFirst?.exchange ?? -1);
  return {
    message: finding.message.replace(/\.$/, ""),
    expected: placed(finding.pointer, finding.expected),
    actual: placed(finding.pointer, finding.actual),
    request: requestText(finding, exchanges),
    // The title may say how many responses show the mistake.
    seen: responses === undefined ? frequencyText(finding) : "",
    replay: finding.replay,
    curl: finding.curl,
    place: document && { ...document, at: placeText(document), frame: frameLines(document) },
    exchange: exchange && shownExchange(exchange, finding.pointer),
    /** Where the same thing was shown first, with another value. */
    first: first && shownExchange(first, shownFirst?.pointer),
    serverIds: (exchange?.serverIds ?? []).slice(0, 3),
  };
}

function brokenOf(row: RequirementResult, shows: Shown) {
  const { id, level, verdict, statement, source, asked, findings } = row;
  const times = asked === 1 ? "once" : `${asked} times`;
  return {
    id,
    level,
    verdict,
    statement,
    /** `Endpoints, 3 · judged 4 times · 2 findings`. */
    facts: `${source} · judged ${times} · ${plural(findings.length, "finding")}`,
    /** The first finding of the requirement, for the first requirement that of the example. */
    shows,
    places: findings
      .flatMap(({ document }) => document ?? [])
      .map((place) => ({ at: placeText(place), says: place.says })),
  };
}

/**
 * The requirements without a verdict: those that wait for mistakes, whose blocks name them, then
 * those with each reason.
 */
function openOf(run: Run) {
  const waiting = waitingIn(run);
  const others = run.requirements.filter(({ id }) => !waiting.has(id));
  const reasons = (["inconclusive", "skip"] as const).flatMap((verdict) => {
    const rows = others.filter((row) => row.verdict === verdict);
    const byReason = groups(rows, ({ reason = "no reason was recorded" }) => reason);
    return [...byReason].map(([reason, own]) => ({
      verdict,
      ids: own.map(({ id }) => id),
      // The summary may say it already.
      reason: run.summary.includes(reason) ? "" : reason,
      isWaiting: false,
    }));
  });
  const ids = run.requirements.flatMap(({ id }) => (waiting.has(id) ? [id] : []));
  const wait = { verdict: "inconclusive", ids, reason: "", isWaiting: true } as const;
  return ids.length === 0 ? reasons : [wait, ...reasons];
}

/** All requirements, in the order of the catalogue. */
function rowsOnPage(run: Run) {
  const known = new Map(run.gate.tolerated.map((each) => [each.requirement, each]));
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  // Scenarios run at the same time and judge several requirements.
  const total = run.requirements.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0);
  const share = total > run.durationMs ? run.durationMs / total : 1;
  return run.requirements.map((row) => {
    const { id, area, level, verdict, statement, source, asked, reason = "", tookMs = 0 } = row;
    const tolerated = known.get(id);
    const sample = verdict === "pass" ? exchanges.get(row.sample ?? -1) : undefined;
    return {
      id,
      area,
      level,
      statement,
      source,
      asked,
      verdict,
      reason,
      tolerated: tolerated === undefined ? "" : toleratedText(tolerated),
      /** The time of its scenarios, shortened so that all times add up to that of the run. */
      ms: Math.floor(tookMs * share),
      sample: sample && shownExchange(sample),
    };
  });
}

function createdOf({ created, createdCounts, createdWithoutId = 0 }: Run) {
  const kinds = createdKinds.flatMap((kind) => {
    const { [kind]: count = 0 } = createdCounts;
    const all = created.filter((one) => one.kind === kind);
    const ids = all.slice(0, most.ids).map(({ id }) => id);
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

/** The operations that gave responses: how many had which status, and their latency. */
function responsesOf({ statuses = [], latency }: Run) {
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
      latency: times,
    };
  });
}

function factsOf(run: Run) {
  const { target, startedAt, tool, specification } = run;
  const facts = [
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
  ] as const;
  return facts.filter(([, text]) => text !== "");
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

/** The requirements that have no verdict because of a mistake. */
function waitingIn({ causes }: Pick<Run, "causes">): ReadonlySet<RequirementId> {
  return new Set(causes.flatMap(({ waiting = [] }) => waiting));
}

/**
 * The reasons why the gate fails, without those that a mistake already explains: that a requirement
 * has no verdict because of the mistake, or that nothing could be tested.
 */
function ownReasons(run: Pick<Run, "gate" | "causes">): readonly GateReason[] {
  const waiting = waitingIn(run);
  return run.gate.reasons.filter(({ kind, requirement }) => {
    if (kind === "nothing-tested") return waiting.size === 0;
    return kind !== "not-judged" || requirement === undefined || !waiting.has(requirement);
  });
}

/**
 * How often a finding was seen: `14 times, and 2 of 3 times that it was sent again`. Empty if it
 * was seen once and its request was not sent again.
 */
function frequencyText({ repeated, occurrences = 1 }: Finding): string {
  const times = occurrences > 1 ? [`${occurrences} times`] : [];
  const again = repeated === undefined ? [] : [`${repeated} times that it was sent again`];
  return [...times, ...again].join(", and ");
}

/** What was expected or found, with its place in the body: `/status = "pending_quote"`. */
function placed(pointer: string | undefined, text: string): string {
  if (!pointer || text.startsWith(pointer)) return text;
  return isJsonValue(text) ? `${pointer} = ${text}` : `${pointer}: ${text}`;
}

const isJsonValue = (text: string): boolean => /^(?:["[{]|-?\d|(?:true|false|null)$)/.test(text);

export const clientFindingsTitle = "Mistakes of clients";

/**
 * A mistake of clients in words: `POST /batches without an Authorization header: 3 requests, first
 * in run.har, entry 12`.
 */
function clientFindingText({ operation, text, count, example }: ClientFinding): string {
  return `${operationTitle(operation)} ${text}: ${plural(count, "request")}, first in ${example}`;
}
