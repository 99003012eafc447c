// Whether the result of one run is what it should be for its server.

/** A run of one requirement must send fewer requests, because people repeat it while they fix a server. */
const mostAlone = 59;

/** Requests within which a usual server gets its verdict (INT-43). */
const mostUsual = 1000;

/**
 * `{ ok, why?, extra? }`: a usual variant is conformant with at most 1,000 requests, a rare one is not blamed; a
 * requirement alone finds no violation with few requests; a fault is blamed on the requirement that it breaks, at its
 * endpoint, and on nothing else (`extra`).
 */
export const judged = (result) => {
  const { job } = result;
  if (result.crashed !== undefined) return { ok: false, why: result.crashed };
  if (job.kind !== "fault") {
    // A run of one requirement never concludes that a server conforms, and a rare server may get no verdict.
    const outcomes =
      job.kind === "alone"
        ? ["partial"]
        : ["conformant", ...(job.rare && result.failed.length === 0 ? ["inconclusive"] : [])];
    if (!outcomes.includes(result.outcome))
      return { ok: false, why: `${result.outcome}: ${result.summary} ${result.failed.join(" ")}` };
    const most = job.kind === "alone" ? mostAlone : job.rare ? Infinity : mostUsual;
    return result.requests <= most ? { ok: true } : { ok: false, why: `more than ${most} requests` };
  }
  if (!violates(result, job.breaks)) {
    const blamed = [...result.failed, ...result.warned];
    const reason = result.reasons[job.breaks] ?? "";
    return {
      ok: false,
      why: `missed ${job.breaks}, ${result.outcome}, blamed ${blamed.join(" ") || "nothing"} ${reason}`,
    };
  }
  const places = result.places?.[job.breaks] ?? [];
  if (job.operation !== undefined && !places.includes(job.operation)) {
    return { ok: false, why: `${job.breaks} is blamed on ${places.join(", ") || "no endpoint"}, not ${job.operation}` };
  }
  const extra = result.failed.filter((id) => id !== job.breaks && !job.also.includes(id));
  return extra.length === 0 ? { ok: true } : { ok: false, why: `also blamed ${extra.join(" ")}`, extra };
};

/** The faults that were blamed on the requirement that they break, and perhaps on others. */
export const caughtOf = (results) => results.filter((result) => violates(result, result.job.breaks));

export const violates = ({ failed = [], warned = [] } = {}, id) => failed.includes(id) || warned.includes(id);
