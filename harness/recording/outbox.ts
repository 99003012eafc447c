import type { Evidence } from "../../model/evidence.ts";

/** Sends evidence on in batches. */
export interface Outbox {
  readonly add: (evidence: Evidence) => void;
  /** Schedules a batch: `gather` has something to send. */
  readonly soon: () => void;
  readonly flush: () => void;
}

/** Milliseconds that evidence waits for more. */
const delay = 50;

/** An outbox. It calls `gather` before each batch, for evidence that was counted in the meantime. */
export const createOutbox = (
  emit: (evidence: readonly Evidence[]) => void,
  gather: () => readonly Evidence[],
): Outbox => {
  let waiting: Evidence[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...waiting, ...gather()];
    waiting = [];
    if (batch.length > 0) emit(batch);
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, delay);
  };
  return {
    add: (evidence) => {
      waiting.push(evidence);
      soon();
    },
    soon,
    flush,
  };
};
