import type { Evidence } from "../../model/evidence.ts";

/** Sends evidence on in batches. */
export interface Outbox {
  readonly add: (evidence: Evidence) => void;
  /** Something waits to be gathered by `gather`. */
  readonly soon: () => void;
  readonly flush: () => void;
}

/** Milliseconds for which evidence waits for more. */
const delay = 50;

/** An outbox; `gather` is called before each batch for what was counted meanwhile. */
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
