import type { Message, Parcel, Span } from "../../../model/evidence/messages.ts";
import { createProgress } from "../../../model/evidence/progress.ts";

/** A parcel goes out this many milliseconds after the first of its messages. */
const delay = 50;

/**
 * Collects what a run finds and sends it in parcels, each of which also says how far the run is.
 */
export function createOutbox(send: (parcel: Parcel) => void) {
  let messages: Message[] = [];
  let spans: Span[] = [];
  let hasProgress = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const whole = hasProgress ? [...messages, progress.now()] : messages;
    const parcel = { messages: whole, ...(spans.length > 0 && { spans }) };
    messages = [];
    spans = [];
    hasProgress = false;
    if (whole.length > 0 || parcel.spans !== undefined) send(parcel);
  };
  const wait = (): void => {
    timer ??= setTimeout(flush, delay);
  };
  const progress = createProgress(() => {
    hasProgress = true;
    wait();
  });

  return {
    progress,
    emit: (message: Message): void => {
      messages.push(message);
      wait();
    },
    trace: (span: Span): void => {
      spans.push(span);
      wait();
    },
    /**
     * Sends a secret at once: the main thread then searches reports for it even if this thread
     * dies.
     */
    secret: (value: string): void => send({ messages: [], secrets: [value] }),
    har: (entry: string): void => send({ messages: [], har: [entry] }),
    flush,
  };
}
