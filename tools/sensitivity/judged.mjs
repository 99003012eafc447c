// Says whether the result of a run is right for its server.
import { mostAlone } from "../../dist/engine/server/bounds.js";

/** The most requests that a usual server may need for its verdict (INT-43). */
const mostUsual = 1000;

/**
 * Judges the result of a job: `{ ok, why? }`. A usual variant must be conformant with at most 1,000
 * requests, and a rare one must not be blamed. A run of one requirement alone must find no
 * violation, with at most `mostAlone` requests. A fault must be blamed on the requirement that it
 * breaks, at its endpoint, and on nothing else. A server that may hide its fault must not be
 * conformant with fewer verdicts on a MUST than without the fault (INT-57).
 */
export function judged({ job, run, without, crashed }) {
  if (crashed !== undefined) return { ok: false, why: crashed };
  if (job.kind === "blind") return asKept(job, blindResultOf({ job, run }));
  if (job.kind === "behind") {
    const [hidden, plain] = [run, without].map((one) => one.judged.must.judged);
    const ok = run.outcome !== "conformant" || hidden >= plain;
    return ok
      ? { ok }
      : { ok, why: `conformant with ${hidden} verdicts on a MUST, and ${plain} without the fault` };
  }
  const failed = idsOf(run, "fail");
  if (job.kind !== "fault") {
    // A run of one requirement never concludes that a server conforms, and a rare server may get no
    // verdict.
    const outcomes =
      job.kind === "alone"
        ? ["partial"]
        : ["conformant", ...(job.rare && failed.length === 0 ? ["inconclusive"] : [])];
    if (!outcomes.includes(run.outcome))
      return { ok: false, why: `${run.outcome}: ${run.summary} ${failed.join(" ")}` };
    const usual = job.rare ? Infinity : mostUsual;
    const most = job.kind === "alone" ? mostAlone : usual;
    return run.requests <= most ? { ok: true } : { ok: false, why: `more than ${most} requests` };
  }
  const { breaks, operation, also = [] } = job.fault;
  const { reason = "", findings } = run.requirements.find(({ id }) => id === breaks);
  if (!violates(run, breaks)) {
    const blamed = idsOf(run, "fail", "warn").join(" ") || "nothing";
    return { ok: false, why: `missed ${breaks}, ${run.outcome}, blamed ${blamed} ${reason}` };
  }
  const places = [...new Set(findings.map((finding) => finding.operation))];
  if (operation !== undefined && !places.includes(operation))
    return {
      ok: false,
      why: `${breaks} is blamed on ${places.join(", ") || "no endpoint"}, not ${operation}`,
    };
  const extra = failed.filter((id) => id !== breaks && !also.includes(id));
  return extra.length === 0 ? { ok: true } : { ok: false, why: `also blamed ${extra.join(" ")}` };
}

/**
 * Returns the result for a server of the blind set. A fault is `caught` if a requirement that it
 * breaks is blamed, `elsewhere` if only other requirements are, and `missed` if none is. A legal
 * server is `blamed`, `clean`, or `open` if it gets no verdict.
 */
export function blindResultOf({ job, run, crashed }) {
  if (crashed !== undefined) return "crashed";
  const isBlamed = idsOf(run, "fail").length > 0;
  if (job.fault === undefined && isBlamed) return "blamed";
  if (job.fault === undefined) return run.outcome === "conformant" ? "clean" : "open";
  const { breaks, also = [] } = job.fault;
  if ([breaks, ...also].some((id) => violates(run, id))) return "caught";
  return isBlamed ? "elsewhere" : "missed";
}

/**
 * Judges the result for a server of the blind set: right if it equals the kept one, or if none is
 * kept.
 */
function asKept({ today }, result) {
  const ok = today === undefined || today === result;
  return ok
    ? { ok }
    : { ok, why: `${result}, and ${today} is kept in tools/sensitivity/blind.json` };
}

/**
 * Returns the results in which a fault is blamed on the requirement that it breaks. Other
 * requirements may be blamed as well.
 */
export function caughtOf(results) {
  return results.filter(({ job, run }) => violates(run, job.fault.breaks));
}

/** Whether a run blames a requirement. False if there is no run. */
export const violates = (run, id) => run !== undefined && idsOf(run, "fail", "warn").includes(id);

/** Returns the ids of the requirements that have one of these verdicts in a run. */
export function idsOf(run, ...verdicts) {
  return run.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
