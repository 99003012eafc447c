// Says whether the result of a job is right: its fault is blamed and nothing else, or it conforms.
import { mostAlone } from "../../dist/engine/server/announcement.js";
import { faultOf, membersOf } from "./jobs.mjs";

/** The most requests that a usual server may need for its verdict (INT-43). */
const mostUsual = 1000;

/** Returns what is wrong with the result of a job, or undefined if it is right. */
export function wrongIn({ job, run, crashed }) {
  if (crashed !== undefined) return crashed;
  const fault = faultOf(job);
  if (fault !== undefined) return wrongOfFault(fault, run);
  const isOpen = membersOf(job).some(({ known }) => known === "open");
  const failed = idsOf(run, "fail");
  const outcomes = [job.alone === undefined ? "conformant" : "partial", isOpen && "inconclusive"];
  if (!outcomes.includes(run.outcome) || failed.length > 0)
    return `${run.outcome}: ${run.summary} ${failed.join(" ")}`;
  const most = isOpen ? Infinity : mostUsual;
  const allowed = job.alone === undefined ? most : mostAlone;
  return run.requests <= allowed ? undefined : `more than ${allowed} requests`;
}

/**
 * A fault must be blamed on the requirement that it breaks, at its endpoint, and on nothing else
 * than what its row names. A run may miss a fault that is known to be missed.
 */
function wrongOfFault({ breaks, also, operation, known }, run) {
  const extra = idsOf(run, "fail", "warn").filter((id) => id !== breaks && !also.includes(id));
  if (extra.length > 0) return `also blamed ${extra.join(" ")}`;
  const { verdict, reason = "", findings } = run.requirements.find(({ id }) => id === breaks);
  if (!isBlamed(verdict))
    return known === "missed" ? undefined : `missed ${breaks}, ${run.outcome} ${reason}`;
  const places = [...new Set(findings.map((finding) => finding.operation))];
  return operation === undefined || places.includes(operation)
    ? undefined
    : `${breaks} is blamed on ${places.join(", ") || "no endpoint"}, not ${operation}`;
}

const isBlamed = (verdict) => verdict === "fail" || verdict === "warn";

/** Whether a run blames the fault of its job on the requirement that it breaks. */
export function isCaught({ job, run }) {
  return run !== undefined && idsOf(run, "fail", "warn").includes(faultOf(job).breaks);
}

/** Returns the ids of the requirements that have one of these verdicts in a run. */
export function idsOf(run, ...verdicts) {
  return run.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
