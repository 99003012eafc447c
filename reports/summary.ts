import { plural } from "../model/plural.ts";
import type { GateReason, GateReasonKind, Outcome, Run, ToleratedFailure } from "../model/run.ts";
import { groups } from "../model/groups.ts";
import { judgedText } from "../model/conclusion/outcome.ts";
import { countsText } from "../model/conclusion/comparison.ts";
import { plain } from "./sanitize.ts";
import { atMost, durationText, idsText } from "./wording.ts";
import { counted, outcomeSigns, signs, tally, verdicts } from "./verdict-symbols.ts";

/** Whether the gate passes, and the names of what makes it fail. */
export function gateText({ outcome, gate: { pass, tolerated, reasons } }: Run): string {
  const open = reasons.filter(({ kind }) => kind === "not-judged");
  const isOpen = outcome === "inconclusive" && open.length > 0;
  const isBroken = reasons.some(({ kind }) => kind === "must-failed");
  // A server that breaks a MUST was tested, so the reason that nothing was tested is not named.
  const named = isBroken ? reasons.filter(({ kind }) => kind !== "nothing-tested") : reasons;
  const why = isOpen ? `no verdict on ${namesOf(open)}` : (unjudged[outcome] ?? namesOf(named));
  if (!pass) return `The gate fails: ${why}.`;
  const known =
    tolerated.length === 0 ? "" : `; ${plural(tolerated.length, "known failure")} tolerated`;
  return `The gate passes${known}.`;
}

/** The sign of the gate. If there is no conclusion on the server, the sign of the outcome. */
export function gateSign({ outcome, gate }: Pick<Run, "outcome" | "gate">): string {
  return Object.hasOwn(unjudged, outcome)
    ? outcomeSigns[outcome]
    : signs[gate.pass ? "pass" : "fail"];
}

/** Outcomes without a conclusion on the server, each with the reason that `gateText` shows. */
const unjudged: Partial<Record<Outcome, string>> = {
  error: "fxconform itself failed",
  interrupted: "the run was interrupted",
  inconclusive: "there is no verdict on the server",
};

/**
 * The names of what these reasons are about, each once and in order: `OPER-06, CPTY-02 and 3 more`.
 */
function namesOf(reasons: readonly GateReason[]): string {
  const names = [...new Set(reasons.map(nameOf))];
  if (names.length === 1) return names.join("");
  const shown = names.slice(0, names.length <= mostNames ? names.length - 1 : mostNames - 1);
  const left = names.length - shown.length;
  return `${shown.join(", ")} and ${left === 1 ? names.at(-1) : `${left} more`}`;
}

/**
 * The name of what a reason is about. The last line of the console shows this name and not the text
 * of the reason, which may hold words of the target.
 */
function nameOf({ requirement, question, kind }: GateReason): string {
  return requirement ?? question ?? others[kind] ?? kind;
}

/** The names for kinds of reasons that concern neither a requirement nor a question. */
const others: Partial<Record<GateReasonKind, string>> = {
  latency: "--max-latency",
  incomplete: "--complete",
  "nothing-tested": "a target that was not tested",
};

/** If there are more names than this, the last ones are only counted. */
const mostNames = 3;

/**
 * The reasons why the gate fails, each on a line. Requirements with the same reason share a line.
 */
export function reasonLines(reasons: readonly GateReason[]): readonly string[] {
  const sameText = groups(reasons, ({ requirement = "", text }) => text.slice(requirement.length));
  return [...sameText].map(([end, all]) => {
    const ids = all.flatMap(({ requirement }) => requirement ?? []);
    return all.length === 1 ? all[0].text : `${idsText(ids)}:${end}`;
  });
}

/** Why the gate tolerates a failure: `known until 2030-01-31: the reason`. */
export function toleratedText({ reason, expires }: ToleratedFailure): string {
  return `known until ${expires}: ${reason}`;
}

/**
 * The line below the summary: how much was judged (unless the summary says so), the counts of
 * verdicts and of known failures, requests, duration and seed.
 */
export function headline(run: Run): string {
  const counts = tally(run.requirements);
  const shown = verdicts.filter(
    (verdict) => counts[verdict] > 0 || verdict === "fail" || verdict === "pass",
  );
  const known = run.gate.tolerated.length;
  const ofFailed = known === counts.fail ? "all" : String(known);
  const note = (verdict: (typeof verdicts)[number]): string =>
    verdict === "fail" && known > 0 ? ` (${ofFailed} known)` : "";
  return [
    ...(run.complete || !["inconclusive", "error"].includes(run.outcome) ? [] : [judgedText(run)]),
    shown.map((verdict) => `${counts[verdict]} ${counted[verdict]}${note(verdict)}`).join(", "),
    ...(run.profile === "contract" ? [] : [requestsText(run)]),
    durationText(run.durationMs),
    // No random values are drawn to judge traffic or a document, so there is no seed.
    ...(run.profile === "traffic" || run.profile === "contract" ? [] : [`seed ${run.seed}`]),
  ].join(" · ");
}

/**
 * How many requests a run sent: `723 requests (23 with bad credentials), at most 8 in flight`. For
 * traffic, the number in flight is not known.
 */
export function requestsText(run: Run): string {
  const bad =
    run.badCredentials === undefined ? "" : ` (${run.badCredentials} with bad credentials)`;
  const most = run.peakInFlight === 0 ? "" : `, at most ${run.peakInFlight} in flight`;
  return `${plural(run.requests, "request")}${bad}${most}`;
}

/**
 * What changed since the last run, as a sentence, empty if no run was compared: `Since the
 * last run on 24 Nov 2026 14:02 UTC: 2 new failures, 3 fixed (new: OPER-02, CPTY-01).`
 */
export function sinceLastText({ sinceLast }: Run): string {
  if (sinceLast === undefined) return "";
  const { startedAt, changes } = sinceLast;
  const counts = countsText(changes.map(({ change }) => change));
  const news = changes
    .filter(({ change }) => change === "new failure")
    .map(({ requirement }) => requirement as string);
  const ids = atMost(mostNews, news, (left) => `${left} more`).join(", ");
  const named = ids === "" ? "" : ` (new: ${ids})`;
  return `Since the last run on ${momentText(startedAt)}: ${counts === "" ? "no failure, then or now" : counts}${named}.`;
}

const mostNews = 5;

/**
 * A moment for people, the same on every machine: `24 Nov 2026 14:02 UTC`. `instant`: ISO 8601; any
 * other text is shown as it is.
 */
export function momentText(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return plain(instant, 40);
  return `${date.toUTCString().slice(5, 22)} UTC`;
}
