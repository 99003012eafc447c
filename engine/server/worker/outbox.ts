import type { Parcel } from "../../../model/evidence/evidence.ts";
import { createProgress } from "../../../model/evidence/counts.ts";
import type { Recorder } from "../../../model/evidence/recorder.ts";

/** How often the main thread learns how far a run is, and what it has found, in milliseconds. */
const delays = { progress: 50, evidence: 500 };

/**
 * With the facts of more requests, evidence goes over without a witness until the run has ended: to
 * copy it each time takes much memory.
 */
const mostWitnessed = 3000;

/** Evidence takes at most one part in so many of the time of the thread, however much it is. */
const share = 25;

/** Sends what a run has found so far to the main thread, while it finds more. */
export function createOutbox(send: (parcel: Parcel) => void) {
  let recorder: Pick<Recorder, "evidence" | "failing"> | undefined;
  let isSlow = (): boolean => false;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let known = 0;

  const report = (isWhole: boolean): void => {
    clearTimeout(timer);
    timer = undefined;
    if (recorder === undefined) return;
    const failing = recorder.failing();
    // A new failure is reported at once, as the page waits for it.
    const from = performance.now();
    const isDue = isWhole || failing.size > known || from >= dueAt;
    known = failing.size;
    const { sent, done, planned, waiting } = counters.now();
    const evidence = isDue ? recorder.evidence() : undefined;
    const isLarge = !isWhole && (evidence?.witness?.requests.size ?? 0) > mostWitnessed;
    send({
      progress: {
        requests: sent.reduce((sum, { count }) => sum + count, 0),
        scenariosDone: done,
        scenarios: planned,
        failing: failing.size,
        waiting,
      },
      isSlow: isSlow(),
      ...(evidence && { evidence: isLarge ? { ...evidence, witness: undefined } : evidence }),
    });
    const until = performance.now();
    if (isDue) dueAt = until + Math.max(delays.evidence, (until - from) * share);
  };
  const counters = createProgress(() => {
    timer ??= setTimeout(report, delays.progress, false);
  });

  return {
    progress: counters,
    /** Sends the evidence of this recorder from now on. */
    follow: (own: Pick<Recorder, "evidence" | "failing">): void => void (recorder = own),
    /** Says with each parcel whether the target is slow. */
    pace: (own: () => boolean): void => void (isSlow = own),
    /**
     * Sends a secret at once: the main thread then searches reports for it even if this thread
     * dies.
     */
    secret: (value: string): void => send({ secrets: [value] }),
    har: (entry: string): void => send({ har: [entry] }),
    flush: (): void => report(true),
  };
}
