// Whether one run said what it should have said of its server.

/** `{ ok, why?, extra? }`: a variant is conformant; a fault is blamed on what it breaks, `extra` being blamed besides. */
export const judged = (result) => {
  const { job } = result;
  if (result.crashed !== undefined) return { ok: false, why: result.crashed };
  if (job.kind === "variant") {
    if (result.outcome === "conformant") return { ok: true };
    return { ok: false, why: `${result.outcome}: ${result.summary} ${result.failed.join(" ")}` };
  }
  const blamed = [...result.failed, ...result.warned];
  if (!blamed.includes(job.breaks)) {
    const reason = result.reasons[job.breaks] ?? "";
    return {
      ok: false,
      why: `missed ${job.breaks}, ${result.outcome}, blamed ${blamed.join(" ") || "nothing"} ${reason}`,
    };
  }
  return { ok: true, extra: result.failed.filter((id) => id !== job.breaks && !job.also.includes(id)) };
};
