import { livePieces, liveStatus, type LiveState } from "../../reports/html/live/page.ts";

/** The parts of a page that follows runs, each with the version in which it last changed. */
export interface LivePieces {
  /** What is newer than a version; waits for it, but not for ever, and not once the reader is gone. */
  readonly newerThan: (version: number, isGone: () => boolean) => Promise<object>;
  /** Something is new. */
  readonly changed: () => void;
}

/** The least time between two renderings: in milliseconds, and as a multiple of the time of the last one. */
const rest = { least: 250, factor: 3 } as const;

/** Milliseconds after which a request that waits for news gets a response without any. */
const longest = 20_000;

/** Renders the state when somebody waits for news, not too often. */
export function createPieces(stateOf: () => LiveState | undefined): LivePieces {
  const pieces = new Map<string, { readonly html: string; readonly version: number }>();
  let version = 0;
  let shown = { status: "Starting…", title: "fxconform", isRunning: true };
  let isNew = true;
  let rendering: Promise<void> | undefined;
  let notBefore = 0;
  let waiting: (() => void)[] = [];

  const render = async (): Promise<void> => {
    await new Promise((done) => setTimeout(done, notBefore - performance.now()));
    const state = stateOf();
    isNew = false;
    if (state === undefined) return;
    const started = performance.now();
    for (const [name, html] of Object.entries(livePieces(state))) {
      if (pieces.get(name)?.html !== html) pieces.set(name, { html, version: version + 1 });
    }
    const status = liveStatus(state);
    if (status !== shown.status || [...pieces.values()].some((piece) => piece.version > version)) version += 1;
    shown = { status, title: `${status} – fxconform`, isRunning: state.isRunning };
    const ended = performance.now();
    notBefore = ended + Math.max(rest.least, rest.factor * (ended - started));
  };
  const nextNews = (): Promise<void> =>
    new Promise((done) => {
      waiting.push(done);
      setTimeout(done, longest).unref();
    });
  return {
    newerThan: async (after, isGone) => {
      const until = performance.now() + longest;
      for (;;) {
        if (version > after || performance.now() >= until || isGone()) break;
        if (isNew) await (rendering ??= render().finally(() => (rendering = undefined)));
        else await nextNews();
      }
      const changed = [...pieces].filter(([, piece]) => piece.version > after);
      return { version, ...shown, pieces: Object.fromEntries(changed.map(([name, { html }]) => [name, html])) };
    },
    changed: () => {
      isNew = true;
      const all = waiting;
      waiting = [];
      for (const wake of all) wake();
    },
  };
}
